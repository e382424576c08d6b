import { errorFields, log } from './log.ts'

/** Logs a failure of repeated work when its reason changes, and again after a success. */
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
