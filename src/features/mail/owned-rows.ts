import { grants } from '../../access/scopes.ts'
import { type ApiResponse, deleted, requireMatch, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { type Approached, conditionOn } from '../../engine/finding/list/approach.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readRecordQuery } from '../../engine/finding/query/query.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { remove } from '../../engine/records/rows/write.ts'
import { findText, idOf, lookupText, notFound } from '../../engine/records/select.ts'
import type { Reader } from '../../store/reader.ts'

/** Whether a caller has to do with the rows of a user; null: with those of the company. */
type IsOf = (caller: Caller, userId: unknown) => boolean

interface OwnedRows {
  isOf: IsOf
  list: Route['run']
  get(call: Call): ApiResponse
  destroy(call: Call): Promise<ApiResponse>
  /** The id of a row that the caller may see. Throws NOT_FOUND. */
  findVisible(reader: Reader, caller: Caller, given: string): string
}

/**
 * Access to a resource whose rows belong to a user (`user_id`) or to the company: admins see and delete all of them, others their own ones,
 * and those of the company if these are `shared`.
 */
export function ownedRows(resource: Resource, { shared }: { shared: boolean }): OwnedRows {
  const isOf: IsOf = (caller, userId) =>
    isAdmin(caller) || ((userId ?? null) === null ? shared : userId === caller.userId)
  const findVisible = (reader: Reader, caller: Caller, given: string) => {
    const id = idOf(resource, given)
    const text = lookupText(resource, reader, id)
    if (text === undefined || !isOf(caller, JSON.parse(text).user_id)) throw notFound(resource)
    return id
  }
  return {
    ...{ isOf, findVisible },
    list: (call) => list(resource, call, isAdmin(call.caller) ? [] : [ownedBy(resource, call.caller, shared)]),
    get({ reader, caller, params, query }) {
      readRecordQuery(resource, query)
      return shown(200, findText(resource, reader, findVisible(reader, caller, params.id!)), resource)
    },
    destroy(call) {
      refuseParameters(call.query)
      return call.write((tx, caller) => {
        const id = findVisible(tx, caller, call.params.id!)
        const readText = () => lookupText(resource, tx, id)!
        remove(resource, tx, id, () => requireMatch(call.headers.ifMatch, readText, resource))
        return deleted
      })
    },
  }
}

function isAdmin({ scopes }: Caller): boolean {
  return grants(scopes, 'admin:all')
}

function ownedBy(resource: Resource, { userId }: Caller, shared: boolean): Approached {
  const { narrow, ...rest } = conditionOn(resource, 'user_id', 'ne', 'null')
  const sql = shared ? '(user_id IS NULL OR user_id = ?)' : 'user_id = ?'
  return { ...rest, sql, params: [userId ?? ''] }
}
