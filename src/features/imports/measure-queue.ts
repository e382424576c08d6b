import type { Store } from '../../store/store.ts'
import { countUnfinished } from './job.ts'

/** Counts the unfinished jobs of all workspaces, by status, and their records that are not imported yet. */
export function measureQueue(store: Store): { jobs: Record<string, number>; records: number } {
  const queue = { jobs: { queued: 0, processing: 0 } as Record<string, number>, records: 0 }
  for (const { status, jobs, records } of countUnfinished(store.access)) {
    queue.jobs[status] = jobs
    queue.records += records
  }
  return queue
}
