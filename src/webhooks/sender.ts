import { setImmediate as nextTurn } from 'node:timers/promises'
import { logIdOf } from '../changes/log-name.ts'
import { boundsOf } from '../changes/stored-change.ts'
import { errorFields, log } from '../lib/log.ts'
import type { Reader } from '../store/reader.ts'
import { Alarm } from './alarm.ts'
import { listPending, type Outcome } from './deliveries.ts'
import { type Due, Lane, pendingMax } from './lane.ts'
import { Lanes } from './lanes.ts'
import { deliveryOf, outcomeOf, prunedOutcome } from './signed-delivery.ts'
import type { ReadSource } from './source.ts'
import { type Active, listActive, listWorkspaces } from './state.ts'
import type { Report, Surroundings } from './surroundings.ts'

/** The number of deliveries whose reports are not on disk yet. Beyond it, the disk is slower than the receivers. */
const unstoredMax = 256
/** How long a position that has only skipped changes may stay unstored. */
const storeEveryMs = 5_000
const retryReadMs = 1_000
/** How long the sender reads changes without a pause. */
const turnMs = 20
/** How long a stop waits for deliveries that are on their way. */
const stopMs = 1_000

/** Sends the changes of all workspaces to their webhooks (decisions H3, H4). */
export class Sender {
  readonly #around: Surroundings
  readonly #lanes = new Lanes()
  /** The numbers of the newest changes that are on disk, by workspace. */
  readonly #newest = new Map<number, number>()
  readonly #attempts = new Set<Promise<void>>()
  readonly #unstored = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #pumping = false
  #stopped = false
  readonly #alarm: Alarm
  readonly #storing: NodeJS.Timeout

  constructor(around: Surroundings) {
    this.#around = around
    this.#alarm = new Alarm(around.now, () => this.#lookForDue())
    this.#storing = setInterval(() => this.#storePositions(), storeEveryMs)
  }

  /** Begins with the webhooks of all workspaces. */
  start(): void {
    for (const workspaceId of this.#around.read(undefined, listWorkspaces)) this.load(workspaceId)
  }

  /** Resolves when everything that is being sent has ended and is reported. What is interrupted is sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#storing)
    this.#alarm.stop()
    const late = setTimeout(() => this.#stopping.abort(), stopMs)
    await Promise.all(this.#attempts)
    clearTimeout(late)
  }

  /** Resolves when everything that is due now has been attempted and reported. */
  async idle(): Promise<void> {
    this.#alarm.ring()
    while (!this.#stopped && (this.#attempts.size + this.#unstored.size > 0 || this.#lanes.hasReady)) {
      await Promise.all([...this.#attempts, ...this.#unstored, nextTurn()])
    }
  }

  /** The changes of a workspace up to this number are on disk. */
  changed(workspaceId: number, newest: number): void {
    this.#newest.set(workspaceId, newest)
    for (const lane of this.#lanes.of(workspaceId)) this.#lanes.makeReady(lane)
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
    const active = listActive(reader, this.#around.eventTypes)
    for (const each of active) this.#update(workspaceId, reader, each, oldest)
    const ids = new Set(active.map(({ id }) => id))
    for (const lane of this.#lanes.of(workspaceId)) if (!ids.has(lane.active.id)) this.#lanes.pause(lane)
  }

  #update(workspaceId: number, reader: Reader, active: Active, oldest: number): void {
    const lane = this.#lanes.get(workspaceId, active.id) ?? new Lane(workspaceId, active)
    this.#lanes.add(lane)
    lane.update(active, listPending(reader, active, pendingMax))
    const { range, waited } = lane.prune(oldest)
    if (range) this.#report(lane, { pruned: range })
    for (const pending of waited) this.#reportOutcome(lane, prunedOutcome(pending, this.#around.now()))
    this.#lanes.makeReady(lane)
  }

  /** Sends what is due, in turn, while there are places. */
  #pump(): void {
    if (this.#pumping || this.#stopped) return
    this.#pumping = true
    const begin = performance.now()
    try {
      while (this.#unstored.size < unstoredMax) {
        const ready = this.#lanes.nextReady()
        if (!ready) break
        this.#serve(ready.lane, ready.take)
        if (performance.now() - begin < turnMs) continue
        setImmediate(() => this.#pump())
        break
      }
    } catch (error) {
      log('changes for webhooks could not be read', errorFields(error), 'error')
      for (const lane of this.#lanes.all) this.#lanes.makeReady(lane)
      setTimeout(() => this.#pump(), retryReadMs)
    } finally {
      this.#pumping = false
    }
  }

  #serve(lane: Lane, take: () => () => void): void {
    const until = this.#newest.get(lane.workspaceId) ?? 0
    const due = lane.next(this.#readerOf(lane), until, this.#around.now())
    if (due) this.#begin(lane, due, take())
    if (lane.hasEndedReplay) this.#report(lane, {})
    // A lane that may have more is last in turn.
    if (due || lane.isBehind(until)) this.#lanes.makeReady(lane)
    else if (lane.hasRoom) this.#alarm.set(lane.nextDueMs)
  }

  #readerOf({ workspaceId }: Lane): ReadSource {
    const { resources, read } = this.#around
    return (run) => read(workspaceId, (reader) => run({ resources, reader, logId: logIdOf(reader, workspaceId) }))
  }

  #begin(lane: Lane, due: Due, leave: () => void): void {
    const attempt = this.#attempt(lane, due).then((outcome) => {
      leave()
      if (!outcome) return
      this.#reportOutcome(lane, outcome)
      this.#lanes.makeReady(lane)
    })
    this.#goOnAfter(attempt, this.#attempts)
  }

  /** Undefined if a stop has interrupted it. Never rejects. */
  async #attempt(lane: Lane, { message, attempts, asked }: Due): Promise<Outcome | undefined> {
    const { userAgent, now, random, attempt } = this.#around
    const { active } = lane
    const beginMs = now()
    const sent = await attempt(deliveryOf(active, message, { userAgent, nowMs: beginMs }), this.#stopping.signal)
    if (this.#stopping.signal.aborted && sent.status === null) return undefined
    const made = { url: active.url, sent, tries: attempts + 1, asked, beginMs, endMs: now(), random: random() }
    const outcome = outcomeOf(message, made)
    const [succeeded, retried] = [outcome.status === 'succeeded', outcome.status === 'pending']
    lane.end(message.number, { succeeded, retried, ms: sent.ms })
    return outcome
  }

  #reportOutcome(lane: Lane, outcome: Outcome): void {
    const { number, type, tries: attempts, nextAtMs } = outcome
    this.#report(lane, { outcome }, () => {
      lane.settle(number, nextAtMs === null ? undefined : { type, attempts, nextAtMs, asked: 0 })
      this.#lanes.makeReady(lane)
      if (lane.needsPending) this.load(lane.workspaceId)
    })
  }

  #report(lane: Lane, what: Partial<Pick<Report, 'outcome' | 'pruned'>>, onStored = () => {}): void {
    const { workspaceId, active } = lane
    const report = { outcome: undefined, pruned: undefined, ...what, ...lane.takeProgress() }
    lane.unstored++
    const stored = this.#around.report({ workspaceId, webhookId: active.id, ...report }).then(() => {
      lane.unstored--
      onStored()
      this.#lanes.removeIfOver(lane)
    })
    this.#goOnAfter(stored, this.#unstored)
  }

  /** Looks for more to send when something has ended, and no longer counts. */
  #goOnAfter(promise: Promise<void>, underWay: Set<Promise<void>>): void {
    const tracked: Promise<void> = promise.then(() => {
      underWay.delete(tracked)
      this.#pump()
    })
    underWay.add(tracked)
  }

  #storePositions(): void {
    for (const lane of this.#lanes.all) if (lane.hasProgress) this.#report(lane, {})
  }

  #lookForDue(): void {
    const now = this.#around.now()
    for (const lane of this.#lanes.all) {
      if (!lane.hasRoom) continue
      if (lane.nextDueMs <= now) this.#lanes.makeReady(lane)
      else this.#alarm.set(lane.nextDueMs)
    }
    this.#pump()
  }
}
