import { setTimeout as delay } from 'node:timers/promises'
import { listWorkspaceIds } from '../access/company.ts'
import { hasPrunable, pruneChanges } from '../changes/prune.ts'
import { hasBatch } from '../crm/bulk-batch.ts'
import { hasJobs, removeJobs } from '../crm/bulk-job.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { hasDeliveries, removeDeliveries } from '../webhooks/deliveries.ts'
import { unneededUntil } from '../webhooks/state.ts'

const retentionMs = 30 * dayMs
/** Between two transactions that remove changes. Waiting writes try to take the lock every millisecond. */
const pauseMs = 5

/** Removes jobs that ended, and deliveries that began, more than 30 days ago. Returns the workspaces that have unfinished jobs. */
export async function sweep(store: Store): Promise<number[]> {
  const unfinished: number[] = []
  const before = timestamp(store.clock.now() - retentionMs)
  for (const id of listWorkspaceIds(store.access)) {
    if (hasBatch(store.workspace(id))) unfinished.push(id)
    while (hasJobs(store.workspace(id), before)) await store.write(id, (tx) => removeJobs(tx, before))
    while (hasDeliveries(store.workspace(id), before)) {
      await store.write(id, (tx) => removeDeliveries(tx, before))
    }
  }
  return unfinished
}

/** Removes changes that are older than `keepMs`, except those that a webhook has not delivered (decision G9). `signal` ends it early. */
export async function pruneLogs(store: Store, keepMs: number, signal?: AbortSignal): Promise<void> {
  const beforeMs = store.clock.now() - keepMs
  for (const id of listWorkspaceIds(store.access)) {
    const prunable = (reader: Reader) => ({ beforeMs, until: unneededUntil(reader) ?? Number.MAX_SAFE_INTEGER })
    const hasMore = () => hasPrunable(store.workspace(id), prunable(store.workspace(id)))
    while (!signal?.aborted && hasMore()) {
      await store.write(id, (tx) => pruneChanges(tx, prunable(tx)))
      await delay(pauseMs)
    }
  }
}
