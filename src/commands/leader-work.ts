type End = () => Promise<void>

/** Begins a part of the work. Resolves with a function that ends it, if it has an end. */
type Step = () => Promise<unknown>

/** What only the server that writes does. */
export class LeaderWork {
  readonly #steps: Step[]
  readonly #ends: End[] = []
  #beginning: Promise<void> | undefined

  constructor(steps: Step[]) {
    this.#steps = steps
  }

  /** Begins what has not begun yet, in its order. If a step throws, the next call begins with that one. */
  readonly begin = (): Promise<void> => {
    this.#beginning = this.#begin()
    return this.#beginning
  }

  /** Begins nothing more, and ends what has begun, the latest first. */
  async end(): Promise<void> {
    this.#steps.length = 0
    await this.#beginning?.catch(() => {})
    for (const end of this.#ends) await end()
  }

  async #begin(): Promise<void> {
    for (let step = this.#steps[0]; step; step = this.#steps[0]) {
      const end = await step()
      if (typeof end === 'function') this.#ends.unshift(end as End)
      this.#steps.shift()
    }
  }
}
