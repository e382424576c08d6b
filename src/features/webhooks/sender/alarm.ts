/** The longest time between two looks at the clock, however it jumps. */
const lookEveryMs = 60_000

/** Calls back at the earliest of the times that it was set to. */
export class Alarm {
  readonly #now: () => number
  readonly #ring: () => void
  #timer: NodeJS.Timeout | undefined
  #atMs = Number.POSITIVE_INFINITY

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number, ring: () => void) {
    this.#now = now
    this.#ring = ring
  }

  set(atMs: number): void {
    if (atMs >= this.#atMs) return
    clearTimeout(this.#timer)
    this.#atMs = atMs
    const inMs = Math.max(atMs - this.#now(), 0)
    this.#timer = setTimeout(() => this.ring(), Math.min(inMs, lookEveryMs))
  }

  /** Calls back now instead. */
  ring(): void {
    this.stop()
    this.#ring()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#atMs = Number.POSITIVE_INFINITY
  }
}
