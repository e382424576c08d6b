/** Waiting items of several owners. The owners take turns, so that the items of one do not delay those of another; those of one keep their order. */
export class FairQueue<Owner, Item> {
  /** In the order of the owners' turns. None is empty. */
  readonly #items = new Map<Owner, Item[]>()

  get isEmpty(): boolean {
    return this.#items.size === 0
  }

  /** The owners of waiting items, in the order of their turns. */
  owners(): Iterable<Owner> {
    return this.#items.keys()
  }

  countOf(owner: Owner): number {
    return this.#items.get(owner)?.length ?? 0
  }

  add(owner: Owner, item: Item): void {
    const items = this.#items.get(owner)
    if (items) items.push(item)
    else this.#items.set(owner, [item])
  }

  /** The next items, at most so many, in the order of their turns. They go on waiting. */
  next(max: number): Item[] {
    const next: Item[] = []
    for (let round = 0, before = -1; next.length > before; round++) {
      before = next.length
      for (const items of this.#items.values()) {
        if (next.length === max) return next
        if (items.length > round) next.push(items[round]!)
      }
    }
    return next
  }

  /** Removes the first item of an owner, whose next turn comes after those of the others. */
  take(owner: Owner): Item | undefined {
    const items = this.#items.get(owner) ?? []
    const item = items.shift()
    this.#items.delete(owner)
    if (items.length > 0) this.#items.set(owner, items)
    return item
  }

  /** Removes the item for which `selects` returns true. Returns whether there was one. */
  withdraw(owner: Owner, selects: (item: Item) => boolean): boolean {
    const items = this.#items.get(owner) ?? []
    const place = items.findIndex(selects)
    if (place === -1) return false
    items.splice(place, 1)
    if (items.length === 0) this.#items.delete(owner)
    return true
  }
}
