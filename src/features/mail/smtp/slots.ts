/** Runs a limited number of things at a time, in the order in which they are asked for. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []
  readonly #running = new Set<Promise<unknown>>()

  constructor(count: number) {
    this.#free = count
  }

  /** `signal`: what has not begun does not begin. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      signal.throwIfAborted()
      const running = work()
      this.#running.add(running)
      return await running.finally(() => this.#running.delete(running))
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  /** Resolves when what runs has ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
