import { findWorkspaceId } from '../access/company.ts'
import { type StageSum, sumStages } from '../crm/pipeline.ts'
import { hasFewRecords } from '../engine/list/list-cost.ts'
import { type ConsoleRoute, data } from './route.ts'

/** Computes sums that may take long, off the event loop. */
export interface OffThreadSums {
  sumStages(workspaceId: number): Promise<StageSum[]>
}

/** The number of deals in each stage and the sum of their values for each currency, which lists do not show. */
export function pipelineRoutes(offThread: OffThreadSums | undefined): ConsoleRoute[] {
  return [
    {
      method: 'GET',
      path: '/console/pipeline',
      for: 'member',
      async run({ store, session, environment }) {
        const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
        const reader = store.workspace(workspaceId)
        return data(
          offThread && !hasFewRecords('deal', reader) ? await offThread.sumStages(workspaceId) : sumStages(reader),
        )
      },
    },
  ]
}
