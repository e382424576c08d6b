import type { Pending } from '../stored/deliveries.ts'
import type { Active, Replay } from '../stored/webhook-state.ts'
import { InFlight, type Kind } from './in-flight.ts'
import { LogRange, type ReadLogRange } from './log-range.ts'
import { type ReadLogSource, readDelivery, readReplayed } from './log-source.ts'
import { type Message, readMessages } from './messages.ts'
import { PendingDeliveries } from './pending-deliveries.ts'
import { type ReceiverState, receiverStateAfter } from './receiver-state.ts'

/** The number of deliveries of a webhook at a time (decision H4); until one has succeeded, one. */
const inFlightMax = 4
/** The number of changes that are read at once for a receiver that works. */
const readMax = 16
/** The number of failed deliveries that wait for another attempt. Beyond it, no further change is attempted: the receiver is down. */
const waitingMax = 100
/** The number of waiting deliveries that are read at once: those that are sent again on request may be many. */
export const pendingMax = 1_000
/** An attempt that is due. */
export interface Due {
  message: Message
  /** The number of attempts that were made before. */
  attempts: number
  /** `Pending.asked` */
  asked: number
}

/** How far a webhook is in the log. */
interface Progress {
  /** Every change up to this number has been attempted and reported, or skipped. */
  position: number
  /** The rest of the range that is delivered again, empty when it is over. */
  replay: Replay | undefined
}

/**
 * One webhook's queue of deliveries: which changes of the log have been attempted, which wait for another attempt, and which is next. It lives until
 * its webhook is gone or inactive and its last attempt is on disk, so a delivery is never under way twice.
 */
export class WebhookQueue {
  readonly workspaceId: number
  active: Active
  /** Whether the webhook is inactive. */
  isPaused = false
  receiverState: ReceiverState
  /** The number of reports that are not on disk. */
  unstored = 0
  /** Whether the last attempt has succeeded. */
  #isProven = false
  /** Before an attempt ends, it keeps the position, or that of the replay, back. */
  readonly #inFlight = new InFlight()
  readonly #waiting = new PendingDeliveries()
  #hasMorePending = false
  readonly #log: LogRange
  #replay: { range: LogRange; given: Replay } | undefined
  /** Whether the next change of the replay is under way. */
  #isHeld = false
  #reported: Progress
  /** The source that is asked first. */
  #turn = 0

  constructor(workspaceId: number, active: Active) {
    this.workspaceId = workspaceId
    this.active = active
    this.receiverState = active.isFailing ? 'failing' : 'unsure'
    this.#log = new LogRange(active.position)
    this.#reported = { position: active.position, replay: undefined }
  }

  /** Takes over what has changed in the database. */
  update(active: Active, pending: readonly Pending[]): void {
    if (active.url !== this.active.url) {
      this.receiverState = 'unsure'
      this.#isProven = false
    }
    this.active = active
    this.isPaused = false
    this.#log.forget()
    this.#hasMorePending = pending.length === pendingMax
    this.#waiting.clear()
    for (const each of pending) if (!this.#inFlight.answers(each.number, each.asked)) this.#waiting.set(each)
    const { replay } = active
    if (replay?.id !== this.#replay?.given.id) {
      this.#replay = replay && { given: replay, range: new LogRange(replay.after) }
      this.#reported.replay = replay
    } else this.#replay?.range.forget()
  }

  /** Gives up what the log no longer has: the changes that were not sent, and the deliveries that waited. Those are under way until they are settled. */
  prune(oldest: number): { range: { from: number; until: number } | undefined; waited: Pending[] } {
    const from = this.#log.taken + 1
    this.#log.skipTo(oldest - 1)
    const waited = this.#waiting.takeBefore(oldest).filter(({ number }) => !this.#inFlight.has(number))
    for (const pending of waited) this.#giveUp(pending)
    return { range: from < oldest ? { from, until: oldest - 1 } : undefined, waited }
  }

  /** What the next report says. A replay is in it if it has made progress. */
  takeProgress(): Progress {
    const [progress, isNew] = [this.#progress, this.#isReplayFurther]
    this.#reported = progress
    return isNew ? progress : { ...progress, replay: undefined }
  }

  get hasProgress(): boolean {
    return this.#progress.position > this.#reported.position || this.#isReplayFurther
  }

  get hasEndedReplay(): boolean {
    const { replay } = this.#progress
    return replay !== undefined && replay.after >= replay.until && this.#isReplayFurther
  }

  /** The number of attempts under way. */
  get sending(): number {
    return this.#inFlight.sending
  }

  /** Nothing of it is under way. */
  get isIdle(): boolean {
    return this.#inFlight.size + this.unstored === 0
  }

  /** Whether the deliveries that wait must be read again, because those that were read are over. */
  get needsPending(): boolean {
    return this.#hasMorePending && this.#waiting.size === 0
  }

  /** When the next attempt of a waiting delivery is due; infinite if none waits. */
  get nextDueMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#inTurn.map(({ nextAtMs }) => nextAtMs))
  }

  get hasRoom(): boolean {
    if (this.isPaused) return false
    if (this.active.ordered) return this.#inFlight.size === 0
    return this.sending < (this.#isProven ? inFlightMax : 1)
  }

  /** Whether the log may have more for it now. */
  isBehind(until: number): boolean {
    return this.hasRoom && !this.#isStalled && (this.#log.taken < until || (this.#isReplaying && !this.#isHeld))
  }

  /**
   * The next attempt, or a delivery that was due and is `gone`, because the log no longer has its change for the webhook; undefined: nothing
   * is due, there is no room, or a part of the log has nothing for it. What waits, the replay and the log are asked in turn. Changes after
   * `until` are not read.
   */
  next(read: ReadLogSource, until: number, nowMs: number): Due | { gone: Pending } | undefined {
    if (!this.hasRoom) return undefined
    const sources = [
      () => this.#nextWaiting(read, nowMs),
      () => this.#nextReplayed(read),
      () => this.#nextChange(read, until),
    ]
    for (const _ of sources) {
      const due = sources[this.#turn]!()
      this.#turn = (this.#turn + 1) % sources.length
      if (due) return due
    }
    return undefined
  }

  /** Ends an attempt. What is reported next includes it, so it no longer keeps the position back. */
  end(number: number, { succeeded, retried, ms }: { succeeded: boolean; retried: boolean; ms: number }): void {
    this.#inFlight.end(number, retried)
    this.receiverState = receiverStateAfter({ succeeded, ms })
    this.#isProven = succeeded
  }

  /** The report of an attempt is on disk. If another one was asked for in the meantime, it is due. */
  settle(number: number, again: Omit<Pending, 'number'> | undefined): void {
    this.#inFlight.settle(number)
    this.#isHeld = false
    if (again && !this.#waiting.get(number)) this.#waiting.set({ ...again, number })
  }

  get #progress(): Progress {
    const position = this.#inFlight.before('first', this.#log.taken)
    if (!this.#replay) return { position, replay: undefined }
    const { given, range } = this.#replay
    return { position, replay: { ...given, after: this.#inFlight.before('replayed', range.taken) } }
  }

  get #isReplayFurther(): boolean {
    const { replay } = this.#progress
    return replay !== undefined && replay.after > this.#reported.replay!.after
  }

  get #isReplaying(): boolean {
    return this.#replay !== undefined && this.#replay.range.taken < this.#replay.given.until
  }

  get #isStalled(): boolean {
    return this.#waiting.retried + this.#inFlight.failed >= (this.active.ordered ? 1 : waitingMax)
  }

  /** What waits and is not under way. */
  get #inTurn(): Pending[] {
    return this.#waiting.inTurn(this.active.ordered).filter(({ number }) => !this.#inFlight.has(number))
  }

  #nextWaiting(read: ReadLogSource, nowMs: number): Due | { gone: Pending } | undefined {
    const pending = this.#inTurn.find(({ nextAtMs }) => nextAtMs <= nowMs)
    if (!pending) return undefined
    const message = read((source) => readDelivery(source, this.active, pending))
    return message ? this.#begin(message, 'again', pending.attempts) : this.#giveUp(pending)
  }

  #nextReplayed(read: ReadLogSource): Due | undefined {
    if (!this.#replay || !this.#isReplaying || this.#isStalled) return undefined
    const { range, given } = this.#replay
    const ahead: ReadLogRange = (reach) => read((source) => readReplayed(source, this.active, given, reach))
    const message = range.peek(ahead, given.until, this.#readMax)
    this.#isHeld = message !== undefined && this.#inFlight.has(message.number)
    if (!message || this.#isHeld) return undefined
    range.take()
    return this.#begin(message, 'replayed')
  }

  #nextChange(read: ReadLogSource, until: number): Due | undefined {
    if (this.#log.taken >= until || this.#isStalled) return undefined
    const ahead: ReadLogRange = (reach) => read((source) => readMessages({ ...source, ...this.active }, reach))
    const message = this.#log.peek(ahead, until, this.#readMax)
    if (!message) return undefined
    this.#log.take()
    // A replay may have been here before.
    const isKnown = this.#inFlight.has(message.number) || this.#waiting.get(message.number)
    return isKnown ? undefined : this.#begin(message, 'first')
  }

  get #readMax(): number {
    return this.#isProven ? readMax : 1
  }

  #begin(message: Message, kind: Kind, attempts = 0): Due {
    const asked = this.#waiting.get(message.number)?.asked ?? 0
    this.#waiting.delete(message.number)
    this.#inFlight.begin(message.number, kind, asked)
    return { message, attempts, asked }
  }

  #giveUp(pending: Pending): { gone: Pending } {
    const { number, asked } = pending
    this.#waiting.delete(number)
    this.#inFlight.begin(number, 'again', asked)
    this.#inFlight.end(number, false)
    return { gone: pending }
  }
}
