import type { ServerResponse } from 'node:http'
import type { ChangeHub, Watcher } from '../changes/hub.ts'
import type { EventSource } from '../engine/api/call/http-response.ts'
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

/** A stream with this many unread bytes sends nothing more. At the next check it is closed, unless its client has read something since the last. */
const unreadBytesMax = 1_048_576
/** Up to this many unread bytes, a stream goes on with older changes as fast as its client reads. */
const unreadBytesUsual = 131_072
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
  #writtenBytes = 0
  #unreadBytes = 0
  /** What the client had taken at the last check. */
  #takenBytes = 0
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
        this.#continue(unreadBytesMax)
      },
      check: () => this.#check(),
    }
    this.#leave = hub.watch(this.#watcher)
    res.on('drain', this.#resume)
    this.#resume()
  }

  /** Ends the response. A second call has no effect. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#leave()
    this.#shared.unread.bytes -= this.#unreadBytes
    this.#res.end()
  }

  readonly #resume = () => this.#continue(unreadBytesUsual)

  /** Sends the next events, if there are any and fewer than `bytesMax` bytes are unread. */
  #continue(bytesMax: number): void {
    this.#count()
    if (this.#isEnded || this.#isReading || !this.#hasMore || !this.#hasRoom(bytesMax)) return
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
    if (this.#hasMore) this.#shared.hub.soon(this.#resume)
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
    const takenBytes = this.#writtenBytes - this.#unreadBytes
    const hasRead = takenBytes > this.#takenBytes
    this.#takenBytes = takenBytes
    if (nowMs >= this.#endMs) this.end()
    else if (this.#unreadBytes >= unreadBytesMax && !hasRead) this.#res.destroy()
    else if (nowMs >= this.#heartbeatMs) this.#beat(nowMs)
    this.#continue(hasRead ? unreadBytesUsual : unreadBytesMax)
  }

  /** Sends a comment. It tells the client its position if no event has, so that a stream that continues there need not read the same changes again. */
  #beat(nowMs: number): void {
    this.#heartbeatMs = nowMs + this.#shared.times.heartbeatMs
    const { position } = this.#events
    this.#write(position === this.#sentPosition ? ':\n\n' : `:\nid: ${position}\n\n`)
    this.#sentPosition = position
  }

  #hasRoom(bytesMax: number): boolean {
    const isFull = this.#shared.unread.bytes >= unreadBytesTotalMax
    return this.#unreadBytes === 0 || (this.#unreadBytes < bytesMax && !isFull)
  }

  #write(text: string): void {
    const bytes = Buffer.from(text)
    this.#writtenBytes += bytes.length
    this.#res.write(bytes)
    this.#count()
  }

  #count(): void {
    if (this.#isEnded) return
    const unread = this.#res.writableLength
    this.#shared.unread.bytes += unread - this.#unreadBytes
    this.#unreadBytes = unread
  }

  #fail(error: unknown): void {
    if (!(error instanceof ApiError && error.status < 500)) log('an event stream failed', errorFields(error), 'error')
    this.end()
  }
}
