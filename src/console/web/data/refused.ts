import { ApiError } from '../../../errors.ts'

/**
 * Whether the server has refused a request, and written nothing. After a conflict, or one request too many, an earlier one with the same key
 * may have been processed.
 */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === 429) return false
  return error.status < 500 && (error.code !== 'CONFLICT' || isOutdated(error))
}

/** Whether the record of a request has changed since it was read. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412
}
