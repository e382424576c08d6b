import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from '../store/open.ts'

/** Moves the write-ahead log into the database, when it is asked to, so that the event loop does not wait for the disk. */

export type CheckpointMode = 'PASSIVE' | 'TRUNCATE'

/** Whether the log has been moved completely; or the message of the error. */
export type CheckpointReport = { isComplete: boolean } | { failed: string }

/** How long, in milliseconds, truncating the log may hold the write lock while it waits for a reader. */
const truncateMsMax = 50

const db = openConnection((workerData as { path: string }).path, {
  busyTimeoutMs: truncateMsMax,
  synchronous: 'NORMAL',
})

parentPort!.on('message', (mode: CheckpointMode | 'stop') => {
  if (mode === 'stop') {
    db.close()
    return parentPort!.close()
  }
  parentPort!.postMessage(checkpoint(mode))
})

function checkpoint(mode: CheckpointMode): CheckpointReport {
  try {
    const [{ busy, log, checkpointed }] = db.pragma(`wal_checkpoint(${mode})`) as [
      { busy: number; log: number; checkpointed: number },
    ]
    return { isComplete: busy === 0 && log === checkpointed }
  } catch (error) {
    return { failed: (error as Error).message }
  }
}
