import { setTimeout as delay } from 'node:timers/promises'
import { listWorkspaceIds } from '../access/company.ts'
import { hasChangesBefore, pruneChanges } from '../changes/prune.ts'
import { hasBatch } from '../crm/bulk-batch.ts'
import { hasJobs, removeJobs } from '../crm/bulk-job.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import type { Store } from '../store/store.ts'

const retentionMs = 30 * dayMs
/** Between two transactions that remove changes. Waiting writes try to take the lock every millisecond. */
const pauseMs = 5

/** Removes jobs that ended more than 30 days ago. Returns the workspaces that have unfinished jobs. */
export async function sweep(store: Store): Promise<number[]> {
  const unfinished: number[] = []
  const finishedBefore = timestamp(store.clock.now() - retentionMs)
  for (const id of listWorkspaceIds(store.access)) {
    if (hasBatch(store.workspace(id))) unfinished.push(id)
    while (hasJobs(store.workspace(id), finishedBefore)) await store.write(id, (tx) => removeJobs(tx, finishedBefore))
  }
  return unfinished
}

/** Removes changes that are older than `keepMs` (decision G9). `signal` ends it early. */
export async function pruneLogs(store: Store, keepMs: number, signal?: AbortSignal): Promise<void> {
  const beforeMs = store.clock.now() - keepMs
  for (const id of listWorkspaceIds(store.access)) {
    while (!signal?.aborted && hasChangesBefore(store.workspace(id), beforeMs)) {
      await store.write(id, (tx) => pruneChanges(tx, beforeMs))
      await delay(pauseMs)
    }
  }
}
