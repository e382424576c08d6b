import { Attempts } from '../access/attempts.ts'
import { type Company, findCompany } from '../access/company.ts'
import { findInvited, removeInvitation } from '../access/invitation.ts'
import { hashPassword, isPassword } from '../access/password.ts'
import { findPlan } from '../access/plan.ts'
import { insertSession, removeSession, removeSessions } from '../access/session.ts'
import { findUser, listSignIns, type SignIn, setPassword, type User } from '../access/user.ts'
import type { Answer } from '../engine/route.ts'
import { ApiError, validationError } from '../errors.ts'
import { sessionCookie } from '../http/session.ts'
import { fold } from '../lib/text.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { type ConsoleCall, type ConsoleRoute, data, type MemberCall, readTexts } from './route.ts'

const attemptsPerAddress = 40
const attemptsPerAccount = 10

/** Signing in and out, and the password. */
export function signInRoutes(store: Store): ConsoleRoute[] {
  const attempts = new Attempts(store.clock)
  return [
    {
      method: 'POST',
      path: '/console/session',
      takesBody: true,
      for: 'anyone',
      run: (call) => signIn(call, attempts),
    },
    {
      method: 'GET',
      path: '/console/session',
      for: 'member',
      run: ({ store, session }) => data(describeUser(store.access, session.userId)),
    },
    { method: 'DELETE', path: '/console/session', for: 'member', run: (call) => signOut(call, false) },
    { method: 'DELETE', path: '/console/sessions', for: 'member', run: (call) => signOut(call, true) },
    {
      method: 'POST',
      path: '/console/password',
      takesBody: true,
      for: 'member',
      run: (call) => changePassword(call, attempts),
    },
    { method: 'POST', path: '/console/invitation', takesBody: true, for: 'anyone', run: showInvitation },
    { method: 'POST', path: '/console/invitation/accept', takesBody: true, for: 'anyone', run: acceptInvitation },
  ]
}

/** What the console knows of its user. */
export function describeUser(reader: Reader, userId: string): { user: User; company: Company; plan: object } {
  const user = findUser(reader, userId)
  const company = findCompany(reader, user.company_id)
  return { user, company, plan: findPlan(reader, company.plan) }
}

/** Makes the session and its cookie. */
export function enter({ store, isSecure }: ConsoleCall, userId: string, token: string): Answer {
  return data(describeUser(store.access, userId), 201, ['Set-Cookie', sessionCookie(isSecure, token)])
}

/** Takes as long and answers the same whether or not there is such an address. */
async function signIn(call: ConsoleCall, attempts: Attempts): Promise<Answer> {
  const { store, address, body } = call
  const { email, password } = readTexts(body, ['email', 'password'])
  const account = `account ${fold(email.trim())}`
  const place = `address ${address}`
  attempts.begin({ [place]: attemptsPerAddress, [account]: attemptsPerAccount })
  const users = await provenSignIns(store, email, password)
  if (users.length === 0) throw new ApiError('UNAUTHORIZED', 'Email or password is wrong')
  attempts.forget(account)
  attempts.takeBack(place)
  const user = users.length === 1 ? users[0] : users.find(({ company_id }) => company_id === body.company_id)
  if (!user)
    return data({ companies: users.map(({ company_id, company_name }) => ({ id: company_id, name: company_name })) })
  const token = await store.writeAccess((tx) => insertSession(tx, user.id))
  return enter(call, user.id, token)
}

async function provenSignIns(store: Store, email: string, password: string): Promise<SignIn[]> {
  const candidates = listSignIns(store.access, email)
  if (candidates.length === 0) await isPassword(password, null)
  const proven = await Promise.all(candidates.map(({ password_hash }) => isPassword(password, password_hash)))
  return candidates.filter((_, index) => proven[index])
}

async function signOut({ isSecure, store, session }: MemberCall, everywhere: boolean): Promise<Answer> {
  await store.writeAccess((tx) => (everywhere ? removeSessions(tx, session.userId) : removeSession(tx, session.hash)))
  return data({ deleted: true }, 200, ['Set-Cookie', sessionCookie(isSecure)])
}

/** Every other session of the user ends. */
async function changePassword({ store, session, body }: MemberCall, attempts: Attempts): Promise<Answer> {
  const { current_password, new_password } = readTexts(body, ['current_password', 'new_password'])
  const name = `password ${session.userId}`
  attempts.begin({ [name]: attemptsPerAccount })
  const sql = 'SELECT password_hash FROM user WHERE id = ?'
  const stored = store.access.value<string | null>(sql, session.userId) ?? null
  if (!(await isPassword(current_password, stored))) {
    const message = 'This is not your current password'
    throw validationError([{ field: 'current_password', message, code: 'INVALID_VALUE' }])
  }
  attempts.forget(name)
  const hash = await hashPassword(new_password, 'new_password')
  await store.writeAccess((tx) => setPassword(tx, session.userId, hash, session.hash))
  return data({ changed: true })
}

function showInvitation({ store, body }: ConsoleCall): Answer {
  const { full_name, email, company_id } = findInvited(
    store.access,
    readTexts(body, ['token']).token,
    store.clock.now(),
  )
  return data({ full_name, email, company_name: findCompany(store.access, company_id).name })
}

async function acceptInvitation(call: ConsoleCall): Promise<Answer> {
  const { store, body } = call
  const { token, password } = readTexts(body, ['token', 'password'])
  findInvited(store.access, token, store.clock.now()) // before the costly hash
  const hash = await hashPassword(password)
  const made = await store.writeAccess((tx) => {
    const { id } = findInvited(tx, token, Date.parse(tx.now))
    setPassword(tx, id, hash)
    removeInvitation(tx, id)
    return { id, token: insertSession(tx, id) }
  })
  return enter(call, made.id, made.token)
}
