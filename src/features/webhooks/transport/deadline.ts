import { Failure } from './failure.ts'

/** Ends an attempt that does not connect or respond in time, or whose caller ends it. `signal.reason` is a Failure. */
export class Deadline {
  readonly #ending = new AbortController()
  readonly #connect: NodeJS.Timeout
  readonly #total: NodeJS.Timeout
  readonly #stop: AbortSignal | undefined

  constructor(connectMs: number, totalMs: number, stop?: AbortSignal) {
    this.#connect = setTimeout(() => this.#expire(`No connection within ${connectMs / 1_000} s`), connectMs)
    this.#total = setTimeout(() => this.#expire(`No response within ${totalMs / 1_000} s`), totalMs)
    this.#stop = stop
    stop?.addEventListener('abort', this.#stopped)
    if (stop?.aborted) this.#stopped()
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** The connection is open: from now on only the total time counts. */
  connected(): void {
    clearTimeout(this.#connect)
  }

  /** Frees what it holds. Aborts what is still under way. */
  end(): void {
    clearTimeout(this.#connect)
    clearTimeout(this.#total)
    this.#stop?.removeEventListener('abort', this.#stopped)
    this.#expire('The attempt has ended')
  }

  #stopped = () => this.#expire('The server stopped during the attempt')

  #expire(sentence: string): void {
    this.#ending.abort(new Failure(sentence))
  }
}
