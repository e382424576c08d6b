import { statSync } from 'node:fs'
import { errorFields, log } from '../lib/log.ts'
import { type Doubt, isDoubtful, raiseDoubt } from '../store/durability.ts'
import type { Connection } from '../store/open.ts'

const checkpointEveryMs = 1_000
/** Below this a checkpoint is not worth its sync. */
const walBytesMin = 4 * 2 ** 20
/** From here the log is cut back even if writers have to wait for a moment. */
const walBytesMax = 64 * 2 ** 20
/** How long a cut may hold the write lock waiting for a reader. */
const cutMsMax = 50

/** Moves what is in the write-ahead log into the database, off the event loop. */
export function startCheckpoints(db: Connection, doubt: Doubt): { stop(): void } {
  const timer = setInterval(() => checkpointIfSafe(db, doubt), checkpointEveryMs)
  return { stop: () => clearInterval(timer) }
}

/** Over a log that is not on the disk, a power cut amid a checkpoint would leave a database that nothing can repair. */
function checkpointIfSafe(db: Connection, doubt: Doubt): void {
  if (isDoubtful(doubt)) return
  try {
    checkpoint(db)
  } catch (error) {
    raiseDoubt(doubt) // it may have been the sync of the log that failed
    log('the checkpoint failed', errorFields(error), 'error')
  }
}

function checkpoint(db: Connection): void {
  const bytes = statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= walBytesMin) return
  const [{ log: frames, checkpointed }] = db.pragma('wal_checkpoint(PASSIVE)') as [
    { log: number; checkpointed: number },
  ]
  // Where a reader (a backup, a replication) still needs part of the log, a cut would only make writers wait, for nothing.
  if (bytes <= walBytesMax || checkpointed < frames) return
  db.pragma(`busy_timeout = ${cutMsMax}`)
  db.pragma('wal_checkpoint(TRUNCATE)')
}
