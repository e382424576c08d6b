/**
 * Keeps what is used, within a bound. Two generations: whatever is used comes into the young one, and when that is full, it becomes
 * the old one, whose unused rest is dropped. Finding what is young costs one look, where keeping an order of use would cost a
 * deletion and an insertion.
 */
export class RecentlyUsed<T> {
  readonly #halfMax: number
  readonly #sizeOf: (value: T) => number
  #young = new Map<string, T>()
  #youngSize = 0
  #old = new Map<string, T>()

  /** Holds at most `max`: values, or what `sizeOf` says of them, where none is larger than half of it. */
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
