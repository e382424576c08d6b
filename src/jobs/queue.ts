import { countUnfinished } from '../crm/bulk-job.ts'
import type { Store } from '../store/store.ts'

/** How many jobs of all workspaces have not ended, by status, and how many of their records are still to be imported. */
export function measureQueue(store: Store): { jobs: Record<string, number>; records: number } {
  const queue = { jobs: { queued: 0, processing: 0 } as Record<string, number>, records: 0 }
  for (const id of store.access.values<number>('SELECT id FROM workspace')) {
    for (const { status, jobs, records } of countUnfinished(store.workspace(id))) {
      queue.jobs[status] = (queue.jobs[status] ?? 0) + jobs
      queue.records += records
    }
  }
  return queue
}
