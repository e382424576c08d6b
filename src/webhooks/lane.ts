import { type Message, pingMessage, pingType, type Reading, readMessages } from './body.ts'
import type { Pending } from './deliveries.ts'
import { attemptsMax } from './schedule.ts'
import type { Active, Replay } from './state.ts'

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
}

/** What a lane needs of its workspace. */
export type Source = Omit<Reading, 'types' | 'payload'>

/**
 * One webhook's place in its log: which changes have been attempted, which wait for another attempt, and which is next. Messages are
 * read when there is room to send one, at most 64 KiB of them in advance.
 */
export class Lane {
  readonly workspaceId: number
  active: Active
  /** The position that is on disk. */
  stored: number
  /** Everything up to this number has been sent or skipped. */
  #taken: number
  /** What has been read of the log and not been sent, and the number up to which there is nothing else. */
  #ahead: { messages: Message[]; place: number } = { messages: [], place: 0 }
  /** What is being sent, by number. It keeps the position, or that of the replay, back until it is reported. */
  readonly #inFlight = new Map<number, 'first' | 'replayed' | 'again'>()
  /** What has been sent, until its report is on disk. */
  readonly #reported = new Set<number>()
  readonly #waiting = new Map<number, Pending>()
  /** Whether the last attempt has failed. */
  isFailing: boolean
  /** Whether an attempt has succeeded since it last failed. */
  #isProven = false
  #replay: (Replay & { taken: number }) | undefined
  #hasMorePending = false

  constructor(workspaceId: number, active: Active, pending: readonly Pending[]) {
    this.workspaceId = workspaceId
    this.active = active
    this.stored = active.position
    this.isFailing = active.isFailing
    this.#taken = active.position
    this.update(active, pending)
  }

  /** Takes over what has changed in the database. */
  update(active: Active, pending: readonly Pending[]): void {
    this.active = active
    this.#ahead.messages = [] // they may be for other types than before
    this.#hasMorePending = pending.length === pendingMax
    for (const each of pending) if (!this.#isUnderWay(each.number)) this.#waiting.set(each.number, each)
    const { replay } = active
    if (!replay) this.#replay = undefined
    else if (this.#replay?.until !== replay.until || replay.after < this.#replay.after) {
      this.#replay = { ...replay, taken: replay.after }
    }
  }

  /** Every change up to this number has been attempted and reported, or skipped. */
  get position(): number {
    return this.#before('first', this.#taken)
  }

  /** The rest of the range that is delivered again, empty when it is over; undefined: there is none. */
  get replay(): Replay | undefined {
    return this.#replay && { after: this.#before('replayed', this.#replay.taken), until: this.#replay.until }
  }

  /** Whether the deliveries that wait must be read again, because those that were read are over. */
  get needsPending(): boolean {
    return this.#hasMorePending && this.#waiting.size === 0
  }

  /** When the next attempt of a waiting delivery is due; infinite if none waits. */
  get nextDueMs(): number {
    return Math.min(...[...this.#waiting.values()].map(({ nextAtMs }) => nextAtMs))
  }

  /** Whether the log may have more for it now. */
  isBehind(until: number): boolean {
    if (!this.hasRoom) return false
    const isReplaying = this.#replay !== undefined && this.#replay.taken < this.#replay.until
    return isReplaying || (this.#taken < until && !this.#isStalled)
  }

  /** The next attempt; undefined: nothing is due, there is no room, or a part of the log has nothing for it. Changes after `until` are not read. */
  next(source: Source, until: number, nowMs: number): Due | undefined {
    if (!this.hasRoom) return undefined
    return this.#nextWaiting(source, nowMs) ?? this.#nextReplayed(source) ?? this.#nextChange(source, until)
  }

  /** Ends an attempt. What is reported next includes it, so it no longer keeps the position back. */
  end(number: number, hasSucceeded: boolean): void {
    this.#inFlight.delete(number)
    this.#reported.add(number)
    this.isFailing = !hasSucceeded
    this.#isProven = hasSucceeded
  }

  /** The report of an attempt is on disk. */
  settle(number: number, again: Pending | undefined): void {
    this.#reported.delete(number)
    if (again) this.#waiting.set(number, again)
  }

  #isUnderWay(number: number): boolean {
    return this.#inFlight.has(number) || this.#reported.has(number)
  }

  #before(how: 'first' | 'replayed', taken: number): number {
    const numbers = [...this.#inFlight].filter(([, each]) => each === how).map(([number]) => number)
    return Math.min(taken, ...numbers.map((number) => number - 1))
  }

  get hasRoom(): boolean {
    if (this.active.ordered) return this.#inFlight.size + this.#reported.size === 0
    return this.#inFlight.size < (this.#isProven ? inFlightMax : 1)
  }

  /** Deliveries that are sent again on request after their last attempt stop nothing. */
  get #isStalled(): boolean {
    const retried = [...this.#waiting.values()].filter(({ attempts }) => attempts > 0 && attempts < attemptsMax)
    return retried.length >= (this.active.ordered ? 1 : waitingMax)
  }

  #nextWaiting(source: Source, nowMs: number): Due | undefined {
    const due = [...this.#waiting.values()].filter(({ nextAtMs }) => nextAtMs <= nowMs)
    for (const pending of due.sort((a, b) => a.nextAtMs - b.nextAtMs)) {
      const message = this.#read(source, pending)
      this.#waiting.delete(pending.number)
      if (message) return this.#begin(message, 'again', pending.attempts)
    }
    return undefined
  }

  #nextReplayed(source: Source): Due | undefined {
    const range = this.#replay
    if (!range || range.taken >= range.until) return undefined
    const reach = { after: range.taken, until: range.until, limit: 1 }
    const { messages, place } = readMessages({ ...source, ...this.active }, reach)
    const [message] = messages
    range.taken = place
    return message && !this.#isUnderWay(message.number) ? this.#begin(message, 'replayed') : undefined
  }

  #nextChange(source: Source, until: number): Due | undefined {
    if (this.#taken >= until || this.#isStalled) return undefined
    if (this.#ahead.messages.length === 0) {
      const reach = { after: this.#taken, until, limit: this.#isProven ? readMax : 1 }
      this.#ahead = readMessages({ ...source, ...this.active }, reach)
    }
    const { messages, place } = this.#ahead
    const message = messages.shift()
    this.#taken = message && messages.length > 0 ? message.number : place
    return message && this.#begin(message, 'first')
  }

  #begin(message: Message, how: 'first' | 'replayed' | 'again', attempts = 0): Due {
    this.#inFlight.set(message.number, how)
    return { message, attempts }
  }

  /** The change of a delivery; undefined if it is no longer in the log. */
  #read(source: Source, { number, type }: Pending): Message | undefined {
    if (type === pingType) return pingMessage(number, this.active.id, source.logId)
    const { payload } = this.active
    const reach = { after: number - 1, until: number, limit: 1 }
    return readMessages({ ...source, types: [type], payload }, reach).messages[0]
  }
}
