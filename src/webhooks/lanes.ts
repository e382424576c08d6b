import type { Lane } from './lane.ts'
import { Places } from './places.ts'
import { type Standing, standings } from './standing.ts'

/** The number of deliveries at a time, in all (decision H4). */
const placesMax = 64
/** Those to receivers that may hang, because nothing is known of them, and those to receivers that fail. Each number includes the next. */
const unsureMax = 48
const failingMax = 24

/** The lanes of all workspaces, and those of them that may have something to send, in turn. */
export class Lanes {
  readonly #byWorkspace = new Map<number, Map<string, Lane>>()
  readonly #places: Record<Standing, Places<Lane>>
  /** The standing that is asked first. */
  #turn = 0

  constructor() {
    const working = new Places<Lane>(placesMax)
    const unsure = new Places(unsureMax, working)
    this.#places = { working, unsure, failing: new Places(failingMax, unsure) }
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

  /** The lane may have something to send: it gets its turn, unless it is paused. */
  makeReady(lane: Lane): void {
    const own = lane.isPaused ? undefined : lane.standing
    for (const standing of standings) if (standing !== own) this.#places[standing].remove(lane)
    if (own) this.#places[own].add(lane)
  }

  pause(lane: Lane): void {
    lane.isPaused = true
    this.makeReady(lane)
    this.removeIfOver(lane)
  }

  get hasReady(): boolean {
    return standings.some((standing) => this.#places[standing].hasWaiting)
  }

  /** The lane whose turn it is, if there is a place for it. `take` takes it, and returns a function that frees it. */
  nextReady(): { lane: Lane; take: () => () => void } | undefined {
    for (const _ of standings) {
      const places = this.#places[standings[this.#turn]!]
      this.#turn = (this.#turn + 1) % standings.length
      const lane = places.next()
      if (lane) return { lane, take: () => places.take(lane) }
    }
    return undefined
  }
}
