import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'
import { openExisting } from '../store/copy.ts'
import { hasLog } from '../store/directory.ts'
import { leaveOpen } from '../store/leave-open.ts'
import { isLocked } from '../store/lock.ts'

/**
 * Throws OperatorError for the database of a server that led its log and did not end in order: to open and close it here would move commits
 * out of its write-ahead log that the log does not have yet. While the server runs, one connection stays open, as the server may end first.
 */
export async function requireShipped(path: string): Promise<void> {
  const directory = dirname(path)
  if (!hasLog(directory)) return
  if (isLocked(directory)) return leaveOpen(openExisting(path))
  const { readState } = await import('../cluster/state.ts')
  if (readState(directory)?.leading === null) return
  throw new OperatorError(
    `The server of ${directory} did not end in order, so its log may not have its last commits: start the server first.`,
  )
}
