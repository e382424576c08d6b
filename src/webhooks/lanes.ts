import { type Lane, slowMs } from './lane.ts'
import { Places } from './places.ts'

/** Half of the deliveries at a time (decision H4): those to receivers that respond in time, and those to the others. */
const placesMax = 32

/** The lanes of all workspaces, and those of them that may have something to send, in turn. */
export class Lanes {
  readonly #byWorkspace = new Map<number, Map<string, Lane>>()
  readonly #onFree: () => void
  readonly #usual = new Places<Lane>(placesMax)
  /** Receivers that hang must not delay the others. */
  readonly #slow = new Places<Lane>(placesMax)

  /** `onFree` is called when a place has become free before its attempt has ended. */
  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  get all(): Lane[] {
    return [...this.#byWorkspace.values()].flatMap((own) => [...own.values()])
  }

  of(workspaceId: number): Lane[] {
    return [...(this.#byWorkspace.get(workspaceId)?.values() ?? [])]
  }

  get(workspaceId: number, id: string): Lane | undefined {
    return this.#byWorkspace.get(workspaceId)?.get(id)
  }

  add(lane: Lane): void {
    const own = this.#byWorkspace.get(lane.workspaceId) ?? new Map()
    this.#byWorkspace.set(lane.workspaceId, own.set(lane.active.id, lane))
  }

  /** A lane without an active webhook stays until nothing of it is under way. */
  removeIfOver(lane: Lane): void {
    if (!lane.isPaused || !lane.isIdle) return
    const own = this.#byWorkspace.get(lane.workspaceId)
    own?.delete(lane.active.id)
    if (own?.size === 0) this.#byWorkspace.delete(lane.workspaceId)
  }

  /** The lane may have something to send: it gets its turn. */
  makeReady(lane: Lane): void {
    const [place, other] = lane.isSlow ? [this.#slow, this.#usual] : [this.#usual, this.#slow]
    other.remove(lane)
    if (!lane.isPaused) place.add(lane)
  }

  pause(lane: Lane): void {
    lane.isPaused = true
    this.#usual.remove(lane)
    this.#slow.remove(lane)
    this.removeIfOver(lane)
  }

  get hasReady(): boolean {
    return this.#usual.hasWaiting || this.#slow.hasWaiting
  }

  /** The lanes whose turn it is, one of each kind, if there is a place for them. `take` takes it, and returns a function that frees it. */
  nextReady(): { lane: Lane; take: () => () => void }[] {
    return [this.#usual, this.#slow].flatMap((places) => {
      const lane = places.next()
      return lane ? [{ lane, take: () => this.#take(lane, places) }] : []
    })
  }

  /** An attempt that takes long leaves its place to others, if the slow ones have another for it. */
  #take(lane: Lane, places: Places<Lane>): () => void {
    let leave = places.take(lane)
    if (places === this.#slow) return leave
    const timer = setTimeout(() => {
      if (!this.#slow.hasFree) return
      leave()
      leave = this.#slow.take(lane)
      this.#onFree()
    }, slowMs)
    return () => {
      clearTimeout(timer)
      leave()
    }
  }
}
