import { findWorkspaceId } from '../access/company.ts'
import { listActivityKeys } from '../crm/activity-key.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { readIds } from './ids.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const idsMax = 100

/** The API keys that created activities. `?ids=` takes up to 100 ids, separated by commas. The API itself does not show them (decision A10). */
export const activityKeyRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/activity-keys', for: 'member', run: showKeys },
]

function showKeys({ store, session, environment, query }: MemberCall): ApiResponse {
  const ids = readIds(query, { min: 1, max: idsMax })
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  return data(listActivityKeys(reader, ids))
}
