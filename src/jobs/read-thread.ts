import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { sumStages } from '../crm/pipeline.ts'
import { findPage } from '../engine/page.ts'
import { openConnection } from '../store/open.ts'
import { logSlow } from '../store/slow.ts'
import { Door, Statements } from '../store/statements.ts'
import type { ApartInput, Asked } from './reads-apart.ts'

// The thread for what may read much, on a connection of its own that only reads.

/** Where the machine is busy, the event loop goes first. */
const niceness = 5

const { path, slowMs } = workerData as ApartInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
db.pragma('query_only = ON')
const statements = new Statements(db, () => {}, slowMs === undefined ? undefined : logSlow(slowMs))
if (process.platform === 'linux') setPriority(niceness) // of this thread alone, as Linux has it

parentPort!.on('message', ({ workspaceId, what, cause }: Asked) => {
  statements.control('BEGIN') // total and page are of one moment
  try {
    const reader = new Door(statements, workspaceId, cause)
    parentPort!.postMessage({ found: what === 'stage sums' ? sumStages(reader) : findPage(reader, what) })
  } catch (error) {
    parentPort!.postMessage({ error })
  } finally {
    statements.control('COMMIT')
  }
})
