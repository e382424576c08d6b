import { countUnfinished } from '../crm/bulk-job.ts'
import type { Store } from '../store/store.ts'

/** How many jobs of all workspaces have not ended, by status, and how many of their records are still to be imported. */
export function measureQueue(store: Store): { jobs: Record<string, number>; records: number } {
  const queue = { jobs: { queued: 0, processing: 0 } as Record<string, number>, records: 0 }
  for (const { status, jobs, records } of countUnfinished(store.access)) {
    queue.jobs[status] = jobs
    queue.records += records
  }
  return queue
}
