import type { Socket } from 'node:net'
import type { Context } from 'koa'
import type { Credential } from '../access/credentials.ts'
import type { Compression } from './compression.ts'
import type { Observe } from './observe.ts'
import type { Outflow } from './outflow.ts'

/** What the layers know of one request and its answer; lies in `ctx.state`. */
export interface Exchange {
  requestId: string
  /** Of the client. */
  address: string
  /** Headers of whatever answer there will be, as a flat list of names and values. */
  headers: string[]
  credential: Credential | undefined
  /** What limits count this request by: the key or session, if any, and the client's address. */
  clients: readonly string[]
  /** Uncounts the request for its rate limit; undefined while it is not counted. */
  takeBack?: () => void
  /** Who is signed in, at the console's own endpoints. */
  session?: { userId: string; companyId: string }
  /** Told the status of the answer, when a key's request gets one (decision A9). */
  count?: (status: number) => void
  /** Of the route that it came to. */
  route?: string | undefined
  /** What sends the body of the response. */
  outflow: Outflow
  /** What compresses it where the client accepts that; undefined: it is switched off. */
  compression: Compression | undefined
  /** Told of the answer; measures from `beginMs`. */
  observe: Observe | undefined
  beginMs: number
  /** Path without the query string. */
  path: string
  /** Query string without `?`. */
  query: string
}

export type Ctx = Context & { state: Exchange }
export type Layer = (ctx: Ctx, next: () => Promise<void>) => Promise<void>

/** The client's address; IPv4 is never shown mapped into IPv6. */
export function addressOf(socket: Socket): string {
  const address = socket.remoteAddress ?? ''
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
