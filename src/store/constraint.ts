import { ApiError } from '../errors.ts'

const retryAfterSeconds = '1'

/** Failures of the disk or a lock, which may pass. SQLite also reports a read that the disk failed as CORRUPT. */
const passing = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PROTOCOL|CORRUPT)/

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Converts a failure of the disk or a lock to a 503. Returns any other error, which is a bug, unchanged. */
export function toApiError(error: unknown): unknown {
  return passing.test(codeOf(error)) ? unavailable('The database is not available right now', error) : error
}

/** Whether the unique index over these columns (`table.column, …`) rejected a row. */
export function violates(error: unknown, columns: string): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' && (error as Error).message.endsWith(columns)
}

export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': retryAfterSeconds }, cause })
}

/** Returns the name of SQLite's extended result code, or an empty string for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
