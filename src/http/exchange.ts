import type { Context } from 'koa'
import type { Credential } from '../access/credentials.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Call, InnerRequest, Upload } from '../engine/api/call/route.ts'
import type { JsonObject } from '../engine/records/rows/validate.ts'
import type { Shown } from '../store/log-position.ts'
import type { CompressedOnce, Compression } from './compression.ts'
import type { Observe } from './observe.ts'
import type { Outflow } from './outflow.ts'

export interface Body {
  bytes: Buffer
  object: JsonObject
}

/** A response of any type. JSON if `type` is not given. */
export interface Content extends Omit<ApiResponse, 'body'> {
  /** Content-Type; its headers for browsers are in `headers`. */
  type?: string
  body: string | Buffer
  /** The compressed form of a body that is sent repeatedly. */
  compressed?: CompressedOnce
}

/** The state of a request and its response that the layers share: the type of `ctx.state`. */
export interface Exchange {
  requestId: string
  /** The client's address. */
  address: string
  /** Path without the query string and without the path of the public URL. */
  path: string
  /** The path of the public URL: `/crm`, or empty. */
  basePath: string
  /** Query string without `?`. */
  query: string
  /** Headers of the response, as a flat list of names and values. */
  headers: string[]
  credential: Credential | undefined
  /** The names that limits count this request by: the key or session, if any, and the client's address. */
  clients: readonly string[]
  /** Removes the request from its rate limit's count; undefined while it is not counted. */
  takeBack?: () => void
  /** Gives the request's place among those in progress to others, before the response has ended. */
  leavePlace?: () => void
  /** Waits for a change, once the request has a place among those that wait (`Call.waitForChange`). */
  wait?: (latest: number, ms: number) => Promise<boolean>
  /** Whether it is a request within another one, which gets JSON. */
  isInner?: boolean
  /** The session of the signed-in user, at the console's own endpoints. */
  session?: { userId: string; companyId: string }
  /**
   * Of a server with a log. Called before the response is sent: waits until the data that it shows, if any, may be shown, or throws
   * ApiError. Adds the position to the headers.
   */
  settle?: ((showsData: boolean) => Promise<void> | undefined) | undefined
  /** Of a server with a log: what the response shows. */
  shown?: Shown | undefined
  /** Of a server with a log: called when a write is in the log, in the same turn. */
  noteWrite?: (() => void) | undefined
  /** Counts the response to a key's request by its status (decision A9). */
  count?: (status: number) => void
  /** Path of the route: `/api-v1-contacts/:id`. */
  route?: string | undefined
  /** Sends the body of the response. */
  outflow: Outflow
  /** Compresses the body if the client accepts that; undefined: compression is off. */
  compression: Compression | undefined
  /** Called with each response; durations count from `beginMs`. */
  observe: Observe | undefined
  beginMs: number
  /** Set by the steps of an API route, in this order. */
  upload?: Upload
  body?: Body
  call?: Call | undefined
  /** Of a request within another one. */
  operation?: InnerRequest['operation']
  cause?: InnerRequest['cause']
  around?: InnerRequest['around']
  aroundParts?: InnerRequest['aroundParts']
  content?: Content | undefined
}

export type Ctx = Context & { state: Exchange }
export type Layer = (ctx: Ctx, next: () => Promise<void>) => Promise<void>
