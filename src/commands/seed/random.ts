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

  /** A number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + this.next() * (max - min)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(0, 255))
  }
}

/** Items in random order. Each is drawn again only after all others. */
export class Deck<T> {
  readonly #random: Random
  readonly #items: readonly T[]
  #left: T[] = []

  constructor(random: Random, items: readonly T[]) {
    this.#random = random
    this.#items = items
  }

  draw(): T {
    if (this.#left.length === 0) this.#left = [...this.#items]
    return this.#left.splice(this.#random.integer(0, this.#left.length - 1), 1)[0]!
  }
}
