import { type ApiResponse, requireMatch, shown } from '../../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../../engine/api/call/route.ts'
import { refuseParameters } from '../../../engine/finding/query/parameters.ts'
import type { Row } from '../../../engine/records/definition/change.ts'
import { type JsonObject, readCreate, readPatch } from '../../../engine/records/rows/validate.ts'
import { insert, update } from '../../../engine/records/rows/write.ts'
import { lookupText } from '../../../engine/records/select.ts'
import { ApiError, type Detail, forbidden, validationError } from '../../../errors.ts'
import { ownedRows } from '../owned-rows.ts'
import { describeCreate, describeDelete, describeGet, describeList, describePatch } from './describe-sources.ts'
import { mailSource, needsPassword, passwordMax } from './mail-source.ts'
import { urlOf } from './read-source.ts'
import { storePassword } from './source-state.ts'

const path = `/${mailSource.path}`
const { read, write } = mailSource.scopes
const changing = { scope: write, bodySize: 'small' } as const
export const sources = ownedRows(mailSource, { shared: false })

/** The endpoints of mailboxes (decision P3). */
export const sourceRoutes: readonly Route[] = [
  { method: 'GET', path, scope: read, takesBody: false, run: sources.list, describe: describeList },
  { method: 'POST', path, ...changing, takesBody: true, run: create, describe: describeCreate },
  { method: 'GET', path: `${path}/:id`, scope: read, takesBody: false, run: sources.get, describe: describeGet },
  { method: 'PATCH', path: `${path}/:id`, ...changing, takesBody: true, run: patch, describe: describePatch },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    ...changing,
    takesBody: false,
    run: sources.destroy,
    describe: describeDelete,
  },
]

function create(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  requireReader(call)
  const { reader, caller, body } = call
  const input = readCreate(mailSource, reader, 'user_id' in body ? body : { ...body, user_id: caller.userId ?? null })
  const password = readPassword(body) ?? missingPassword()
  requireReachable(call, input.values)
  return call.write((tx, current) => {
    if (!sources.isOf(current, input.values.user_id))
      throw forbidden('Only owners and admins create mailboxes of others')
    const { id } = insert(mailSource, tx, input, current.limits)
    storePassword(tx, id, password)
    return { ...shown(201, lookupText(mailSource, tx, id)!, mailSource), headers: ['Location', `${path}/${id}`] }
  })
}

function patch(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  requireReader(call)
  const password = readPassword(call.body)
  const { password: _, ...fields } = call.body
  const values =
    password !== undefined && Object.keys(fields).length === 0 ? {} : readPatch(mailSource, call.reader, fields)
  return call.write((tx, caller) => {
    const id = sources.findVisible(tx, caller, call.params.id!)
    const readText = () => lookupText(mailSource, tx, id)!
    const before = JSON.parse(readText()) as Row
    const after = { ...before, ...values }
    update(mailSource, tx, id, values, () => requireMatch(call.headers.ifMatch, readText, mailSource))
    if (needsPassword(before, after)) {
      requireReachable(call, after)
      if (password === undefined) missingPassword()
    }
    if (password !== undefined) storePassword(tx, id, password)
    return shown(200, readText(), mailSource)
  })
}

/** Throws FEATURE_NOT_ENABLED if the server cannot keep mail, or reads no mailbox. */
function requireReader({ mail }: Call): void {
  if (mail && !mail.isKeyOnly) return
  const message = mail
    ? 'A sandbox reads no mailboxes: deliver its mail with its key, by POST /api-v1-messages?address=…'
    : 'This server takes no mail: it shares a log, and its operator sets --files'
  throw new ApiError('FEATURE_NOT_ENABLED', message)
}

/** Throws VALIDATION_ERROR. */
function readPassword({ password }: JsonObject): string | undefined {
  if (password === undefined) return undefined
  if (typeof password !== 'string') throw passwordFault('Password must be a string', 'INVALID_TYPE')
  if (password === '') throw passwordFault('Password must not be empty', 'REQUIRED')
  if (password.length > passwordMax)
    throw passwordFault(`Password must be at most ${passwordMax} characters`, 'TOO_LONG')
  if (/[\0\r\n]/.test(password)) throw passwordFault('Password must be one line', 'INVALID_FORMAT')
  return password
}

function missingPassword(): never {
  throw passwordFault('Password is required', 'REQUIRED')
}

function passwordFault(message: string, code: Detail['code']): ApiError {
  return validationError([{ field: 'password', message, code }])
}

/** Throws VALIDATION_ERROR if the host is one to which the server never connects (decision H6). */
function requireReachable({ refusalOf }: Call, { host, port, tls }: Readonly<Record<string, unknown>>): void {
  const refusal = refusalOf(urlOf({ host, port, tls } as Parameters<typeof urlOf>[0]))
  if (refusal === undefined) return
  const details: Detail[] =
    refusal === 'Url must use https'
      ? [{ field: 'tls', message: 'Tls must be implicit or starttls for this host', code: 'INVALID_VALUE' }]
      : [{ field: 'host', message: refusal.replace(/^Url/, 'Host'), code: 'INVALID_VALUE' }]
  throw validationError(details)
}
