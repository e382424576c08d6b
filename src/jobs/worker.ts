import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from '../store/open.ts'
import type { WorkerInput } from './work.ts'

// The worker thread: what may take long, on a connection of its own.

const checkpointEveryMs = 1_000
/** Below this a checkpoint is not worth its sync. */
const walBytesMin = 4 * 2 ** 20
/** From here the log is cut back even if writers have to wait for a moment. */
const walBytesMax = 64 * 2 ** 20

/** How long a cut may hold the write lock waiting for a reader. */
const cutMsMax = 50

const { path } = workerData as WorkerInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
const timer = setInterval(checkpoint, checkpointEveryMs)

parentPort!.once('message', () => {
  clearInterval(timer)
  db.close()
})

/** Moves what is in the write-ahead log into the database, off the event loop. */
function checkpoint(): void {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes > walBytesMin) db.pragma('wal_checkpoint(PASSIVE)')
  if (bytes > walBytesMax) {
    db.pragma(`busy_timeout = ${cutMsMax}`)
    db.pragma('wal_checkpoint(TRUNCATE)')
  }
}
