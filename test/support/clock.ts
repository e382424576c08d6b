/** A clock that changes only when a test moves it. */
export class FakeClock {
  #now = Date.UTC(2026, 5, 15, 12)
  #elapsed = 0

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#elapsed
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }

  /** Sets the wall clock forward or back; no time passes. */
  jump(ms: number): void {
    this.#now += ms
  }
}
