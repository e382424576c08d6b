import { grants, missingScope } from '../../access/scopes.ts'
import { ignoredSender, lookupIgnoredSender } from '../../crm/ignored-sender.ts'
import { type ApiResponse, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readCreate } from '../../engine/records/rows/validate.ts'
import { insert } from '../../engine/records/rows/write.ts'
import { lookupText } from '../../engine/records/select.ts'
import { validationError } from '../../errors.ts'
import { describeCreate, describeDelete, describeGet, describeList } from './describe-ignored-senders.ts'
import { ownedRows } from './owned-rows.ts'

const path = `/${ignoredSender.path}`
const { read, write } = ignoredSender.scopes
/** A personal one changes nothing for others: it needs the scope that reads messages. */
const changing = { scope: read, bodySize: 'small' } as const

/** The shared ones are everybody's. */
const senders = ownedRows(ignoredSender, { shared: true, isPrivate: true, allow: requireScope })

/** The endpoints of senders that are not for Kontor (decision P11). */
export const ignoredSenderRoutes: readonly Route[] = [
  { method: 'GET', path, scope: read, takesBody: false, run: senders.list, describe: describeList },
  { method: 'POST', path, ...changing, takesBody: true, run: create, describe: describeCreate },
  { method: 'GET', path: `${path}/:id`, scope: read, takesBody: false, run: senders.get, describe: describeGet },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    ...changing,
    takesBody: false,
    run: senders.destroy,
    describe: describeDelete,
  },
]

/** Returns the one that there is with this address. Throws VALIDATION_ERROR, INSUFFICIENT_PERMISSIONS. */
function create(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const input = readCreate(ignoredSender, call.reader, call.body)
  const isPersonal = input.values.visibility === 'personal'
  return call.write((tx, caller) => {
    const userId = isPersonal ? caller.viewer.userId : null
    if (isPersonal && userId === null) throw nobody()
    requireScope(caller, userId)
    const same = lookupIgnoredSender(tx, String(input.values.address), userId)
    if (same !== undefined) return shown(200, lookupText(ignoredSender, tx, same)!, ignoredSender)
    const { id } = insert(ignoredSender, tx, input, caller.limits, { values: { user_id: userId } })
    return { ...shown(201, lookupText(ignoredSender, tx, id)!, ignoredSender), headers: ['Location', `${path}/${id}`] }
  })
}

/** Throws INSUFFICIENT_PERMISSIONS. */
function requireScope({ scopes }: Caller, userId: string | null): void {
  if (userId === null && !grants(scopes, write)) throw missingScope(write)
}

function nobody() {
  const message = 'A personal one belongs to a user: use a session, or a personal key that its user has created'
  return validationError([{ field: 'visibility', message, code: 'INVALID_VALUE' }])
}
