import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { snapshotReading } from '../changes/snapshot.ts'
import { boundsOf } from '../changes/stored-change.ts'
import { exportReading } from '../engine/finding/export/read-export.ts'
import type { LongReading } from '../engine/finding/reading.ts'
import { beginSnapshot } from '../store/begin-snapshot.ts'
import { openConnection } from '../store/open.ts'
import { Statements, WorkspaceReader } from '../store/statements.ts'
import type { SnapshotInput, SnapshotMessage } from './snapshots.ts'

// A thread that reads one snapshot or export in one transaction, part by part, each when it is asked for.

// biome-ignore lint/suspicious/noExplicitAny: each is given the question that its own route asks
const longReadings: Record<string, LongReading<any>> = {
  [snapshotReading.name]: snapshotReading,
  [exportReading.name]: exportReading,
}

/** A low priority, so that the event loop takes precedence on a busy machine. */
const niceness = 10
const cacheKiB = 8_192

const { path, workspaceId, reading, question, positions } = workerData as SnapshotInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
db.pragma('query_only = ON')
if (process.platform === 'linux') setPriority(niceness) // on Linux, of this thread alone
const statements = new Statements(db, () => {})
const reader = new WorkspaceReader(statements, workspaceId)
const position = beginSnapshot(statements, positions)
send({ seq: boundsOf(reader).latest, position })

const parts = longReadings[reading]!.parts(reader, question)[Symbol.iterator]()
parentPort!.on('message', () => {
  const { value, done } = parts.next()
  send(done ? 'end' : { part: value })
})

function send(message: SnapshotMessage): void {
  parentPort!.postMessage(message)
}
