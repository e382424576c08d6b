import { findWorkspaceId } from '../access/company.ts'
import type { Answer } from '../engine/route.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

/** What lists do not tell: how many deals each stage holds and what they are worth, a sum for each currency. */
export const pipelineRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/pipeline', for: 'member', run: sumStages },
]

interface Sum {
  stage_id: string
  currency: string
  deals: number
  value: number
}

function sumStages({ store, session, environment }: MemberCall): Answer {
  const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
  const sums = store.workspace(workspaceId).rows<Sum>(
    `SELECT stage_id, currency, count(*) AS deals, sum(value) AS value FROM deal
      WHERE workspace_id = :workspace AND deleted_at IS NULL GROUP BY stage_id, currency ORDER BY deals DESC`,
  )
  return data(sums)
}
