/**
 * A cache of limited size with two generations. A used entry moves to the young generation. When that is full, it becomes the old
 * generation, and the entries left in the previous old one are dropped. Finding a young entry costs one lookup; an exact order of use
 * would also cost a deletion and an insertion.
 */
export class RecentlyUsed<T> {
  readonly #halfMax: number
  readonly #sizeOf: (value: T) => number
  #young = new Map<string, T>()
  #youngSize = 0
  #old = new Map<string, T>()

  /** Holds values of at most `max` in total, as measured by `sizeOf`. No value may be larger than half of that. */
  constructor(max: number, sizeOf: (value: T) => number = () => 1) {
    this.#halfMax = max / 2
    this.#sizeOf = sizeOf
  }

  get(name: string): T | undefined {
    const young = this.#young.get(name)
    if (young !== undefined) return young
    const old = this.#old.get(name)
    return old === undefined ? undefined : this.put(name, old)
  }

  put(name: string, value: T): T {
    const size = this.#sizeOf(value)
    const replaced = this.#young.get(name)
    if (replaced !== undefined) {
      this.#young.delete(name)
      this.#youngSize -= this.#sizeOf(replaced)
    }
    if (this.#youngSize + size > this.#halfMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngSize = 0
    }
    this.#young.set(name, value)
    this.#youngSize += size
    return value
  }
}
