import { errorFields, log } from './log.ts'

/** Logs failures of repeated work: one line while parts of it, such as workspaces, fail for the same reason, and another one after all of them have succeeded. */
export class FailureLog {
  readonly #msg: string
  /** Of each part that fails. */
  readonly #reasons = new Map<unknown, string>()

  constructor(msg: string) {
    this.#msg = msg
  }

  note(error: unknown, fields: Record<string, unknown> = {}, part?: unknown): void {
    const reason = String(error)
    const isLogged = [...this.#reasons.values()].includes(reason)
    if (!isLogged) log(this.#msg, { ...fields, ...errorFields(error) }, 'error')
    this.#reasons.set(part, reason)
  }

  /** The part has succeeded, or has ended. */
  clear(part?: unknown): void {
    this.#reasons.delete(part)
  }
}
