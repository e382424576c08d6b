import { grants } from '../../access/scopes.ts'
import { type ApiResponse, deleted, requireMatch, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { type Approached, conditionOn } from '../../engine/finding/list/approach.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readRecordQuery } from '../../engine/finding/query/query.ts'
import { readCreate } from '../../engine/records/rows/validate.ts'
import { changeRow, insert, remove } from '../../engine/records/rows/write.ts'
import { findText, idOf, lookupText, notFound } from '../../engine/records/select.ts'
import { ApiError, forbidden } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import { describeCreate, describeDelete, describeGet, describeList, describeRotate } from './describe-addresses.ts'
import { newLocalPart } from './local-part.ts'
import { lookupSameAddress, mailAddress } from './mail-address.ts'

const path = `/${mailAddress.path}`
const { read, write } = mailAddress.scopes
const changing = { scope: write, bodySize: 'small' } as const

/** The endpoints of mail addresses (decision P2). */
export const addressRoutes: readonly Route[] = [
  { method: 'GET', path, scope: read, takesBody: false, run: listAddresses, describe: describeList },
  { method: 'POST', path, ...changing, takesBody: true, run: create, describe: describeCreate },
  { method: 'GET', path: `${path}/:id`, scope: read, takesBody: false, run: get, describe: describeGet },
  { method: 'DELETE', path: `${path}/:id`, ...changing, takesBody: false, run: destroy, describe: describeDelete },
  { method: 'POST', path: `${path}/:id/rotate`, ...changing, takesBody: false, run: rotate, describe: describeRotate },
]

/** Throws FEATURE_NOT_ENABLED if the server takes no mail. */
export function requireMail({ mail }: Pick<Call, 'mail'>): NonNullable<Call['mail']> {
  if (mail) return mail
  const message = 'This server takes no mail: its operator sets --mail-domain, and --files if servers share a log'
  throw new ApiError('FEATURE_NOT_ENABLED', message)
}

function isAdmin({ scopes }: Caller): boolean {
  return grants(scopes, 'admin:all')
}

/** The addresses that a caller may see: those of the company and of deals, and the own ones; an admin sees all. */
function visibleTo(caller: Caller): Approached[] {
  if (isAdmin(caller)) return []
  const { narrow, ...rest } = conditionOn(mailAddress, 'kind', 'ne', 'user')
  return [{ ...rest, sql: '(user_id IS NULL OR user_id = ?)', params: [caller.userId ?? ''] }]
}

function listAddresses(call: Call): ReturnType<Route['run']> {
  return list(mailAddress, call, visibleTo(call.caller))
}

/** The id of an address that the caller may see. Throws NOT_FOUND. */
function findVisible(reader: Reader, caller: Caller, given: string): string {
  const id = idOf(mailAddress, given)
  const sql = 'SELECT user_id FROM mail_address WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL'
  const userId = reader.value<string | null>(sql, id)
  if (userId === undefined || (userId !== null && userId !== caller.userId && !isAdmin(caller)))
    throw notFound(mailAddress)
  return id
}

function get({ reader, caller, params, query }: Call): ApiResponse {
  readRecordQuery(mailAddress, query)
  return shown(200, findText(mailAddress, reader, findVisible(reader, caller, params.id!)), mailAddress)
}

/** Returns the address that there is for the same owner. Throws INSUFFICIENT_PERMISSIONS for one of another user. */
function create(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const { domain } = requireMail(call)
  const { body, reader } = call
  const isOwn = body.kind === 'user' && (body.user_id ?? null) === null && call.caller.userId !== undefined
  const input = readCreate(mailAddress, reader, isOwn ? { ...body, user_id: call.caller.userId } : body)
  return call.write((tx, caller) => {
    const { kind, user_id, deal_id } = input.values
    if ((user_id ?? null) !== null && user_id !== caller.userId && !isAdmin(caller))
      throw forbidden('Only owners and admins create addresses of other users')
    const same = lookupSameAddress(tx, kind, user_id, deal_id)
    if (same !== undefined) return shown(200, lookupText(mailAddress, tx, same)!, mailAddress)
    const values = { address: `${newLocalPart(tx)}@${domain}` }
    const { id } = insert(mailAddress, tx, input, caller.limits, { values })
    return { ...shown(201, lookupText(mailAddress, tx, id)!, mailAddress), headers: ['Location', `${path}/${id}`] }
  })
}

function destroy(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  return call.write((tx, caller) => {
    const id = findVisible(tx, caller, call.params.id!)
    const readText = () => lookupText(mailAddress, tx, id)!
    remove(mailAddress, tx, id, () => requireMatch(call.headers.ifMatch, readText, mailAddress))
    return deleted
  })
}

/** The former address does not exist any more. */
function rotate(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const { domain } = requireMail(call)
  return call.write((tx, caller) => {
    const id = findVisible(tx, caller, call.params.id!)
    changeRow(mailAddress, tx, id, { address: `${newLocalPart(tx)}@${domain}` })
    return shown(200, lookupText(mailAddress, tx, id)!, mailAddress)
  })
}
