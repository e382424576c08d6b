import { errorFields, log } from './log.ts'

/** Logs that work fails which is tried again and again: once, until it has succeeded. */
export class FailureLog {
  readonly #msg: string
  #isFailing = false

  constructor(msg: string) {
    this.#msg = msg
  }

  note(error: unknown): void {
    if (!this.#isFailing) log(this.#msg, errorFields(error), 'error')
    this.#isFailing = true
  }

  clear(): void {
    this.#isFailing = false
  }
}
