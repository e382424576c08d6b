import { setImmediate as nextTurn } from 'node:timers/promises'
import { logIdOf } from '../../../changes/log-name.ts'
import { boundsOf } from '../../../changes/stored-change.ts'
import { FailureLog } from '../../../lib/failure-log.ts'
import { Retries } from '../../../lib/retries.ts'
import type { Reader } from '../../../store/reader.ts'
import { listPending, type Outcome } from '../stored/deliveries.ts'
import type { Report } from '../stored/record-reports.ts'
import { type Active, listActive } from '../stored/webhook-state.ts'
import { Alarm } from './alarm.ts'
import type { ReadLogSource } from './log-source.ts'
import type { SenderOptions } from './sender-options.ts'
import { deliveryOf, goneOutcome, outcomeOf } from './signed-delivery.ts'
import { type Due, pendingMax, WebhookQueue } from './webhook-queue.ts'
import { WebhookQueues } from './webhook-queues.ts'

/** The number of deliveries whose reports are not on disk yet. Beyond it, the disk is slower than the receivers. */
const unstoredMax = 256
/** How long a position that has only skipped changes may stay unstored. */
const storeEveryMs = 5_000
/** How long the sender reads changes without a pause. */
const turnMs = 20
/** How long a stop waits for deliveries that are on their way. */
const stopMs = 1_000

/** Sends the changes of all workspaces to their webhooks (decisions H3, H4). */
export class Sender {
  readonly #options: SenderOptions
  readonly #queues = new WebhookQueues()
  /** Workspaces whose webhooks could not be read, and webhooks whose changes could not. */
  readonly #retries = new Retries<number | WebhookQueue>()
  readonly #unloaded = new FailureLog('webhooks could not be read')
  readonly #unread = new FailureLog('changes for a webhook could not be read')
  /** The numbers of the newest changes that are on disk, by workspace. */
  readonly #newest = new Map<number, number>()
  readonly #attempts = new Map<Promise<void>, Active>()
  readonly #unstored = new Map<Promise<void>, Active>()
  readonly #stopping = new AbortController()
  #pumping = false
  #stopped = false
  readonly #alarm: Alarm
  readonly #storing: NodeJS.Timeout

  constructor(options: SenderOptions) {
    this.#options = options
    this.#alarm = new Alarm(options.now, () => this.#lookForDue())
    this.#storing = setInterval(() => this.#storePositions(), storeEveryMs)
  }

  /** Resolves when everything that is being sent has ended and is reported. What is interrupted is sent again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#storing)
    this.#alarm.stop()
    const late = setTimeout(() => this.#stopping.abort(), stopMs)
    await Promise.all(this.#attempts.keys())
    clearTimeout(late)
  }

  /** Resolves when everything that is due now has been attempted and reported, of the webhooks that are meant. */
  async idle(isMeant: (webhook: Active) => boolean): Promise<void> {
    const isOf = ({ active }: WebhookQueue) => isMeant(active)
    this.#alarm.ring()
    while (!this.#stopped) {
      const unfinished = [...this.#attempts, ...this.#unstored].filter(([, active]) => isMeant(active))
      if (unfinished.length === 0 && !this.#queues.hasReady(isOf)) break
      await Promise.all([...unfinished.map(([promise]) => promise), nextTurn()])
    }
  }

  /** The changes of a workspace up to this number are on disk. */
  changed(workspaceId: number, newest: number): void {
    this.#newest.set(workspaceId, newest)
    for (const queue of this.#queues.of(workspaceId)) this.#makeReady(queue)
    this.#pump()
  }

  /** Reads the webhooks of a workspace, for the first time or again. */
  load(workspaceId: number): void {
    if (this.#stopped) return
    try {
      this.#options.read(workspaceId, (reader) => this.#load(workspaceId, reader))
      this.#succeed(workspaceId)
    } catch (error) {
      this.#unloaded.note(error, { workspace: workspaceId }, workspaceId)
      this.#retries.fail(workspaceId, () => this.load(workspaceId))
    }
    this.#pump()
  }

  #load(workspaceId: number, reader: Reader): void {
    const { oldest } = boundsOf(reader)
    const active = listActive(reader, this.#options.eventTypes)
    for (const each of active) this.#update(workspaceId, reader, each, oldest)
    const ids = new Set(active.map(({ id }) => id))
    for (const queue of this.#queues.of(workspaceId)) if (!ids.has(queue.active.id)) this.#queues.pause(queue)
  }

  #update(workspaceId: number, reader: Reader, active: Active, oldest: number): void {
    const queue = this.#queues.get(workspaceId, active.id) ?? new WebhookQueue(workspaceId, active)
    this.#queues.add(queue)
    queue.update(active, listPending(reader, active, pendingMax))
    const { range, waited } = queue.prune(oldest)
    if (range) this.#report(queue, { pruned: range })
    for (const pending of waited) this.#reportOutcome(queue, goneOutcome(pending, this.#options.now()))
    this.#makeReady(queue)
  }

  /** A webhook whose changes could not be read gets no turn before they are to be read again. */
  #makeReady(queue: WebhookQueue): void {
    if (!this.#retries.waits(queue)) this.#queues.makeReady(queue)
  }

  /** Sends what is due, in turn, while there are slots. */
  #pump(): void {
    if (this.#pumping || this.#stopped) return
    this.#pumping = true
    const begin = performance.now()
    try {
      while (this.#unstored.size < unstoredMax) {
        const ready = this.#queues.nextReady()
        if (!ready) break
        this.#serve(ready.queue, ready.take)
        if (performance.now() - begin < turnMs) continue
        setImmediate(() => this.#pump())
        break
      }
    } finally {
      this.#pumping = false
    }
  }

  /** What cannot be read does not keep the others back. */
  #serve(queue: WebhookQueue, take: () => () => void): void {
    const until = this.#newest.get(queue.workspaceId) ?? 0
    let due: ReturnType<WebhookQueue['next']>
    try {
      due = queue.next(this.#readerOf(queue), until, this.#options.now())
    } catch (error) {
      this.#rest(queue, error)
      return
    }
    this.#succeed(queue)
    if (due && 'gone' in due) this.#reportOutcome(queue, goneOutcome(due.gone, this.#options.now()))
    else if (due) this.#begin(queue, due, take())
    if (queue.hasEndedReplay) this.#report(queue, {})
    // A queue that may have more is last in turn.
    if (due || queue.isBehind(until)) this.#makeReady(queue)
    else if (queue.hasRoom) this.#alarm.set(queue.nextDueMs)
  }

  #rest(queue: WebhookQueue, error: unknown): void {
    const { workspaceId, active } = queue
    this.#unread.note(error, { workspace: workspaceId, webhook: active.id }, queue)
    this.#retries.fail(queue, () => {
      if (queue.isPaused) this.#succeed(queue) // nothing is to be read for it
      this.#makeReady(queue)
      this.#pump()
    })
  }

  #succeed(what: number | WebhookQueue): void {
    this.#retries.succeed(what)
    for (const failures of [this.#unloaded, this.#unread]) failures.clear(what)
  }

  #readerOf({ workspaceId }: WebhookQueue): ReadLogSource {
    const { resources, read } = this.#options
    return (run) => read(workspaceId, (reader) => run({ resources, reader, logId: logIdOf(reader, workspaceId) }))
  }

  #begin(queue: WebhookQueue, due: Due, leave: () => void): void {
    const { active } = queue
    const attempt = this.#attempt(queue, due).then((outcome) => {
      leave()
      if (!outcome) return
      this.#reportOutcome(queue, outcome)
      this.#makeReady(queue)
    })
    this.#goOnAfter(active, attempt, this.#attempts)
  }

  /** Undefined if a stop has interrupted it. Never rejects. */
  async #attempt(queue: WebhookQueue, { message, attempts, asked }: Due): Promise<Outcome | undefined> {
    const { userAgent, now, random, attempt } = this.#options
    const { active } = queue
    const beginMs = now()
    const sent = await attempt(deliveryOf(active, message, { userAgent, nowMs: beginMs }), this.#stopping.signal)
    if (this.#stopping.signal.aborted && sent.status === null) return undefined
    const made = { url: active.url, sent, tries: attempts + 1, asked, beginMs, endMs: now(), random }
    const outcome = outcomeOf(message, made)
    const [succeeded, retried] = [outcome.status === 'succeeded', outcome.status === 'pending']
    queue.end(message.number, { succeeded, retried, ms: sent.ms })
    return outcome
  }

  #reportOutcome(queue: WebhookQueue, outcome: Outcome): void {
    const { number, type, tries: attempts, nextAtMs } = outcome
    this.#report(queue, { outcome }, () => {
      queue.settle(number, nextAtMs === null ? undefined : { type, attempts, nextAtMs, asked: 0 })
      this.#makeReady(queue)
      if (queue.needsPending) this.load(queue.workspaceId)
    })
  }

  #report(queue: WebhookQueue, what: Partial<Pick<Report, 'outcome' | 'pruned'>>, onStored = () => {}): void {
    const { workspaceId, active } = queue
    const report = { outcome: undefined, pruned: undefined, ...what, ...queue.takeProgress() }
    queue.unstored++
    const stored = this.#options.report({ workspaceId, webhookId: active.id, ...report }).then(() => {
      queue.unstored--
      onStored()
      this.#queues.removeIfOver(queue)
    })
    this.#goOnAfter(active, stored, this.#unstored)
  }

  /** Looks for more to send when something has ended, and no longer counts. `active`: the webhook as it was when that began. */
  #goOnAfter(active: Active, promise: Promise<void>, unfinished: Map<Promise<void>, Active>): void {
    const tracked: Promise<void> = promise.then(() => {
      unfinished.delete(tracked)
      this.#pump()
    })
    unfinished.set(tracked, active)
  }

  #storePositions(): void {
    for (const queue of this.#queues.all) if (queue.hasProgress) this.#report(queue, {})
  }

  #lookForDue(): void {
    const now = this.#options.now()
    for (const queue of this.#queues.all) {
      if (!queue.hasRoom) continue
      if (queue.nextDueMs <= now) this.#makeReady(queue)
      else this.#alarm.set(queue.nextDueMs)
    }
    this.#pump()
  }
}
