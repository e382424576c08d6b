import { accessSync, constants } from 'node:fs'
import { constants as system } from 'node:os'
import { ApiError } from '../errors.ts'

const retryAfterSeconds = '1'

/** Failures of the disk or a lock, which may pass. SQLite also reports a read that the disk failed as CORRUPT. */
const passing = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PROTOCOL|CORRUPT)/

/** Why a disk does not write or read. */
export const diskFaults = ['full', 'quota', 'read_only', 'io_error'] as const
export type DiskFault = (typeof diskFaults)[number]

/** By SQLite's result code or the system's. SQLite reports every failed write but that to a full disk as IOERR. */
const faults: readonly [code: RegExp, fault: DiskFault][] = [
  [/^(?:SQLITE_FULL|ENOSPC$)/, 'full'],
  [new RegExp(`^Unknown system error -${system.errno.EDQUOT}$`), 'quota'], // libuv has no name for it
  [/^(?:SQLITE_READONLY|EROFS$)/, 'read_only'],
  [/^(?:SQLITE_IOERR|EIO$)/, 'io_error'],
]

const reasons: Readonly<Record<DiskFault, string>> = {
  full: 'the disk is full',
  quota: 'the disk quota is used up',
  read_only: 'the file system is read-only',
  io_error: 'the disk reported an I/O error',
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Converts a failure of the disk or a lock to a 503. Returns any other error, which is a bug, unchanged. */
export function toApiError(error: unknown): unknown {
  return passing.test(codeOf(error)) ? unavailable('The database is not available right now', error) : error
}

/** Whether the disk or a lock failed, so that the work can be done again. */
export function isPassing(error: unknown): boolean {
  const known = toApiError(error)
  return known instanceof ApiError && known.code === 'SERVICE_UNAVAILABLE'
}

/** The error of a transaction that SQLite has undone because the disk under the database at `path` failed. */
export function undone(path: string, cause?: unknown): ApiError {
  return cause instanceof ApiError ? cause : unavailable('Nothing was written', cause, path)
}

/** Why the disk failed, by an error or its causes; undefined if it did not. `path`: a file on it that was written. */
export function diskFaultOf(error: unknown, path?: string): DiskFault | undefined {
  if (!(error instanceof Error)) return undefined
  const fault = faults.find(([code]) => code.test(codeOf(error)))?.[1] ?? diskFaultOf(error.cause, path)
  return fault === 'io_error' && path !== undefined && isReadOnly(path) ? 'read_only' : fault
}

/** Whether the disk has no space: then each write fails alike, and a stack says nothing. */
export function lacksSpace(error: unknown): boolean {
  const fault = diskFaultOf(error)
  return fault === 'full' || fault === 'quota'
}

function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

/** Whether the unique index over these columns (`table.column, …`) rejected a row. */
export function violates(error: unknown, columns: string): boolean {
  return codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE' && (error as Error).message.endsWith(columns)
}

/** A 503. The message also says what is wrong with the disk, if that is the cause. */
export function unavailable(message: string, cause?: unknown, path?: string): ApiError {
  const fault = diskFaultOf(cause, path)
  const text = fault ? `${message}: ${reasons[fault]}` : message
  return new ApiError('SERVICE_UNAVAILABLE', text, { headers: { 'Retry-After': retryAfterSeconds }, cause })
}

/** Returns the name of SQLite's extended result code or of the system's error, or an empty string for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
