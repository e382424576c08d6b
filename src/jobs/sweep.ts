import { listWorkspaceIds } from '../access/company.ts'
import { hasBatch } from '../crm/bulk-batch.ts'
import { hasJobs, removeJobs } from '../crm/bulk-job.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import type { Store } from '../store/store.ts'

const keptMs = 30 * dayMs

/** Removes jobs that ended long ago; answers the workspaces whose jobs have not. */
export async function sweep(store: Store): Promise<number[]> {
  const unfinished: number[] = []
  const finishedBefore = timestamp(store.clock.now() - keptMs)
  for (const id of listWorkspaceIds(store.access)) {
    const reader = store.workspace(id)
    if (hasBatch(reader)) unfinished.push(id)
    if (hasJobs(reader, finishedBefore)) await store.write(id, (tx) => removeJobs(tx, finishedBefore))
  }
  return unfinished
}
