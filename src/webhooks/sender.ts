import { setImmediate as nextTurn } from 'node:timers/promises'
import { logIdOf } from '../changes/log-name.ts'
import { boundsOf } from '../changes/stored-change.ts'
import { errorFields, log } from '../lib/log.ts'
import type { Reader } from '../store/reader.ts'
import { listPending } from './deliveries.ts'
import { type Due, Lane, pendingMax } from './lane.ts'
import { deliveryOf, outcomeOf, prunedOutcomes } from './signed-delivery.ts'
import { listActive, listWorkspaces } from './state.ts'
import type { Report, Surroundings } from './surroundings.ts'

/** The number of deliveries at a time (decision H4). */
const inFlightMax = 64
/** The number of them whose webhooks are failing: receivers that hang must not delay the others for long. */
const failingMax = 16
/** The number of deliveries whose reports are not on disk yet. Beyond it, the disk is slower than the receivers. */
const unstoredMax = 256
/** How long a position that has only skipped changes may stay unstored. */
const storeEveryMs = 5_000
const retryReadMs = 1_000
/** How long the sender reads changes without a pause. */
const turnMs = 20
/** How long a stop waits for deliveries that are on their way. */
const stopMs = 1_000
/** The longest time between two looks for what is due, however the clock jumps. */
const lookEveryMs = 60_000

const nothing = { replay: undefined, outcome: undefined, pruned: undefined }

/** Sends the changes of all workspaces to their webhooks (decisions H3, H4). */
export class Sender {
  readonly #around: Surroundings
  readonly #lanes = new Map<string, Lane>()
  /** The lanes that may have something to send, in turn. */
  readonly #ready = new Set<Lane>()
  /** The numbers of the newest changes that are on disk, by workspace. */
  readonly #newest = new Map<number, number>()
  /** The lanes that wait for a place among the failing ones. */
  readonly #failing = new Set<Lane>()
  readonly #sending = new Set<Promise<void>>()
  /** The lanes of the attempts under way. */
  readonly #attempting: Lane[] = []
  readonly #stopping = new AbortController()
  #pumping = false
  #stopped = false
  #look: NodeJS.Timeout | undefined
  #nextLookMs = Number.POSITIVE_INFINITY
  readonly #storing: NodeJS.Timeout

  constructor(around: Surroundings) {
    this.#around = around
    this.#storing = setInterval(() => this.#storePositions(), storeEveryMs)
  }

  /** Begins with the webhooks of all workspaces. */
  start(): void {
    for (const workspaceId of this.#around.read(undefined, listWorkspaces)) this.load(workspaceId)
  }

  /** Resolves when what is being sent has ended. What is interrupted is sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#storing)
    clearTimeout(this.#look)
    const late = setTimeout(() => this.#stopping.abort(), stopMs)
    await Promise.all(this.#sending)
    clearTimeout(late)
  }

  /** Resolves when everything that is due now has been attempted and reported. */
  async idle(): Promise<void> {
    this.#lookForDue()
    while (!this.#stopped && this.#sending.size + this.#ready.size > 0) {
      await Promise.all([...this.#sending, nextTurn()])
    }
  }

  /** The changes of a workspace up to this number are on disk. */
  changed(workspaceId: number, newest: number): void {
    this.#newest.set(workspaceId, newest)
    for (const lane of this.#lanes.values()) if (lane.workspaceId === workspaceId) this.#ready.add(lane)
    this.#pump()
  }

  /** Reads the webhooks of a workspace again. */
  load(workspaceId: number): void {
    if (this.#stopped) return
    try {
      this.#around.read(workspaceId, (reader) => this.#load(workspaceId, reader))
    } catch (error) {
      log('webhooks could not be read', errorFields(error), 'error')
      setTimeout(() => this.load(workspaceId), retryReadMs)
    }
    this.#pump()
  }

  #load(workspaceId: number, reader: Reader): void {
    const { oldest } = boundsOf(reader)
    const found = new Set<string>()
    for (const active of listActive(reader, this.#around.eventTypes)) {
      const pending = listPending(reader, active.id, pendingMax)
      for (const outcome of prunedOutcomes(pending, oldest, this.#around.now())) {
        void this.#around.report({ workspaceId, webhookId: active.id, ...nothing, position: active.position, outcome })
      }
      const known = this.#lanes.get(active.id)
      const lane =
        known ?? new Lane(workspaceId, { ...active, position: Math.max(active.position, oldest - 1) }, pending)
      if (known) known.update(active, pending)
      else if (active.position < oldest - 1)
        void this.#report(lane, { pruned: { from: active.position + 1, until: oldest - 1 } })
      this.#lanes.set(active.id, lane)
      this.#ready.add(lane)
      found.add(active.id)
    }
    for (const [id, lane] of this.#lanes) {
      if (lane.workspaceId !== workspaceId || found.has(id)) continue
      this.#lanes.delete(id)
      this.#ready.delete(lane)
      this.#failing.delete(lane)
    }
  }

  /** Sends what is due, in turn, while there is room. */
  #pump(): void {
    if (this.#pumping || this.#stopped) return
    this.#pumping = true
    const begin = performance.now()
    try {
      for (const lane of this.#ready) {
        if (this.#isFull) break
        if (performance.now() - begin > turnMs) {
          setImmediate(() => this.#pump())
          break
        }
        this.#ready.delete(lane)
        if (lane.isFailing && this.#attempting.filter((each) => each.isFailing).length >= failingMax) {
          this.#failing.add(lane)
          continue
        }
        const until = this.#newest.get(lane.workspaceId) ?? 0
        const due = this.#around.read(lane.workspaceId, (reader) => this.#next(lane, reader, until))
        if (due) this.#begin(lane, due)
        // A lane that may have more is last in turn.
        if (due || lane.isBehind(until)) this.#ready.add(lane)
        else if (lane.hasRoom) this.#lookAt(lane.nextDueMs)
      }
    } catch (error) {
      log('changes for webhooks could not be read', errorFields(error), 'error')
      for (const lane of this.#lanes.values()) this.#ready.add(lane)
      setTimeout(() => this.#pump(), retryReadMs)
    } finally {
      this.#pumping = false
    }
  }

  #next(lane: Lane, reader: Reader, until: number): Due | undefined {
    const { resources, now } = this.#around
    return lane.next({ resources, reader, logId: logIdOf(reader, lane.workspaceId) }, until, now())
  }

  #begin(lane: Lane, due: Due): void {
    const sending = this.#send(lane, due).then(() => {
      this.#sending.delete(sending)
      this.#makeReady(lane)
      if (lane.needsPending) this.load(lane.workspaceId)
      this.#pump()
    })
    this.#sending.add(sending)
  }

  get #isFull(): boolean {
    return this.#attempting.length >= inFlightMax || this.#sending.size >= unstoredMax
  }

  /** A place is free: for this lane, and for one that waits for the end of another. */
  #makeReady(lane: Lane): void {
    if (this.#lanes.get(lane.active.id) === lane) this.#ready.add(lane)
    for (const each of this.#failing) this.#ready.add(each)
    this.#failing.clear()
  }

  /** Never rejects. */
  async #send(lane: Lane, { message, attempts }: Due): Promise<void> {
    const { userAgent, now, random, attempt } = this.#around
    const { number, type } = message
    const beginMs = now()
    this.#attempting.push(lane)
    const sent = await attempt(deliveryOf(lane.active, message, { userAgent, nowMs: beginMs }), this.#stopping.signal)
    this.#attempting.splice(this.#attempting.indexOf(lane), 1)
    if (this.#stopping.signal.aborted && sent.status === null) return
    const outcome = outcomeOf(message, { sent, attempts: attempts + 1, beginMs, endMs: now(), random: random() })
    lane.end(number, outcome.status === 'succeeded')
    const stored = this.#report(lane, { outcome })
    this.#makeReady(lane)
    this.#pump()
    await stored
    const { nextAtMs } = outcome
    lane.settle(number, nextAtMs === null ? undefined : { number, type, attempts: attempts + 1, nextAtMs })
  }

  #report(lane: Lane, what: Partial<Pick<Report, 'outcome' | 'pruned'>> = {}): Promise<void> {
    const { workspaceId, position, replay, active } = lane
    lane.stored = position
    return this.#around.report({ workspaceId, webhookId: active.id, ...nothing, position, replay, ...what })
  }

  #storePositions(): void {
    for (const lane of this.#lanes.values()) if (lane.position > lane.stored) void this.#report(lane)
  }

  /** Looks at this time for attempts that are due, if no earlier look is planned. */
  #lookAt(atMs: number): void {
    if (atMs >= this.#nextLookMs || this.#stopped) return
    clearTimeout(this.#look)
    this.#nextLookMs = atMs
    const inMs = Math.max(atMs - this.#around.now(), 0)
    this.#look = setTimeout(() => this.#lookForDue(), Math.min(inMs, lookEveryMs))
  }

  #lookForDue(): void {
    this.#nextLookMs = Number.POSITIVE_INFINITY
    const now = this.#around.now()
    for (const lane of this.#lanes.values()) {
      if (lane.nextDueMs <= now) this.#ready.add(lane)
      else this.#lookAt(lane.nextDueMs)
    }
    this.#pump()
  }
}
