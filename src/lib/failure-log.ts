import { errorFields, log } from './log.ts'

/** Logs why work fails that is tried again and again: each reason once, until it is another one or everything has succeeded. */
export class FailureLog {
  readonly #msg: string
  #reason: string | undefined

  constructor(msg: string) {
    this.#msg = msg
  }

  note(error: unknown, fields: Record<string, unknown> = {}): void {
    const reason = String(error)
    if (reason !== this.#reason) log(this.#msg, { ...fields, ...errorFields(error) }, 'error')
    this.#reason = reason
  }

  clear(): void {
    this.#reason = undefined
  }
}
