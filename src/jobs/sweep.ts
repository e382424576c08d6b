import { listWorkspaceIds } from '../access/company.ts'
import { hasBatch } from '../crm/bulk-batch.ts'
import { hasJobs, removeJobs } from '../crm/bulk-job.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import type { Store } from '../store/store.ts'

const retentionMs = 30 * dayMs

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
