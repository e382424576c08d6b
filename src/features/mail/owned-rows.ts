import type { Rights } from '../../access/author-rights.ts'
import { grants } from '../../access/scopes.ts'
import { type ApiResponse, deleted, requireMatch, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { type Approached, conditionBy } from '../../engine/finding/list/approach.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readRecordQuery } from '../../engine/finding/query/query.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { remove } from '../../engine/records/rows/write.ts'
import { findText, idOf, lookupText, notFound } from '../../engine/records/select.ts'
import { forbidden } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'

/** Whether a caller has to do with the rows of a user; null: with those of the company. */
type IsOf = (by: Rights, userId: unknown) => boolean

interface Owning {
  /** Whether the rows of the company are everybody's. */
  readonly shared: boolean
  /** Whether a personal row is known to its user alone; default: also to admins. */
  readonly isPrivate?: boolean
  /** Throws INSUFFICIENT_PERMISSIONS if the caller may not delete a row of this user that it sees; null: of the company. */
  readonly allow?: (caller: Caller, userId: string | null) => void
}

export interface OwnedRows {
  isOf: IsOf
  list: Route['run']
  get(call: Call): ApiResponse
  destroy(call: Call): Promise<ApiResponse>
  /** The id of a row that the caller may see. Throws NOT_FOUND. */
  findVisible(reader: Reader, caller: Caller, given: string): string
  /** Throws INSUFFICIENT_PERMISSIONS if some of these rows, which may be deleted, belong to a user whose rows the caller may not change. */
  requireOwn(reader: Reader, by: Rights, ids: readonly string[]): void
}

/**
 * Access to a resource whose rows belong to a user (`user_id`) or to the company: admins see and delete all of them, others their own ones,
 * and those of the company if these are `shared`.
 */
export function ownedRows(resource: Resource, { shared, isPrivate = false, allow = () => {} }: Owning): OwnedRows {
  const ownerOf = (caller: Rights) => (isPrivate ? caller.viewer.userId : caller.userId) ?? null
  const seesAll = ({ scopes }: Rights) => !isPrivate && grants(scopes, 'admin:all')
  const isOf: IsOf = (caller, userId) =>
    seesAll(caller) || ((userId ?? null) === null ? shared : userId === ownerOf(caller))
  const lookup = (reader: Reader, caller: Caller, given: string) => {
    const id = idOf(resource, given)
    const text = lookupText(resource, reader, id)
    const userId: string | null = text === undefined ? null : JSON.parse(text).user_id
    if (text === undefined || !isOf(caller, userId)) throw notFound(resource)
    return { id, userId }
  }
  const findVisible: OwnedRows['findVisible'] = (...given) => lookup(...given).id
  return {
    ...{ isOf, findVisible },
    list: (call) => list(resource, call, seesAll(call.caller) ? [] : [ownedBy(resource, ownerOf(call.caller), shared)]),
    get({ reader, caller, params, query }) {
      readRecordQuery(resource, query)
      return shown(200, findText(resource, reader, findVisible(reader, caller, params.id!)), resource)
    },
    destroy(call) {
      refuseParameters(call.query)
      return call.write((tx, caller) => {
        const { id, userId } = lookup(tx, caller, call.params.id!)
        allow(caller, userId)
        const readText = () => lookupText(resource, tx, id)!
        remove(resource, tx, id, () => requireMatch(call.headers.ifMatch, readText, resource))
        return deleted
      })
    },
    requireOwn(reader, caller, ids) {
      const sql = `SELECT DISTINCT user_id FROM ${resource.table}
        WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
      const owners = reader.values<string | null>(sql, JSON.stringify(ids))
      if (owners.every((userId) => isOf(caller, userId))) return
      throw forbidden('Only owners and admins undo changes of what belongs to others')
    },
  }
}

function ownedBy(resource: Resource, userId: string | null, shared: boolean): Approached {
  const sql = shared ? '(user_id IS NULL OR user_id = ?)' : 'user_id = ?'
  return conditionBy(resource, 'user_id', { sql, params: [userId ?? ''] })
}
