/** A seeded random number generator (mulberry32): the same numbers for the same seed on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)]!
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(0, 255))
  }
}
