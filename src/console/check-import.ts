import { findWorkspaceId } from '../access/company.ts'
import { notAnObject, recordsMax } from '../crm/bulk-records.ts'
import { importedByPath } from '../crm/imported.ts'
import type { Resource } from '../engine/definition/define.ts'
import { isPlainObject } from '../engine/definition/fields.ts'
import type { ApiResponse } from '../engine/http-response.ts'
import { type JsonObject, missingReferences, readCreate } from '../engine/write/validate.ts'
import { ApiError, type Detail } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import { type ConsoleRoute, data, type MemberCall } from './route.ts'

/** Reports what an import would reject: the same validation, but nothing is written. */
export const checkImportRoutes: ConsoleRoute[] = Object.entries(importedByPath).map(
  ([name, resource]): ConsoleRoute => ({
    method: 'POST',
    path: `/console/check-import/${name}`,
    takesBody: true,
    bodySize: 'record',
    for: 'member',
    run: (call) => check(call, resource),
  }),
)

/** Returns the errors by 1-based row; valid rows are left out. */
function check({ store, session, environment, body }: MemberCall, resource: Resource): ApiResponse {
  const { records } = body
  if (!Array.isArray(records) || records.length > recordsMax) {
    throw new ApiError('INVALID_REQUEST', `The body must be { records: [...] } with at most ${recordsMax} records`)
  }
  const reader = store.workspace(findWorkspaceId(store.access, session.companyId, environment))
  const faults = records.flatMap((record, index) => {
    const errors = isPlainObject(record) ? faultsOf(resource, reader, record) : [{ field: '', message: notAnObject }]
    return errors.length > 0 ? [{ row: index + 1, errors }] : []
  })
  return data({ faults })
}

function faultsOf(resource: Resource, reader: Reader, record: JsonObject): Pick<Detail, 'field' | 'message'>[] {
  try {
    return missingReferences(resource, reader, readCreate(resource, reader, record).values)
  } catch (error) {
    if (error instanceof ApiError && error.details) return error.details
    throw error
  }
}
