import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { snapshotParts } from '../changes/snapshot.ts'
import { boundsOf } from '../changes/stored-change.ts'
import { exportParts, isExport } from '../engine/export/read-export.ts'
import { beginSnapshot } from '../store/begin-snapshot.ts'
import { openConnection } from '../store/open.ts'
import { Statements, WorkspaceReader } from '../store/statements.ts'
import type { SnapshotInput, SnapshotMessage } from './snapshots.ts'

// A thread that reads one snapshot or export in one transaction, part by part, each when it is asked for.

/** A low priority, so that the event loop takes precedence on a busy machine. */
const niceness = 10
const cacheKiB = 8_192

const { path, workspaceId, what, positions } = workerData as SnapshotInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
db.pragma('query_only = ON')
if (process.platform === 'linux') setPriority(niceness) // on Linux, of this thread alone
const statements = new Statements(db, () => {})
const reader = new WorkspaceReader(statements, workspaceId)
const position = beginSnapshot(statements, positions)
send({ seq: boundsOf(reader).latest, position })

const parts = isExport(what) ? exportParts(what, reader) : snapshotParts(what, reader)
parentPort!.on('message', () => {
  const { value, done } = parts.next()
  send(done ? 'end' : { part: value })
})

function send(message: SnapshotMessage): void {
  parentPort!.postMessage(message)
}
