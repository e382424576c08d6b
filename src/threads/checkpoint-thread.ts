import { parentPort, workerData } from 'node:worker_threads'
import { Gaps } from '../store/gaps.ts'
import { openConnection } from '../store/open.ts'

/** Moves the write-ahead log into the database, and overwrites gaps of pages, when it is asked to, so that the event loop does not wait for the disk. */

type CheckpointMode = 'PASSIVE' | 'TRUNCATE'

/** What is asked for: a checkpoint, or a step of `overwriteGaps`. */
export type CheckpointOrder = CheckpointMode | 'look' | 'clear' | 'end'

/** Whether the log has been moved completely, or what the step returns; or the message of the error. */
export type CheckpointReport = { isComplete: boolean } | { failed: string }

/** How long, in milliseconds, truncating the log may hold the write lock while it waits for a reader. */
const truncateMsMax = 50

const { path } = workerData as { path: string }
const db = openConnection(path, { busyTimeoutMs: truncateMsMax, synchronous: 'NORMAL' })
let gaps: Gaps | undefined

const steps = {
  look: () => openGaps().look(),
  clear: () => openGaps().clear(),
  end() {
    gaps?.end()
    return true
  },
  PASSIVE: () => checkpoint('PASSIVE'),
  TRUNCATE: () => checkpoint('TRUNCATE'),
}

parentPort!.on('message', (order: CheckpointOrder | 'stop') => {
  if (order === 'stop') {
    gaps?.close()
    db.close()
    return parentPort!.close()
  }
  parentPort!.postMessage(reportOf(steps[order]))
})

function reportOf(step: () => boolean): CheckpointReport {
  try {
    return { isComplete: step() }
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

function checkpoint(mode: CheckpointMode): boolean {
  const [{ busy, log, checkpointed }] = db.pragma(`wal_checkpoint(${mode})`) as [
    { busy: number; log: number; checkpointed: number },
  ]
  return busy === 0 && log === checkpointed
}

function openGaps(): Gaps {
  gaps ??= new Gaps(path)
  return gaps
}
