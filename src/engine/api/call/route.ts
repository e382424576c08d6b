import type { Contents, Received } from '../../../content/contents.ts'
import type { Mailroom } from '../../../mail/mailroom.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Viewer } from '../../../store/visibility.ts'
import type { Read } from '../../finding/reading.ts'
import type { Describe } from '../../records/describe.ts'
import type { JsonObject } from '../../records/rows/validate.ts'
import type { Limits } from '../../records/rows/write.ts'
import type { ApiResponse } from './http-response.ts'

/** The caller of a request, identified by its key or session. */
export interface Caller {
  readonly keyId: string
  readonly companyId: string
  readonly workspaceId: number
  readonly environment: string
  readonly plan: string
  readonly scopes: ReadonlySet<string>
  readonly limits: Limits
  /** The plan's features. */
  readonly features: ReadonlySet<string>
  /** The signed-in user of the console. */
  readonly user?: { readonly id: string }
  /** The signed-in user, or the user of a personal key. */
  readonly userId: string | undefined
  /** Whose rows are seen (decision P7): the signed-in user's, or those of the user who created the personal key; else what the whole team sees. */
  readonly viewer: Viewer
  /** Whether the caller is a user who is neither owner nor admin, signed in or with a personal key. */
  readonly isMember: boolean
  /** Whether the caller is an owner of the company, signed in or with a personal key. */
  readonly isOwner: boolean
}

/** Wraps a transaction. */
export type Around = (write: Call['write']) => Call['write']

/** A request of the API that runs within another one, as the same caller and under the same request id. */
export interface InnerRequest {
  readonly method: Route['method']
  /** The path with the query: `/api-v1-contacts?limit=5`. */
  readonly target: string
  readonly body?: JsonObject | undefined
  /** It is processed once under this name, as under an `Idempotency-Key`. With a space in it, no header is the same. */
  readonly operation?: string | undefined
  /** What the changes that it makes name as their cause. */
  readonly cause?: Readonly<Record<string, unknown>> | undefined
  /** Wraps its transaction. */
  readonly around?: Around | undefined
  /** Wraps each transaction before the last one, if it makes several; undefined: it must make one, or it is refused (CONFLICT). */
  readonly aroundParts?: Around | undefined
}

/** The file that is the body of a request. */
export interface Upload {
  /** In lower case and without parameters. */
  readonly mediaType: string
  /** By Content-Length; undefined: the request does not say it. */
  readonly declaredBytes: number | undefined
  /** Undefined while it has not arrived. */
  readonly received?: Received
}

/** A request to a route, after authentication, limits and scopes have been checked. */
export interface Call {
  readonly caller: Caller
  /** Reads the caller's workspace. */
  readonly reader: Reader
  /** Answers every question that may take long. */
  readonly read: Read
  /** Reads what is above the workspaces: companies, users, keys, plans. */
  readonly access: Reader
  /**
   * Runs a transaction in the workspace. Its response is sent when the transaction is on disk. `run` gets the caller as of the
   * transaction. Throws, and writes nothing, if the caller may no longer use the route.
   */
  write(run: (tx: Writer, caller: Caller) => ApiResponse): Promise<ApiResponse>
  /**
   * Like `write`, for a transaction before or after that of the response: `Idempotency-Key` stores no response with it. Other writes that
   * wait come before the next one.
   */
  prepare: Call['write']
  /** Runs a transaction that takes back what `prepare` has done, also if the caller may no longer use the route. */
  release(run: (tx: Writer) => void): Promise<void>
  /** Runs another request. Throws ApiError. */
  perform(request: InnerRequest): Promise<ApiResponse>
  /** Returns the caller with its current permissions. Throws if the caller may no longer use the route. */
  recheck(): Caller
  readonly log: CallLog
  readonly requestId: string
  /** Why nothing can be delivered to a URL; undefined: it can be tried (decision H6). */
  refusalOf(url: string): string | undefined
  /** The number of the caller's requests that count against its limits now, including this one. */
  countRequests(): Readonly<Record<'requests_per_minute' | 'requests_per_day', number>>
  readonly clock: { now(): number }
  readonly cursorSecret: string
  readonly params: Readonly<Record<string, string>>
  /** Without `?`. */
  readonly query: string
  /** `{}` where the route takes none. */
  readonly body: JsonObject
  /** Of a route that takes a file. */
  readonly upload: Upload | undefined
  /** Where content is; undefined: this server stores none. */
  readonly contents: Contents | undefined
  /** What the server has for mail; undefined: it takes none. */
  readonly mail: Mailroom | undefined
  readonly headers: CallHeaders
}

interface CallHeaders {
  readonly ifMatch: string | undefined
  readonly range: string | undefined
  readonly ifRange: string | undefined
  /** With which a client continues an event stream. */
  readonly lastEventId: string | undefined
  /** Whether the client prefers this media type to JSON. */
  prefers(type: string): boolean
  /** Whether the client accepts this media type. */
  accepts(type: string): boolean
}

/** How far the log of the workspace's changes is. */
interface CallLog {
  /** Resolves when everything that can be read now is on disk, or the changes up to the number `seq`. */
  synced(seq?: number): Promise<void>
  /**
   * Resolves with true when the workspace may have changes after the number `latest`, and with false if `ms` have passed, the client has gone
   * or the server stops. The request gives its place to others. Throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE if too many requests wait.
   */
  wait(latest: number, ms: number): Promise<boolean>
}

/**
 * The size limit of a body: a few fields (16 KiB), a record, or a bulk import, whose records are passed as JSON texts. A `list` is an array,
 * passed as `items`; a `message` is any value, passed as `message`.
 */
export type BodySize = 'small' | 'record' | 'list' | 'message' | 'bulk'

/** An endpoint. Errors are thrown as ApiError. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `/api-v1-organizations/:id` */
  path: string
  /** The scope that the key must hold; `any`: none. */
  scope: string
  /** The feature that the plan must have. */
  feature?: string
  takesBody: boolean
  /** Whether the body may be absent, because all its members have defaults. */
  bodyOptional?: boolean
  /** Default: `record`, or `small` if the route takes no body. */
  bodySize?: BodySize
  /** Its body is a file of any type. Called before the file is read. Throws what can be known by then. */
  takesFile?: (call: Call) => void
  /** How many bytes the file may have; default: what the operator allows for files. */
  fileBytesMax?: number
  /** Whether members are refused regardless of scopes, signed in or with a personal key. */
  adminsOnly?: boolean
  /** Whether only a signed-in user may use it, whatever the scopes of a key are. */
  usersOnly?: boolean
  /** Whether a signed-in member may use it without its scope, restricted by `narrow` or `run`. */
  openToMembers?: boolean
  /** Restricts a call of a caller who may use only a part of the route. Throws ApiError, but for a record: see `withoutRecord`. */
  narrow?: (call: Call) => Call
  /** Whether a call may take long: it is then served on another thread, if there is one. May throw what `run` would. */
  isLong?: (call: Call) => boolean
  /** Whether it runs other requests (`Call.perform`), which may be long. */
  performs?: boolean
  /** Whether the response depends only on the workspace's records and users, path and query, not on the caller: it can be cached until one changes. */
  cacheable?: boolean
  /** Whether it reads and writes the live workspace of the caller's company, also with a test key. */
  ofCompany?: boolean
  /** Whether it writes nothing to the database, so `Idempotency-Key` has no effect. */
  storesNothing?: boolean
  run(call: Call): ApiResponse | Promise<ApiResponse>
  /** Its documentation. Called when the API document is requested. */
  describe: Describe
}

/** A call for a record that does not exist for the caller: NOT_FOUND once the request itself has been checked (decision A5). */
export function withoutRecord(call: Call): Call {
  return { ...call, params: { ...call.params, id: '00000000-0000-0000-0000-000000000000' } }
}

/** A call whose writes begin with a check, which may throw. */
export function checkingWrites(call: Call, check: (tx: Writer, caller: Caller) => void): Call {
  const write: Call['write'] = (run) =>
    call.write((tx, caller) => {
      check(tx, caller)
      return run(tx, caller)
    })
  return { ...call, write }
}
