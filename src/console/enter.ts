import { type Company, findCompany } from '../access/company.ts'
import type { HashClient } from '../access/hash-queue.ts'
import { listNotices, type Notice } from '../access/notice.ts'
import { findPlan } from '../access/plan.ts'
import { insertSession } from '../access/session.ts'
import { insertPlace } from '../access/sign-in-place.ts'
import { findUser, type User } from '../access/user.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { addressPrefix } from '../lib/address.ts'
import { requireHere } from '../store/company-move.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { type ConsoleCall, data } from './route.ts'

interface Described {
  user: User
  company: Company
  plan: object
  notices: Notice[]
}

/** The data about the signed-in user: the user, the company, the plan, and what the user has not read about the account. */
export function describeUser(reader: Reader, userId: string): Described {
  const user = findUser(reader, userId)
  const company = findCompany(reader, user.company_id)
  return { user, company, plan: findPlan(reader, company.plan), notices: listNotices(reader, userId) }
}

/** Creates the session and records the address it was created from. Returns its token. Throws COMPANY_MOVED, SERVICE_UNAVAILABLE. */
export function openSession({ address, userAgent }: ConsoleCall, tx: Writer, userId: string): string {
  requireHere(tx, findUser(tx, userId).company_id)
  insertPlace(tx, userId, addressPrefix(address))
  return insertSession(tx, userId, { address, userAgent })
}

/** Responds with the session's user and cookie. */
export function enter({ store, cookie }: ConsoleCall, userId: string, token: string): ApiResponse {
  return data(describeUser(store.access, userId), 201, ['Set-Cookie', cookie(token)])
}

/** A user who is signed in or has a valid link. */
export function knownClient({ address }: Pick<ConsoleCall, 'address'>): HashClient {
  return { address: addressPrefix(address), isKnown: true }
}
