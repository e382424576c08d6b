import { ApiError } from '../errors.ts'
import type { Content } from '../http/exchange.ts'
import type { LongRequest } from '../http/long-request.ts'
import type { DiskFault } from '../store/constraint.ts'

/** The input of a thread. */
export interface LongRequestInput {
  /** The path of the database. */
  path: string
  /** Statements that take at least this long are logged; default: none. */
  slowMs?: number
}

/** A message to the thread: a request, or that other writes have passed. */
export type LongOrder = { request: LongRequest; aheadMs: number } | 'go on'

/** A topic that was announced for a workspace (`Store.announce`). */
export type Announced = readonly [topic: string, workspaceId: number]

/** The parts of an error, which loses its class when it is sent. */
type SentError = Pick<ApiError, 'code' | 'status' | 'message' | 'details' | 'headers'> | { stack: string }

/** A message from the thread: let other writes pass, why the disk has refused a write, or how the request has ended. */
export type LongReport =
  | 'let others write'
  | { diskFault: DiskFault }
  | { announced: Announced[]; content: Content }
  | { announced: Announced[]; error: SentError }

export function sentError(thrown: unknown): SentError {
  if (!(thrown instanceof ApiError)) return { stack: thrown instanceof Error ? String(thrown.stack) : String(thrown) }
  const { code, status, message, details, headers } = thrown
  return { code, status, message, details, headers }
}

export function receivedError(error: SentError): Error {
  if ('stack' in error) return Object.assign(new Error('A long request failed'), { stack: error.stack })
  const { code, message, status, details, headers } = error
  return new ApiError(code, message, { status, headers, ...(details && { details }) })
}
