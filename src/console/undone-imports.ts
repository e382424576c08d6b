import { findWorkspaceId } from '../access/company.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { isUndone } from '../features/imports/undone.ts'
import { readIds } from './ids.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const idsMax = 50

/** Which of these imports were undone. `?ids=` takes up to 50 ids of jobs, separated by commas. */
export const undoneImportRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/undone-imports', for: 'member', run: listUndone },
]

function listUndone({ store, session, environment, query }: MemberCall): ApiResponse {
  const ids = readIds(query, { max: idsMax })
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  return data(ids.filter((id) => isUndone(reader, id)))
}
