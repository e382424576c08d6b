import { errorFields, log } from './log.ts'

/** Logs failures of repeated work. What fails for one reason in several parts, such as workspaces, is one line until each of them succeeds. */
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
