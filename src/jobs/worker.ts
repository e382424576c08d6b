import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from '../store/open.ts'
import { startBackups } from './backups.ts'
import { startCheckpoints } from './checkpoints.ts'
import { startSearchEntry } from './search-entry.ts'
import type { WorkerInput } from './work.ts'

// The worker thread: what may take long, on connections of its own.

const { path, doubt, searched, backups } = workerData as WorkerInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
const running = [
  startCheckpoints(db, doubt),
  startSearchEntry(path, searched),
  ...(backups ? [startBackups(path, backups)] : []),
]

parentPort!.once('message', () => {
  for (const each of running) each.stop()
  db.close()
})
