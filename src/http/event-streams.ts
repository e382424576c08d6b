import type { ChangeHub } from '../changes/hub.ts'
import type { EventSource } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { Budget } from '../lib/budget.ts'
import { atEnd } from './at-end.ts'
import { EventStream, type StreamTimes } from './event-stream.ts'
import type { Ctx } from './exchange.ts'
import { overloaded } from './overloaded.ts'
import { beginEvents } from './response.ts'

/** How many streams are open at a time, of each key or session and of each company. */
const streamsPerKeyMax = 5
const streamsPerCompanyMax = 50

/** The open streams of events (decision G6). They do not count as requests in progress. */
export class EventStreams {
  readonly #hub: ChangeHub
  readonly #times: StreamTimes
  readonly #ofKeys: Budget
  readonly #ofCompanies: Budget
  readonly #open = new Set<EventStream>()
  /** The bytes that clients have not read yet, of all streams. */
  readonly #unread = { bytes: 0 }
  #isClosed = false

  /** `max`: how many streams are open at a time, in total. */
  constructor(hub: ChangeHub, times: StreamTimes, max: number) {
    this.#hub = hub
    this.#times = times
    this.#ofKeys = new Budget({ total: max, share: streamsPerKeyMax })
    this.#ofCompanies = new Budget({ total: max, share: streamsPerCompanyMax })
  }

  /** Sends events until the stream is closed. Throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE before it begins. */
  send(ctx: Ctx, events: EventSource): void {
    if (this.#isClosed) throw stopping()
    this.#take(ctx)
    if (!beginEvents(ctx)) return
    ctx.state.call = undefined // a stream lasts long: its memory counts
    ctx.state.content = undefined
    const stream = new EventStream(ctx.res, events, { hub: this.#hub, times: this.#times, unread: this.#unread })
    this.#open.add(stream)
    atEnd(ctx.res, () => {
      this.#open.delete(stream)
      stream.end()
    })
  }

  /** Ends all streams, since the server stops. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.end()
  }

  #take({ res, state }: Ctx): void {
    const { keyId, companyId } = state.credential!
    const short = this.#ofKeys.shortage([keyId], 1) ?? this.#ofCompanies.take([companyId], 1)
    if (short) throw overloaded(short, 'event streams')
    this.#ofKeys.takeAnyway([keyId], 1)
    state.leavePlace!()
    atEnd(res, () => {
      this.#ofKeys.release([keyId], 1)
      this.#ofCompanies.release([companyId], 1)
    })
  }
}

function stopping(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The server is stopping', { headers: { 'Retry-After': '1' } })
}
