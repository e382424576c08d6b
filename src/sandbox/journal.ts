import type { IncomingMessage } from 'node:http'
import type { Exchange, Layer } from '../http/exchange.ts'
import { type Clock, timestamp } from '../lib/clock.ts'

/** A request to a world, as its journal shows it (decision I10). */
export interface JournalEntry {
  request_id: string
  /** When it arrived, by the world's clock. */
  at: string
  method: string
  path: string
  /** Without `?`. */
  query: string
  /** JSON, or another text as it was sent; null if there is none, or if it is longer than 64 KiB. */
  body: unknown
  /** Null while there is no response. */
  status: number | null
  /** The fault that was applied (decision I8). */
  fault: string | null
}

interface Kept {
  entry: JournalEntry
  bytes: number
}

const entriesMax = 1_000
const bodyBytesMax = 65_536
/** Of the bodies of all entries. Beyond it, the oldest entries are dropped. */
const bytesMax = 8 * 2 ** 20

/** The last requests of a world. */
export class Journal {
  readonly #kept: Kept[]
  #bytes: number
  readonly #entries = new WeakMap<Exchange, JournalEntry>()

  constructor(kept: readonly Kept[]) {
    this.#kept = [...kept]
    this.#bytes = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  get state(): readonly Kept[] {
    return this.#kept.map(({ entry, bytes }) => ({ entry: { ...entry }, bytes }))
  }

  get entries(): readonly JournalEntry[] {
    return this.#kept.map(({ entry }) => entry)
  }

  /** Notes requests and their responses. The console's requests are left out: they have a session. */
  layer(clock: Clock, isNoted: (path: string) => boolean): Layer {
    return (ctx, next) => {
      const { requestId, path, query, observe } = ctx.state
      if (!isNoted(path) || ctx.req.headers.cookie !== undefined) return next()
      const entry: JournalEntry = {
        ...{ request_id: requestId, at: timestamp(clock.now()), method: ctx.method, path, query },
        ...{ body: null, status: null, fault: null },
      }
      this.#add(entry, ctx.req)
      this.#entries.set(ctx.state, entry)
      ctx.state.observe = (observed) => {
        entry.status = observed.status
        observe?.(observed)
      }
      return next()
    }
  }

  noteFault(exchange: Exchange, fault: string): void {
    const entry = this.#entries.get(exchange)
    if (entry) entry.fault = fault
  }

  #add(entry: JournalEntry, req: IncomingMessage): void {
    const kept = { entry, bytes: 0 }
    this.#kept.push(kept)
    this.#trim()
    watchBody(req, (bytes) => {
      if (!this.#kept.includes(kept)) return
      entry.body = bodyOf(bytes.toString())
      kept.bytes = bytes.length
      this.#bytes += bytes.length
      this.#trim()
    })
  }

  #trim(): void {
    while (this.#kept.length > entriesMax || this.#bytes > bytesMax) this.#bytes -= this.#kept.shift()!.bytes
  }
}

/** Calls `onEnd` with the complete body, unless it is empty or too long, without reading it before its reader does. */
function watchBody(req: IncomingMessage, onEnd: (bytes: Buffer) => void): void {
  const parts: Buffer[] = []
  let bytes = 0
  const push = req.push.bind(req)
  req.push = (part, encoding) => {
    if (part !== null && bytes <= bodyBytesMax) {
      bytes += part.length
      parts.push(part)
    }
    if (part === null && bytes > 0 && bytes <= bodyBytesMax) onEnd(Buffer.concat(parts))
    return push(part, encoding)
  }
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
