import type { Reader, Writer } from '../store/reader.ts'
import type { Describe } from './definition/describe.ts'
import type { ApiResponse } from './http-response.ts'
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
