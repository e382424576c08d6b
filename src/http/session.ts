import type { IncomingMessage } from 'node:http'
import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import type { Credential } from '../access/credentials.ts'
import { lookupSession, roleScopes, type Session, sessionDays } from '../access/session.ts'
import type { Store } from '../store/store.ts'

const cookieName = 'kontor_session'
const cookiePattern = /(?:^|;\s*)kontor_session=([\w-]{43})(?:;|$)/
const secondsPerDay = 86_400

/** The workspace that a request of the console is about; no foreign page can make a browser send this header. */
const environmentHeader = 'kontor-environment'

/** A request that the console sent: of a signed-in user, about one of the company's workspaces. */
export interface ConsoleRequest {
  session: Session
  environment: Environment
}

/** Whether the request comes from a page of this server, as far as its browser can be made to tell. */
export function isFromConsole({ headers }: IncomingMessage): boolean {
  const given = headers[environmentHeader]
  if (typeof given !== 'string' || !environments.includes(given as Environment)) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || hostOf(headers.origin) === headers.host
}

/** Undefined for a request without a session, or one that a foreign page may have caused. */
export function lookupConsoleRequest(req: IncomingMessage, store: Store): ConsoleRequest | undefined {
  const [, token] = cookiePattern.exec(req.headers.cookie ?? '') ?? []
  if (token === undefined || !isFromConsole(req)) return undefined
  const session = lookupSession(store.access, token, store.clock.now())
  return session && { session, environment: req.headers[environmentHeader] as Environment }
}

/** What a session stands for in place of a key. */
export function credentialOf({ session, environment }: ConsoleRequest, store: Store): Credential {
  const { hash, companyId, role, plan, limits, features, userId } = session
  return {
    keyId: hash,
    companyId,
    workspaceId: findWorkspaceId(store.access, companyId, environment),
    environment,
    plan,
    scopes: roleScopes[role],
    limits,
    features,
    user: { id: userId, isAdmin: role !== 'member' },
  }
}

/** `Set-Cookie` for a session's token; without one, it ends. */
export function sessionCookie(isSecure: boolean, token?: string): string {
  const lifetime = token === undefined ? 0 : sessionDays * secondsPerDay
  return `${cookieName}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${lifetime}${isSecure ? '; Secure' : ''}`
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
