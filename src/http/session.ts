import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import { type Credential, missingKey } from '../access/credentials.ts'
import { lookupSession, roleScopes, type Session, sessionDays } from '../access/session.ts'
import type { Store } from '../store/store.ts'
import type { IsSecure } from './client-address.ts'

const cookieName = 'kontor_session'
/** A browser takes a cookie of this name over HTTPS only, and from nobody but this host. */
const secureCookieName = `__Host-${cookieName}`
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
  return comesFrom(headers, ['same-origin'])
}

/** Whether a browser asks for a page to show it, and no foreign page made it do so, as far as the browser tells. */
function isVisit({ headers }: IncomingMessage): boolean {
  const purpose = headers['sec-fetch-dest']
  return (purpose === undefined || purpose === 'document') && comesFrom(headers, ['same-origin', 'none'])
}

/** `sites`: values of `Sec-Fetch-Site`; a browser that does not send it is judged by `Origin`. */
function comesFrom(headers: IncomingHttpHeaders, sites: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return typeof site === 'string' && sites.includes(site)
  return headers.origin === undefined || hostOf(headers.origin) === headers.host
}

/** Who is signed in, as requests tell. */
export interface Sessions {
  /** Undefined for a request without a session, or one that a foreign page may have caused. */
  lookup(req: IncomingMessage): ConsoleRequest | undefined
  /** Of a browser that asks for a page; undefined without a session, and where a foreign page may have caused the request. */
  lookupVisit(req: IncomingMessage): Session | undefined
  /** What a session stands for in place of a key. */
  lookupCredential(req: IncomingMessage): Credential | undefined
}

export function openSessions(store: Store, isSecure: IsSecure): Sessions {
  return { lookup, lookupVisit, lookupCredential }

  function lookup(req: IncomingMessage): ConsoleRequest | undefined {
    const session = isFromConsole(req) ? sessionOf(req) : undefined
    return session && { session, environment: req.headers[environmentHeader] as Environment }
  }

  function lookupVisit(req: IncomingMessage): Session | undefined {
    return isVisit(req) ? sessionOf(req) : undefined
  }

  function sessionOf(req: IncomingMessage): Session | undefined {
    if (req.headers.cookie === undefined) return undefined
    const token = tokenIn(req.headers.cookie, isSecure(req))
    return token === undefined ? undefined : lookupSession(store.access, token, store.clock.now())
  }

  function lookupCredential(req: IncomingMessage): Credential | undefined {
    const known = lookup(req)
    if (!known) return undefined
    const { session, environment } = known
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
      user: { id: userId },
      isMember: role === 'member',
      recheck() {
        const now = lookupCredential(req)
        if (!now) throw missingKey()
        return now
      },
    }
  }
}

/** `Set-Cookie` for a session's token; without one, it ends. */
export function sessionCookie(isSecure: boolean, token?: string): string {
  const lifetime = token === undefined ? 0 : sessionDays * secondsPerDay
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${lifetime}`
  return isSecure
    ? `${secureCookieName}=${token ?? ''}; ${attributes}; Secure`
    : `${cookieName}=${token ?? ''}; ${attributes}`
}

/**
 * The session's token. Over HTTPS only the cookie counts that no other host and no plain connection can have set. A request that is not known
 * to have come by HTTPS may have done so all the same, through a proxy that nobody named.
 */
function tokenIn(cookies: string, isSecure: boolean): string | undefined {
  return cookieValue(secureCookieName, cookies) ?? (isSecure ? undefined : cookieValue(cookieName, cookies))
}

function cookieValue(name: string, cookies: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w-]{43})(?:;|$)`).exec(cookies)?.[1]
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
