import { statSync } from 'node:fs'
import { errorFields, log } from '../lib/log.ts'
import { isSuspect, type LogState, markSuspect } from '../store/durability.ts'
import { frameHeader } from '../store/log-format.ts'
import type { Connection } from '../store/open.ts'

const checkpointEveryMs = 1_000
/** A smaller log is not worth the sync of a checkpoint. */
const walBytesMin = 4 * 2 ** 20
/** A log with more content begins anew, even if writers have to wait for a moment. */
const walBytesMax = 64 * 2 ** 20
/** A larger file is truncated after so many checks between which little was written. */
const calmChecksMin = 30
/** How long, in milliseconds, a checkpoint may hold the write lock while it waits for a reader. */
const lockedMsMax = 50

/** The log at the last check. */
interface Seen {
  /** The bytes that have content. */
  bytes: number
  /** The number of checks since much was written. */
  calmChecks: number
}

/** Moves the content of the write-ahead log into the database file from time to time. */
export function startCheckpoints(db: Connection, logState: LogState): { stop(): void } {
  const seen: Seen = { bytes: 0, calmChecks: 0 }
  const timer = setInterval(() => checkpointIfSafe(db, logState, seen), checkpointEveryMs)
  return { stop: () => clearInterval(timer) }
}

/** If the log is not completely on disk, a power cut during a checkpoint would leave a database that cannot be repaired. */
function checkpointIfSafe(db: Connection, logState: LogState, seen: Seen): void {
  if (isSuspect(logState)) return
  try {
    checkpoint(db, seen)
  } catch (error) {
    markSuspect(logState) // the sync of the log may have failed
    log('the checkpoint failed', errorFields(error), 'error')
  }
}

/** While much is written, the log is overwritten rather than truncated: the file system would have to find new space for each write. */
function checkpoint(db: Connection, seen: Seen): void {
  const fileBytes = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (fileBytes <= walBytesMin) return
  const [{ log: frames, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)') as [
    { log: number; checkpointed: number },
  ]
  const bytes = frames * (frameHeader.bytes + (db.pragma('page_size', { simple: true }) as number))
  const grown = bytes < seen.bytes ? bytes : bytes - seen.bytes
  seen.calmChecks = grown <= walBytesMin ? seen.calmChecks + 1 : 0
  seen.bytes = bytes
  // While a reader (a backup, a replication) still needs part of the log, it cannot begin anew, and writers would wait in vain.
  if (fileBytes <= walBytesMax || checkpointed < frames) return
  const isCalm = seen.calmChecks >= calmChecksMin
  if (!isCalm && bytes <= walBytesMax) return
  db.pragma(`busy_timeout = ${lockedMsMax}`)
  db.pragma(`wal_checkpoint(${isCalm ? 'TRUNCATE' : 'RESTART'})`)
}
