import { ApiError } from '../errors.ts'

const retryAfterSeconds = '1'

/** Failures of disk or lock: the caller can try again. CORRUPT is also how SQLite reports a read that the disk failed. */
const passing = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PROTOCOL|CORRUPT)/

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** What a failed statement means to the caller: 503 for a disk or lock in the way; else the error itself, which is a bug of ours. */
export function toApiError(error: unknown): unknown {
  return passing.test(codeOf(error)) ? unavailable('The database is not available right now', error) : error
}

/** Whether the unique index over these columns (`table.column, …`) refused a row: uniqueness is decided by the index. */
export function violates(error: unknown, columns: string): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' && (error as Error).message.endsWith(columns)
}

export function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': retryAfterSeconds }, cause })
}

/** SQLite's extended result code, by name; empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
