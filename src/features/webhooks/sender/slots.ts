/** What takes slots: a webhook of a workspace. */
interface SlotTaker {
  readonly workspaceId: number
  /** The number of slots that it has. */
  readonly sending: number
}

/**
 * Slots for attempts, and who waits for one. Workspaces take turns, and the webhooks of a workspace among themselves (decision H4).
 * Somebody gets a slot only while more slots are free than its workspace and itself have already: one workspace alone gets half of
 * them, and another one that comes later finds a free slot. Slots can be a part of others: who takes one takes one of those as well.
 */
export class Slots<T extends SlotTaker> {
  readonly #whole: Slots<T> | undefined
  #unused: number
  readonly #taken = new Map<number, number>()
  /** Those that wait, by workspace, the next one first. */
  readonly #waiting = new Map<number, Set<T>>()

  constructor(count: number, whole?: Slots<T>) {
    this.#unused = count
    this.#whole = whole
  }

  /** Those that wait only for their turn: there is a slot. */
  get ready(): T[] {
    return [...this.#waiting.values()].flatMap((own) => [...own]).filter((taker) => this.#hasSlotFor(taker))
  }

  /** Waits as the last one of its workspace, unless it waits already. */
  add(taker: T): void {
    const own = this.#waiting.get(taker.workspaceId) ?? new Set()
    this.#waiting.set(taker.workspaceId, own.add(taker))
  }

  remove(taker: T): void {
    const own = this.#waiting.get(taker.workspaceId)
    if (own?.delete(taker) && own.size === 0) this.#waiting.delete(taker.workspaceId)
  }

  /** The one whose turn it is, which then waits no longer; undefined: there is no slot for any that waits. */
  next(): T | undefined {
    if (this.#free === 0) return undefined
    for (const [workspaceId, own] of this.#waiting) {
      for (const taker of own) {
        if (!this.#hasSlotFor(taker)) continue
        this.remove(taker)
        this.#waiting.delete(workspaceId)
        if (own.size > 0) this.#waiting.set(workspaceId, own)
        return taker
      }
    }
    return undefined
  }

  /** Returns a function that frees the slot again. */
  take({ workspaceId }: T): () => void {
    this.#count(workspaceId, 1)
    return () => this.#count(workspaceId, -1)
  }

  get #free(): number {
    return this.#whole ? Math.min(this.#unused, this.#whole.#free) : this.#unused
  }

  #hasSlotFor({ workspaceId, sending }: T): boolean {
    return sending + (this.#taken.get(workspaceId) ?? 0) < this.#free
  }

  #count(workspaceId: number, change: 1 | -1): void {
    const taken = (this.#taken.get(workspaceId) ?? 0) + change
    if (taken === 0) this.#taken.delete(workspaceId)
    else this.#taken.set(workspaceId, taken)
    this.#unused -= change
    if (this.#whole) this.#whole.#count(workspaceId, change)
  }
}
