import { setTimeout as delay } from 'node:timers/promises'
import { listWorkspaceIds } from '../access/company.ts'
import { hasPrunable, pruneChanges } from '../changes/prune.ts'
import { unneededUntil } from '../changes/readers/log-reader.ts'
import { hasJobs, removeJobs } from '../features/imports/job.ts'
import { hasWork } from '../features/imports/run-batch.ts'
import { logReaders } from '../features/index.ts'
import { removeAll } from '../features/webhooks/remove-deliveries.ts'
import { hasOldDeliveries, removeOldDeliveries } from '../features/webhooks/stored/removal.ts'
import { dayMs, timestamp } from '../lib/clock.ts'
import { WorkspaceFailures } from '../lib/workspace-failures.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'

const retentionMs = 30 * dayMs
/** Between two transactions that remove changes. Waiting writes try to take the lock every millisecond. */
const pauseMs = 5

/** When the newest change was made, in milliseconds since 1970; 0 if there is none. */
export async function newestChangeMs(store: Store): Promise<number> {
  const sql = 'SELECT at FROM change WHERE workspace_id = :workspace ORDER BY seq DESC LIMIT 1'
  let newest = 0
  await inEach(store, async (id) => {
    newest = Math.max(newest, store.workspace(id).value<number>(sql) ?? 0)
  })
  return newest
}

interface SweepOptions {
  /** The time for the age of things. Default: that of the store. */
  nowMs?: number
  /** Ends it early. */
  signal?: AbortSignal
}

/** Removes jobs that ended, and deliveries that began, more than 30 days ago, and those of erased webhooks. Returns the workspaces that have unfinished work. */
export async function sweep(store: Store, { nowMs = store.clock.now(), signal }: SweepOptions = {}): Promise<number[]> {
  const unfinished: number[] = []
  const beforeMs = nowMs - retentionMs
  const before = timestamp(beforeMs)
  await inEach(store, async (id) => {
    if (hasWork(store.workspace(id))) unfinished.push(id)
    const hasMore = (has: (reader: Reader) => boolean) => !signal?.aborted && has(store.workspace(id))
    while (hasMore((reader) => hasJobs(reader, before))) await store.write(id, (tx) => removeJobs(tx, before))
    while (hasMore((reader) => hasOldDeliveries(reader, beforeMs))) {
      await store.write(id, (tx) => removeOldDeliveries(tx, beforeMs))
    }
    await removeAll(store, id, signal)
  })
  return unfinished
}

/** A workspace that fails does not keep the others back. The next sweep tries it again. */
async function inEach(store: Store, work: (workspaceId: number) => Promise<void>): Promise<void> {
  const failures = new WorkspaceFailures()
  for (const id of listWorkspaceIds(store.access)) await work(id).catch((error) => failures.note(id, error))
  failures.log('finished jobs or old changes were not removed')
}

/** Removes changes that are older than `keepMs`, except those that a reader of the log needs (decision G9). Returns how many. */
export async function pruneLogs(
  store: Store,
  keepMs: number,
  { nowMs = store.clock.now(), signal }: SweepOptions = {},
): Promise<number> {
  let removed = 0
  const beforeMs = nowMs - keepMs
  await inEach(store, async (id) => {
    const prunable = (reader: Reader) => ({
      beforeMs,
      until: unneededUntil(logReaders, reader) ?? Number.MAX_SAFE_INTEGER,
    })
    const hasMore = () => hasPrunable(store.workspace(id), prunable(store.workspace(id)))
    while (!signal?.aborted && hasMore()) {
      removed += await store.write(id, (tx) => pruneChanges(tx, prunable(tx)))
      await delay(pauseMs)
    }
  })
  return removed
}
