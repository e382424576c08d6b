import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from '../errors.ts'
import { openExisting } from '../store/copy.ts'
import { hasLog } from '../store/directory.ts'
import { leaveOpen } from '../store/leave-open.ts'
import { isLocked, lockIfFree } from '../store/lock.ts'

/**
 * Throws OperatorError for the database of a server that led its log and did not end in order: its log may not have the last commits yet. For any
 * database of a log, leaves one connection open: closing the last one would move commits out of the write-ahead log, and a server that runs, or
 * that starts meanwhile, may be killed before they are in its log. Returns a function for the end, which closes it if there is nothing to move.
 */
export async function requireShipped(path: string): Promise<() => void> {
  const directory = dirname(path)
  if (!hasLog(directory)) return () => {}
  if (!isLocked(directory)) await requireEnded(directory)
  const db = openExisting(path)
  leaveOpen(db)
  return () => {
    const release = lockIfFree(directory)
    if (release && statSync(`${path}-wal`, { throwIfNoEntry: false })?.size === 0) db.close()
    release?.()
  }
}

async function requireEnded(directory: string): Promise<void> {
  const { readState } = await import('../cluster/state.ts')
  if (readState(directory)?.leading === null) return
  throw new OperatorError(
    `The server of ${directory} did not end in order, so its log may not have its last commits: start the server first.`,
  )
}
