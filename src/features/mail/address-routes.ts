import { type ApiResponse, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readCreate } from '../../engine/records/rows/validate.ts'
import { changeRow, insert } from '../../engine/records/rows/write.ts'
import { lookupText } from '../../engine/records/select.ts'
import { ApiError, forbidden } from '../../errors.ts'
import type { Mailroom } from '../../mail/mailroom.ts'
import { describeCreate, describeDelete, describeGet, describeList, describeRotate } from './describe-addresses.ts'
import { newLocalPart } from './local-part.ts'
import { lookupSameAddress, mailAddress } from './mail-address.ts'
import { ownedRows } from './owned-rows.ts'

const path = `/${mailAddress.path}`
const { read, write } = mailAddress.scopes
const changing = { scope: write, bodySize: 'small' } as const
/** The addresses of the company and of deals are everybody's. */
export const addresses = ownedRows(mailAddress, { shared: true })

/** The endpoints of mail addresses (decision P2). */
export const addressRoutes: readonly Route[] = [
  { method: 'GET', path, scope: read, takesBody: false, run: addresses.list, describe: describeList },
  { method: 'POST', path, ...changing, takesBody: true, run: create, describe: describeCreate },
  { method: 'GET', path: `${path}/:id`, scope: read, takesBody: false, run: addresses.get, describe: describeGet },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    ...changing,
    takesBody: false,
    run: addresses.destroy,
    describe: describeDelete,
  },
  { method: 'POST', path: `${path}/:id/rotate`, ...changing, takesBody: false, run: rotate, describe: describeRotate },
]

/** Throws FEATURE_NOT_ENABLED if the server takes no mail. */
export function requireMail({ mail }: Pick<Call, 'mail'>): Mailroom & { domain: string } {
  const domain = mail?.domain
  if (mail && domain !== undefined) return { ...mail, domain }
  const message = 'This server takes no mail: its operator sets --mail-domain, and --files if servers share a log'
  throw new ApiError('FEATURE_NOT_ENABLED', message)
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
    if (!addresses.isOf(caller, user_id)) throw forbidden('Only owners and admins create addresses of other users')
    const same = lookupSameAddress(tx, kind, user_id, deal_id)
    if (same !== undefined) return shown(200, lookupText(mailAddress, tx, same)!, mailAddress)
    const values = { address: `${newLocalPart(tx)}@${domain}` }
    const { id } = insert(mailAddress, tx, input, caller.limits, { values })
    return { ...shown(201, lookupText(mailAddress, tx, id)!, mailAddress), headers: ['Location', `${path}/${id}`] }
  })
}

/** The former address does not exist any more. */
function rotate(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const { domain } = requireMail(call)
  return call.write((tx, caller) => {
    const id = addresses.findVisible(tx, caller, call.params.id!)
    changeRow(mailAddress, tx, id, { address: `${newLocalPart(tx)}@${domain}` })
    return shown(200, lookupText(mailAddress, tx, id)!, mailAddress)
  })
}
