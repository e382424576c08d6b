/** The reason why an amount is not available: the total is used up, or one name's share of it. */
export type Shortage = 'total' | 'share'

/** An amount that many users share, limited in total and for each name, such as a key or an address. */
export class Budget {
  readonly #total: number
  readonly #share: number
  readonly #used = new Map<string, number>()
  #usedInTotal = 0

  constructor({ total, share }: { total: number; share: number }) {
    this.#total = total
    this.#share = share
  }

  /** Takes the amount for all of these names and returns undefined, or takes nothing and returns what is short. Return the amount with `release`. */
  take(names: readonly string[], amount: number): Shortage | undefined {
    const short = this.shortage(names, amount)
    if (!short) this.#add(names, amount)
    return short
  }

  /** Returns what would be short, without taking anything. */
  shortage(names: readonly string[], amount: number): Shortage | undefined {
    if (names.some((name) => (this.#used.get(name) ?? 0) + amount > this.#share)) return 'share'
    return this.#usedInTotal + amount > this.#total ? 'total' : undefined
  }

  /** Takes the amount even if it is short, for work that can no longer be rejected. */
  takeAnyway(names: readonly string[], amount: number): void {
    this.#add(names, amount)
  }

  release(names: readonly string[], amount: number): void {
    this.#add(names, -amount)
  }

  #add(names: readonly string[], amount: number): void {
    this.#usedInTotal += amount
    for (const name of names) {
      const used = (this.#used.get(name) ?? 0) + amount
      if (used === 0) this.#used.delete(name)
      else this.#used.set(name, used)
    }
  }
}
