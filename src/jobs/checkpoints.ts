import { statSync } from 'node:fs'
import { errorFields, log } from '../lib/log.ts'
import { isSuspect, type LogState, markSuspect } from '../store/durability.ts'
import type { Connection } from '../store/open.ts'

const checkpointEveryMs = 1_000
/** A smaller log is not worth the sync of a checkpoint. */
const walBytesMin = 4 * 2 ** 20
/** A larger log is truncated, even if writers have to wait for a moment. */
const walBytesMax = 64 * 2 ** 20
/** How long, in milliseconds, truncating the log may hold the write lock while it waits for a reader. */
const truncateMsMax = 50

/** Moves the content of the write-ahead log into the database file from time to time. */
export function startCheckpoints(db: Connection, logState: LogState): { stop(): void } {
  const timer = setInterval(() => checkpointIfSafe(db, logState), checkpointEveryMs)
  return { stop: () => clearInterval(timer) }
}

/** If the log is not completely on disk, a power cut during a checkpoint would leave a database that cannot be repaired. */
function checkpointIfSafe(db: Connection, logState: LogState): void {
  if (isSuspect(logState)) return
  try {
    checkpoint(db)
  } catch (error) {
    markSuspect(logState) // the sync of the log may have failed
    log('the checkpoint failed', errorFields(error), 'error')
  }
}

function checkpoint(db: Connection): void {
  const bytes = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= walBytesMin) return
  const [{ log: frames, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)') as [
    { log: number; checkpointed: number },
  ]
  // While a reader (a backup, a replication) still needs part of the log, it cannot be truncated, and writers would wait in vain.
  if (bytes <= walBytesMax || checkpointed < frames) return
  db.pragma(`busy_timeout = ${truncateMsMax}`)
  db.pragma('wal_checkpoint(TRUNCATE)')
}
