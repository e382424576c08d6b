import { type AttemptLimits, Attempts } from '../access/attempts.ts'
import { hashAlike, isPossiblePassword } from '../access/password.ts'
import { isPlaceOf } from '../access/sign-in-place.ts'
import { confirmSignIn, listSignIns, type SignIn, wrongPassword } from '../access/user.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { addressPrefix } from '../lib/address.ts'
import { withoutCase } from '../lib/text.ts'
import type { Reader } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { changeAccount } from './account.ts'
import { describeUser, enter, openSession } from './enter.ts'
import { attemptsPerAccount, changePassword } from './password.ts'
import { type ConsoleCall, type ConsoleRoute, data, readTexts } from './route.ts'

const attemptsPerAddress = 40

/** The routes for signing in and changing the password. */
export function signInRoutes(store: Store): ConsoleRoute[] {
  const attempts = new Attempts(store)
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
    {
      method: 'POST',
      path: '/console/password',
      takesBody: true,
      for: 'member',
      run: (call) => changePassword(call, attempts),
    },
    {
      method: 'PATCH',
      path: '/console/account',
      takesBody: true,
      for: 'member',
      run: (call) => changeAccount(call, attempts),
    },
  ]
}

/** Signs in. Its duration and errors do not reveal whether the address exists, or in how many companies. */
async function signIn(call: ConsoleCall, attempts: Attempts): Promise<ApiResponse> {
  const { store, body } = call
  const { email, password } = readTexts(body, ['email', 'password'])
  if (!isPossiblePassword(password)) throw wrongPassword() // needs no hash, so it does not count as an attempt
  const { users, hashed } = await listProven(call, attempts, email, password)
  if (users.length === 0) throw wrongPassword()
  const { company_id: chosen } = body
  const user =
    chosen === undefined && users.length === 1 ? users[0] : users.find(({ company_id }) => company_id === chosen)
  if (!user) {
    return data({ companies: users.map(({ company_id, company_name }) => ({ id: company_id, name: company_name })) })
  }
  const token = await store.writeAccess((tx) => {
    confirmSignIn(tx, user, hashed)
    return openSession(call, tx, user.id)
  })
  return enter(call, user.id, token)
}

/** The users with this password, and its hash. Throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. */
async function listProven(call: ConsoleCall, attempts: Attempts, email: string, password: string) {
  const address = addressPrefix(call.address)
  const candidates = listCandidates(call.store.access, email, address)
  const open = candidates.filter(({ account }) => attempts.isWithinLimit(account, attemptsPerAccount))
  const accounts = (open.length > 0 ? open : candidates).map(({ account }) => account)
  if (accounts.length === 0) accounts.push(`email ${withoutCase(email.trim())}`)
  const place = `address ${address}`
  const perAccount = Object.fromEntries(accounts.map((account) => [account, attemptsPerAccount]))
  const limits: AttemptLimits = { [place]: attemptsPerAddress, ...perAccount }
  const client = { address, isKnown: open.some(({ isKnown }) => isKnown) }
  const hashes = open.map(({ user }) => user.password_hash)
  const { isMatch, hashed } = await attempts.during(limits, () => hashAlike(password, hashes, client))
  const proven = open.filter(({ user }) => isMatch(user.password_hash))
  if (proven.length > 0) attempts.takeBack([place, ...proven.map(({ account }) => account)])
  return { users: proven.map(({ user }) => user), hashed }
}

interface Candidate {
  user: SignIn
  /** Whether the user has signed in from this address before. */
  isKnown: boolean
  /** The name that attempts on the user are counted under. */
  account: string
}

/** Attempts from an address that the user has signed in from are counted separately, so that nobody else can use them up. */
function listCandidates(reader: Reader, email: string, address: string): Candidate[] {
  return listSignIns(reader, email).map((user) => {
    const isKnown = isPlaceOf(reader, user.id, address)
    return { user, isKnown, account: isKnown ? `user ${user.id} at ${address}` : `user ${user.id}` }
  })
}
