import { findWorkspaceId } from '../access/company.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { validationError } from '../errors.ts'
import { isUndone } from '../features/imports/undone.ts'
import { parseUuid } from '../lib/uuid.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

const idsMax = 50

/** Which of these imports were undone. `?ids=` takes up to 50 ids of jobs, separated by commas. */
export const undoneImportRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/undone-imports', for: 'member', run: listUndone },
]

function listUndone({ store, session, environment, query }: MemberCall): ApiResponse {
  const given = new URLSearchParams(query).get('ids')?.split(',') ?? []
  const ids = given.map(parseUuid).filter((id) => id !== undefined)
  if (ids.length < given.length || ids.length > idsMax) {
    const message = `ids must be up to ${idsMax} UUIDs, separated by commas`
    throw validationError([{ field: 'ids', message, code: 'INVALID_VALUE' }])
  }
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  return data(ids.filter((id) => isUndone(reader, id)))
}
