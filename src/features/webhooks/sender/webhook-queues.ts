import { type ReceiverState, receiverStates } from './receiver-state.ts'
import { Slots } from './slots.ts'
import type { WebhookQueue } from './webhook-queue.ts'

/** The number of deliveries at a time, in all (decision H4). */
const slotsMax = 64
/** Those to receivers that may hang, because nothing is known of them, and those to receivers that fail. Each number includes the next. */
const unsureMax = 48
const failingMax = 24

/** The queues of all workspaces, and those of them that may have something to send, in turn. */
export class WebhookQueues {
  readonly #byWorkspace = new Map<number, Map<string, WebhookQueue>>()
  readonly #slots: Record<ReceiverState, Slots<WebhookQueue>>
  /** The state whose receivers are asked first. */
  #turn = 0

  constructor() {
    const working = new Slots<WebhookQueue>(slotsMax)
    const unsure = new Slots(unsureMax, working)
    this.#slots = { working, unsure, failing: new Slots(failingMax, unsure) }
  }

  get all(): WebhookQueue[] {
    return [...this.#byWorkspace.values()].flatMap((own) => [...own.values()])
  }

  of(workspaceId: number): WebhookQueue[] {
    return [...(this.#byWorkspace.get(workspaceId)?.values() ?? [])]
  }

  get(workspaceId: number, id: string): WebhookQueue | undefined {
    return this.#byWorkspace.get(workspaceId)?.get(id)
  }

  add(queue: WebhookQueue): void {
    const own = this.#byWorkspace.get(queue.workspaceId) ?? new Map()
    this.#byWorkspace.set(queue.workspaceId, own.set(queue.active.id, queue))
  }

  /** A queue without an active webhook stays until nothing of it is under way. */
  removeIfOver(queue: WebhookQueue): void {
    if (!queue.isPaused || !queue.isIdle) return
    const own = this.#byWorkspace.get(queue.workspaceId)
    own?.delete(queue.active.id)
    if (own?.size === 0) this.#byWorkspace.delete(queue.workspaceId)
  }

  /** The queue may have something to send: it gets its turn, unless it is paused. */
  makeReady(queue: WebhookQueue): void {
    const own = queue.isPaused ? undefined : queue.receiverState
    for (const state of receiverStates) if (state !== own) this.#slots[state].remove(queue)
    if (own) this.#slots[own].add(queue)
  }

  pause(queue: WebhookQueue): void {
    queue.isPaused = true
    this.makeReady(queue)
    this.removeIfOver(queue)
  }

  /** Whether a queue for which `isMeant` is true waits for its turn, and there is a slot for it. */
  hasReady(isMeant: (queue: WebhookQueue) => boolean): boolean {
    return receiverStates.some((state) => this.#slots[state].ready.some(isMeant))
  }

  /** The queue whose turn it is, if there is a slot for it. `take` takes the slot, and returns a function that frees it. */
  nextReady(): { queue: WebhookQueue; take: () => () => void } | undefined {
    for (const _ of receiverStates) {
      const slots = this.#slots[receiverStates[this.#turn]!]
      this.#turn = (this.#turn + 1) % receiverStates.length
      const queue = slots.next()
      if (queue) return { queue, take: () => slots.take(queue) }
    }
    return undefined
  }
}
