import { findWorkspaceId } from '../access/company.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { undoneReading } from '../features/imports/undone.ts'
import { readIds } from './ids.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const idsMax = 50

/** Which of these imports were undone. `?ids=` takes up to 50 ids of jobs, separated by commas. */
export const undoneImportRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/undone-imports', for: 'member', run: listUndone },
]

async function listUndone({ store, session, environment, query, readIn }: MemberCall): Promise<ApiResponse> {
  const ids = readIds(query, { max: idsMax })
  const workspaceId = findWorkspaceId(store.access, session.companyId, environment)
  return data(await readIn(workspaceId)(undoneReading, ids))
}
