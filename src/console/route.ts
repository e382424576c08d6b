import type { Environment } from '../access/company.ts'
import type { Session } from '../access/session.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { BodySize } from '../engine/api/call/route.ts'
import type { Read } from '../engine/finding/reading.ts'
import type { JsonObject } from '../engine/records/rows/validate.ts'
import { type Detail, validationError } from '../errors.ts'
import { labelOf } from '../lib/text.ts'
import type { Synchronous, Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'

/** A request to an endpoint that only the console uses. */
export interface ConsoleCall {
  store: Store
  /** The client's address. */
  address: string
  /** The `User-Agent` of the client. */
  userAgent: string | null
  /** `Set-Cookie` for a session's token; without a token, the cookie is removed. */
  cookie(token?: string): string
  params: Readonly<Record<string, string>>
  /** The query string without `?`. */
  query: string
  /** `{}` if the route takes no body. */
  body: JsonObject
}

/** A request of a signed-in user, which can write only through `write`. */
export interface MemberCall extends Omit<ConsoleCall, 'store'> {
  store: Pick<Store, 'access' | 'clock' | 'workspace'>
  session: Session
  environment: Environment
  /** Runs readings of a workspace. */
  readIn(workspaceId: number): Read
  /** Runs a GET of the API or of the console, which counts as a request. Returns errors as responses. */
  get(target: string): Promise<ApiResponse>
  /**
   * Writes data above the workspaces. `run` gets the session as of the transaction. Throws and writes nothing if the session has ended or its
   * user may no longer use the route.
   */
  write<T>(run: (tx: Writer, session: Session) => Synchronous<T>): Promise<T>
}

interface Shape {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path with parameters: `/console/users/:id`. */
  path: string
  takesBody?: boolean
  /** Default: `small`. */
  bodySize?: BodySize
}

export type ConsoleRoute = Shape &
  (
    | { for: 'anyone'; run(call: ConsoleCall): ApiResponse | Promise<ApiResponse> }
    | { for: 'member' | 'admin'; run(call: MemberCall): ApiResponse | Promise<ApiResponse> }
  )

export function isAdmin({ role }: Session): boolean {
  return role !== 'member'
}

export function data(value: unknown, status = 200, headers: readonly string[] = []): ApiResponse {
  return { status, body: JSON.stringify({ data: value }), headers }
}

/** The named texts of a body. Throws VALIDATION_ERROR with every field that is missing or not text. */
export function readTexts<N extends string>(body: JsonObject, names: readonly N[]): Record<N, string> {
  const details = names.flatMap((field): Detail[] => {
    const value = body[field]
    if (value === undefined || value === null || value === '') {
      return [{ field, message: `${labelOf(field)} is required`, code: 'REQUIRED' }]
    }
    const message = `${labelOf(field)} must be a string of well-formed Unicode without U+0000`
    const sound = typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
    return sound ? [] : [{ field, message, code: 'INVALID_TYPE' }]
  })
  if (details.length > 0) throw validationError(details)
  return Object.fromEntries(names.map((name) => [name, body[name]])) as Record<N, string>
}
