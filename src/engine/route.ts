import { hash } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'
import type { Describe } from './definition/describe.ts'
import type { FindOffThread } from './list/page.ts'
import type { JsonObject } from './write/validate.ts'
import type { Limits } from './write/write.ts'

/** Who asks, as the key says. */
export interface Caller {
  readonly keyId: string
  readonly companyId: string
  readonly workspaceId: number
  readonly environment: string
  readonly plan: string
  readonly scopes: ReadonlySet<string>
  readonly limits: Limits
  /** Those that the plan has. */
  readonly features: ReadonlySet<string>
  /** Who is signed in, where the console asks. */
  readonly user?: { readonly id: string }
  /** Whether it acts for a user who is neither owner nor admin: signed in, or by that user's personal key. */
  readonly isMember: boolean
}

/** One request to a route: authenticated, within its limits, in scope. */
export interface Call {
  readonly caller: Caller
  /** Of the caller's workspace. */
  readonly reader: Reader
  /** For lists that may take long; undefined where there is no other thread. */
  readonly findOffThread: FindOffThread | undefined
  /** Of what is above the workspaces: companies, users, keys, plans. */
  readonly access: Reader
  /**
   * Writes the workspace; the answer is made inside the transaction and sent when that is on the disk. `run` gets the caller as of the
   * transaction. Throws, and writes nothing, where the caller may no longer use the route.
   */
  write(run: (tx: Writer, caller: Caller) => ApiResponse): Promise<ApiResponse>
  /** Resolves when all that can be read now is on the disk. */
  synced(): Promise<void>
  /** How many requests of the caller count against its limits now, this one included. */
  countRequests(): Readonly<Record<'requests_per_minute' | 'requests_per_day', number>>
  readonly clock: { now(): number }
  readonly cursorSecret: string
  readonly params: Readonly<Record<string, string>>
  /** Without `?`. */
  readonly query: string
  /** `{}` where the route takes none. */
  readonly body: JsonObject
  readonly ifMatch: string | undefined
}

/** How large a body may be: a few fields (16 KiB), a record, or a bulk submit, whose records come as JSON texts. */
export type BodySize = 'small' | 'record' | 'bulk'

export interface ApiResponse {
  status: number
  /** JSON text. */
  body: string
  /** In place of `body`, where that is too long to be held in memory: the parts of the JSON text, each made when it is asked for. */
  parts?: AsyncIterable<string>
  /** Of the body, where they have been counted. */
  bodyBytes?: number
  /** Of a single record (decision B14). */
  etag?: string
  /** Whether it shows a secret: it is not compressed, since its length would then say something of the secret, and not kept. */
  secret?: true
  /** Names and values, flat. */
  headers?: readonly string[]
}

/** An endpoint, whatever transport serves it. Errors are thrown as ApiError. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api-v1-organizations/:id` */
  path: string
  /** What the key must hold; `any`: nothing. */
  scope: string
  /** What the plan must have. */
  feature?: string
  takesBody: boolean
  /** Default: `record`, or `small` for a route that takes no body. */
  bodySize?: BodySize
  /** Whether members are refused, signed in or by a personal key, whatever their scopes. */
  adminsOnly?: boolean
  /** Whether a signed-in member may use it without its scope, for what `narrow` leaves of it. */
  openToMembers?: boolean
  /** What is left of a call for callers who may not use all of the route. Throws ApiError. */
  narrow?: (call: Call) => Call
  /** Whether the answer follows from the workspace's records and users, path and query alone, whoever asks: it lasts until one changes. */
  lasting?: boolean
  run(call: Call): ApiResponse | Promise<ApiResponse>
  /** For the description of the API; asked for when somebody reads that. */
  describe: Describe
}

export const deleted: ApiResponse = { status: 200, body: '{"data":{"deleted":true}}' }

/** The answer that shows a record's JSON text. */
export function shown(status: number, text: string): ApiResponse {
  return { status, body: `{"data":${text}}`, etag: etagOf(text) }
}

/** Lets a write go on where the caller wants this state of the record, or any. Throws 412 (decision B14). */
export function requireMatch(ifMatch: string | undefined, readText: () => string): void {
  if (ifMatch === undefined || holds(ifMatch, etagOf(readText()))) return
  throw new ApiError('CONFLICT', 'The record has changed: read it again, then repeat the change', { status: 412 })
}

/** Whether the caller has this state already. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && holds(ifNoneMatch, etag)
}

/** What Caddy and Apache add to a tag when they compress; nginx makes it weak (decision B14). */
const codingSuffix = /^("[\w-]{22})-(?:gzip|zstd|br)"$/

/** Compares weakly, and past what a proxy has made of the tag. */
function holds(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim())
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '').replace(codingSuffix, '$1"') === etag)
}

/** 132 bits of a hash over all that the answer says. */
function etagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
}
