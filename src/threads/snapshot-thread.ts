import { parentPort, workerData } from 'node:worker_threads'
import { snapshotReading } from '../changes/snapshot.ts'
import { boundsOf } from '../changes/stored-change.ts'
import { exportReading } from '../engine/finding/export/read-export.ts'
import type { LongReading } from '../engine/finding/reading.ts'
import { beginSnapshot } from '../store/begin-snapshot.ts'
import { openReader } from '../store/open-reader.ts'
import { WorkspaceReader } from '../store/statements.ts'
import type { SnapshotInput, SnapshotMessage } from './snapshots.ts'

// A thread that reads one snapshot or export in one transaction, part by part, each when it is asked for.

// biome-ignore lint/suspicious/noExplicitAny: each is given the question that its own route asks
const longReadings: Record<string, LongReading<any>> = {
  [snapshotReading.name]: snapshotReading,
  [exportReading.name]: exportReading,
}

const { path, workspaceId, viewer, reading, question, positions } = workerData as SnapshotInput
const { statements } = openReader(path, { cacheKiB: 8_192 })
const reader = new WorkspaceReader(statements, workspaceId, { view: viewer })
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
