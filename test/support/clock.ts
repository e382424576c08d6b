/** Stands still until it is told to go on. */
export class FakeClock {
  #now = Date.UTC(2026, 5, 15, 12)

  now(): number {
    return this.#now
  }

  advance(ms: number): void {
    this.#now += ms
  }
}
