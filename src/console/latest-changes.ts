import { findWorkspaceId } from '../access/company.ts'
import { roleScopes } from '../access/session.ts'
import { latestReading } from '../changes/latest.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { resources } from '../features/index.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const shownMax = 8

/** The resources whose changes are shown: those that can be deleted. Activities have a list of their own. */
const reading = latestReading(resources.filter(({ operations }) => operations.includes('delete')))

/** The latest changes of all records that the user may read; the API's feed begins with the oldest. */
export const latestChangeRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/latest-changes', for: 'member', run: showLatest },
]

async function showLatest({ store, session, environment, readIn }: MemberCall): Promise<ApiResponse> {
  const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
  const latest = await readIn(workspaceId)(reading, { max: shownMax, scopes: roleScopes[session.role] })
  return data(latest.map(({ text, count }) => ({ ...withoutNumber(text), count })))
}

/** The change may not be on disk yet, so its number is not shown (decision G2). */
function withoutNumber(text: string): object {
  const { seq, ...change } = JSON.parse(text)
  return change
}
