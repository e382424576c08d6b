import { findWorkspaceId } from '../access/company.ts'
import { listActivityKeys } from '../crm/activity-key.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { validationError } from '../errors.ts'
import { parseUuid } from '../lib/uuid.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const idsMax = 100

/** The API keys that created activities. `?ids=` takes up to 100 ids, separated by commas. The API itself does not show them (decision A10). */
export const activityKeyRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/activity-keys', for: 'member', run: showKeys },
]

function showKeys({ store, session, environment, query }: MemberCall): ApiResponse {
  const given = new URLSearchParams(query).get('ids')?.split(',') ?? []
  const ids = given.map(parseUuid).filter((id) => id !== undefined)
  if (ids.length === 0 || ids.length < given.length || ids.length > idsMax) {
    const message = `ids must be 1 to ${idsMax} UUIDs, separated by commas`
    throw validationError([{ field: 'ids', message, code: 'INVALID_VALUE' }])
  }
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  return data(listActivityKeys(reader, ids))
}
