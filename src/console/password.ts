import type { Attempts } from '../access/attempts.ts'
import { findCompany } from '../access/company.ts'
import { findInvited } from '../access/invitation.ts'
import { hashPassword, isPassword, isPossiblePassword } from '../access/password.ts'
import { findPasswordHash, lookupPasswordHash, setPassword } from '../access/user.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { type ApiError, validationError } from '../errors.ts'
import { enter, knownClient, openSession } from './enter.ts'
import { type ConsoleCall, type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

/** How many wrong passwords lock an account, until its counter ends. */
export const attemptsPerAccount = 10

/** The link with which a user chooses a password. */
export const invitationRoutes: ConsoleRoute[] = [
  { method: 'POST', path: '/console/invitation', takesBody: true, for: 'anyone', run: showInvitation },
  { method: 'POST', path: '/console/invitation/accept', takesBody: true, for: 'anyone', run: acceptInvitation },
]

/** The path of such a link. The token is in the fragment, which proxies do not log. */
export function invitationPath(token: string): string {
  return `/invitation#${token}`
}

/** Ends every other session of the user and invalidates an open password link. */
export async function changePassword(call: MemberCall, attempts: Attempts): Promise<ApiResponse> {
  const { body, write } = call
  const { current_password, new_password } = readTexts(body, ['current_password', 'new_password'])
  const stored = await confirmPassword(call, attempts, current_password)
  const hash = await hashPassword(new_password, { field: 'new_password', like: stored, client: knownClient(call) })
  await write((tx, { userId, hash: kept }) => setPassword(tx, userId, hash, kept))
  return data({ changed: true })
}

/** Returns the hash of the user's password. Throws VALIDATION_ERROR if this is another one, and RATE_LIMIT_EXCEEDED after too many. */
export async function confirmPassword(call: MemberCall, attempts: Attempts, password: string): Promise<string> {
  if (!isPossiblePassword(password)) throw notCurrent()
  const { store, session } = call
  const name = `password ${session.userId}`
  const stored = findPasswordHash(store.access, session.userId)
  const check = () => isPassword(password, stored, knownClient(call))
  if (!(await attempts.during({ [name]: attemptsPerAccount }, check))) throw notCurrent()
  attempts.takeBack([name])
  return stored
}

function notCurrent(): ApiError {
  const message = 'This is not your current password'
  return validationError([{ field: 'current_password', message, code: 'INVALID_VALUE' }])
}

function showInvitation({ store, body }: ConsoleCall): ApiResponse {
  const { full_name, email, company_id } = findInvited(
    store.access,
    readTexts(body, ['token']).token,
    store.clock.now(),
  )
  return data({ full_name, email, company_name: findCompany(store.access, company_id).name })
}

async function acceptInvitation(call: ConsoleCall): Promise<ApiResponse> {
  const { store, body } = call
  const { token, password } = readTexts(body, ['token', 'password'])
  const { email } = findInvited(store.access, token, store.clock.now()) // before the costly hash
  const hash = await hashPassword(password, {
    like: lookupPasswordHash(store.access, email),
    client: knownClient(call),
  })
  const created = await store.writeAccess((tx) => {
    const { id } = findInvited(tx, token, Date.parse(tx.now))
    setPassword(tx, id, hash)
    return { id, token: openSession(call, tx, id) }
  })
  return enter(call, created.id, created.token)
}
