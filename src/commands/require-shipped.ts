import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'
import { hasLog } from '../store/directory.ts'
import { isLocked } from '../store/lock.ts'

/**
 * Throws OperatorError for the database of a server that led its log and did not end in order: to open and close it here would move commits
 * out of its write-ahead log that the log does not have yet.
 */
export async function requireShipped(path: string): Promise<void> {
  const directory = dirname(path)
  if (!hasLog(directory) || isLocked(directory)) return
  const { readState } = await import('../cluster/state.ts')
  if (readState(directory)?.leading === null) return
  throw new OperatorError(
    `The server of ${directory} did not end in order, so its log may not have its last commits: start the server first.`,
  )
}
