import { findWorkspaceId } from '../access/company.ts'
import { type StageSum, sumStages } from '../crm/pipeline.ts'
import { hasFew } from '../engine/list/list-cost.ts'
import { type ConsoleRoute, data } from './route.ts'

/** Where sums that may take long are made, without holding up others. */
export interface OffThreadSums {
  sumStages(workspaceId: number): Promise<StageSum[]>
}

/** What lists do not tell: how many deals each stage holds and what they are worth, a sum for each currency. */
export function pipelineRoutes(apart: OffThreadSums | undefined): ConsoleRoute[] {
  return [
    {
      method: 'GET',
      path: '/console/pipeline',
      for: 'member',
      async run({ store, session, environment }) {
        const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
        const reader = store.workspace(workspaceId)
        return data(apart && !hasFew('deal', reader) ? await apart.sumStages(workspaceId) : sumStages(reader))
      },
    },
  ]
}
