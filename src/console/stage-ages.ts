import { findWorkspaceId } from '../access/company.ts'
import { staleness } from '../crm/staleness.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import { parseUuid } from '../lib/uuid.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const idsMax = 100

/** `?id=…&id=…`: since when deals are in their stages, and which are stale, as `[{id, entered_at, is_stale}, …]`. Records do not show it. */
export const stageAgeRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/stage-ages', for: 'member', run: showAges },
]

interface Age {
  id: string
  entered_at: string
  is_stale: number
}

function showAges({ store, session, environment, query }: MemberCall): ApiResponse {
  const ids = new URLSearchParams(query).getAll('id').map(parseUuid)
  if (ids.length === 0 || ids.length > idsMax || ids.includes(undefined)) {
    throw new ApiError('INVALID_REQUEST', `id must be given 1 to ${idsMax} times, each a UUID`)
  }
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  const sql = `SELECT id, entered_at, ${staleness.holds} AS is_stale FROM deal
    WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL`
  const ages = reader.rows<Age>(sql, timestamp(store.clock.now()), JSON.stringify(ids))
  return data(ages.map((age) => ({ ...age, is_stale: age.is_stale === 1 })))
}
