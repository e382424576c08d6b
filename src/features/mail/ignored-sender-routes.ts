import { grants, missingScope } from '../../access/scopes.ts'
import { ignoredSender, lookupIgnoredSender } from '../../crm/ignored-sender.ts'
import { type ApiResponse, deleted, requireMatch, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { type Approached, conditionOn } from '../../engine/finding/list/approach.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readRecordQuery } from '../../engine/finding/query/query.ts'
import { readCreate } from '../../engine/records/rows/validate.ts'
import { insert, remove } from '../../engine/records/rows/write.ts'
import { findText, idOf, lookupText, notFound } from '../../engine/records/select.ts'
import { validationError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import { describeCreate, describeDelete, describeGet, describeList } from './describe-ignored-senders.ts'

const path = `/${ignoredSender.path}`
const { read, write } = ignoredSender.scopes
/** A personal one changes nothing for others: it needs the scope that reads messages. */
const changing = { scope: read, bodySize: 'small' } as const

/** The endpoints of senders that are not for Kontor (decision P11). */
export const ignoredSenderRoutes: readonly Route[] = [
  { method: 'GET', path, scope: read, takesBody: false, run: listVisible, describe: describeList },
  { method: 'POST', path, ...changing, takesBody: true, run: create, describe: describeCreate },
  { method: 'GET', path: `${path}/:id`, scope: read, takesBody: false, run: get, describe: describeGet },
  { method: 'DELETE', path: `${path}/:id`, ...changing, takesBody: false, run: destroy, describe: describeDelete },
]

/** Of whom a caller has personal ones: the user whose rows it sees. */
function ownerOf({ viewer }: Caller): string | null {
  return viewer.userId
}

function listVisible(call: Call): ReturnType<Route['run']> {
  return list(ignoredSender, call, [visibleTo(call.caller)])
}

/** The shared ones, and those of the caller. */
function visibleTo(caller: Caller): Approached {
  const { narrow, ...rest } = conditionOn(ignoredSender, 'visibility', 'eq', 'shared')
  return { ...rest, sql: '(user_id IS NULL OR user_id = ?)', params: [ownerOf(caller)] }
}

/** Throws NOT_FOUND. */
function findVisible(reader: Reader, caller: Caller, given: string): { id: string; userId: string | null } {
  const id = idOf(ignoredSender, given)
  const sql = 'SELECT user_id FROM ignored_sender WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL'
  const userId = reader.value<string | null>(sql, id)
  if (userId === undefined || (userId !== null && userId !== ownerOf(caller))) throw notFound(ignoredSender)
  return { id, userId }
}

function get({ reader, caller, params, query }: Call): ApiResponse {
  readRecordQuery(ignoredSender, query)
  return shown(200, findText(ignoredSender, reader, findVisible(reader, caller, params.id!).id), ignoredSender)
}

/** Returns the one that there is with this address. Throws VALIDATION_ERROR, INSUFFICIENT_PERMISSIONS. */
function create(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const input = readCreate(ignoredSender, call.reader, call.body)
  const isPersonal = input.values.visibility === 'personal'
  return call.write((tx, caller) => {
    const userId = isPersonal ? ownerOf(caller) : null
    if (isPersonal && userId === null) throw nobody()
    requireScope(caller, userId)
    const same = lookupIgnoredSender(tx, String(input.values.address), userId)
    if (same !== undefined) return shown(200, lookupText(ignoredSender, tx, same)!, ignoredSender)
    const { id } = insert(ignoredSender, tx, input, caller.limits, { values: { user_id: userId } })
    return { ...shown(201, lookupText(ignoredSender, tx, id)!, ignoredSender), headers: ['Location', `${path}/${id}`] }
  })
}

/** Its messages are in the inbox again. Throws NOT_FOUND, INSUFFICIENT_PERMISSIONS. */
function destroy(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx, caller) => {
    const { id, userId } = findVisible(tx, caller, call.params.id!)
    requireScope(caller, userId)
    const readText = () => lookupText(ignoredSender, tx, id)!
    remove(ignoredSender, tx, id, () => requireMatch(call.headers.ifMatch, readText, ignoredSender))
    return deleted
  })
}

function requireScope({ scopes }: Caller, userId: string | null): void {
  if (userId === null && !grants(scopes, write)) throw missingScope(write)
}

function nobody() {
  const message = 'A personal one belongs to a user: use a session, or a personal key that its user has created'
  return validationError([{ field: 'visibility', message, code: 'INVALID_VALUE' }])
}
