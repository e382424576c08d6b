import type { ServerResponse } from 'node:http'
import type { ChangeHub, Watcher } from '../changes/hub.ts'
import type { EventSource } from '../engine/http-response.ts'
import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'

/** The times of event streams in milliseconds. */
export interface StreamTimes {
  /** Between checks: of permissions, of the client and of commits by other processes. */
  checkMs: number
  /** Between comments. */
  heartbeatMs: number
  /** Until a stream is closed. */
  lifetimeMs: number
}

/** A check takes less than a second, so that a stream closes within a second of the revocation of its key. */
export const streamTimes: StreamTimes = { checkMs: 800, heartbeatMs: 15_000, lifetimeMs: 1_800_000 }

interface Shared {
  hub: ChangeHub
  times: StreamTimes
  /** The bytes that clients have not read yet, of all streams. */
  unread: { bytes: number }
}

/** A stream that has this many unread bytes sends nothing, and is closed at the next check if its client has read nothing since the last. */
const unreadBytesMax = 1_048_576
/** If all streams have this many unread bytes, each sends only to a client that has read everything. */
const unreadBytesTotalMax = 33_554_432
/** Clients reconnect after this time. */
const retryMs = 3_000

/** An open stream of events. */
export class EventStream {
  readonly #res: ServerResponse
  readonly #events: EventSource
  readonly #shared: Shared
  readonly #watcher: Watcher
  readonly #leave: () => void
  readonly #endMs: number
  #heartbeatMs: number
  #sentPosition: string
  /** Unread bytes, now and at the last check. */
  #unread = 0
  #unreadBefore = 0
  #isReading = false
  #hasMore = true
  #isEnded = false

  constructor(res: ServerResponse, events: EventSource, shared: Shared) {
    this.#res = res
    this.#events = events
    this.#shared = shared
    const { hub, times } = shared
    const nowMs = performance.now()
    this.#heartbeatMs = nowMs + times.heartbeatMs
    this.#endMs = nowMs + times.lifetimeMs
    this.#sentPosition = events.position
    this.#write(`retry: ${retryMs}\nid: ${this.#sentPosition}\n\n`)
    this.#watcher = {
      workspaceId: events.workspaceId,
      latest: events.latest,
      wake: () => {
        this.#hasMore = true
        this.#continue()
      },
      check: () => this.#check(),
    }
    this.#leave = hub.watch(this.#watcher)
    res.on('drain', () => this.#continue())
    this.#continue()
  }

  /** Ends the response. A second call has no effect. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#leave()
    this.#shared.unread.bytes -= this.#unread
    this.#res.end()
  }

  /** Sends the next events, if there are any and the client has read enough. */
  #continue(): void {
    this.#count()
    if (this.#isEnded || this.#isReading || !this.#hasMore || !this.#hasRoom()) return
    this.#isReading = true
    this.#hasMore = false
    this.#sendNext().catch((error) => this.#fail(error))
  }

  async #sendNext(): Promise<void> {
    const { text, hasMore } = await this.#events.next()
    this.#isReading = false
    if (this.#isEnded) return
    this.#watcher.latest = this.#events.latest
    if (text !== '') {
      this.#write(text)
      this.#sentPosition = this.#events.position
    }
    this.#hasMore ||= hasMore
    if (this.#hasMore) this.#shared.hub.soon(this.#watcher.wake)
  }

  #check(): void {
    try {
      this.#events.renew()
    } catch (error) {
      this.#fail(error)
      return
    }
    const nowMs = performance.now()
    this.#count()
    if (nowMs >= this.#endMs) this.end()
    else if (this.#unread >= unreadBytesMax && this.#unread >= this.#unreadBefore) this.#res.destroy()
    else if (nowMs >= this.#heartbeatMs) this.#beat(nowMs)
    this.#unreadBefore = this.#unread
    this.#continue()
  }

  /** Sends a comment. It tells the client its position if no event has, so that a stream that continues there need not read the same changes again. */
  #beat(nowMs: number): void {
    this.#heartbeatMs = nowMs + this.#shared.times.heartbeatMs
    const { position } = this.#events
    this.#write(position === this.#sentPosition ? ':\n\n' : `:\nid: ${position}\n\n`)
    this.#sentPosition = position
  }

  #hasRoom(): boolean {
    return this.#unread === 0 || (this.#unread < unreadBytesMax && this.#shared.unread.bytes < unreadBytesTotalMax)
  }

  #write(text: string): void {
    this.#res.write(text)
    this.#count()
  }

  #count(): void {
    if (this.#isEnded) return
    const unread = this.#res.writableLength
    this.#shared.unread.bytes += unread - this.#unread
    this.#unread = unread
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiError && error.status < 500)) log('an event stream failed', errorFields(error), 'error')
    this.end()
  }
}
