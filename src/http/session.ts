import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import { type Credential, missingKey } from '../access/credentials.ts'
import { lookupSession, roleScopes, type Session, sessionDays } from '../access/session.ts'
import type { Store } from '../store/store.ts'
import type { IsSecure } from './client-address.ts'

const cookieName = 'kontor_session'
/** Browsers accept a cookie with this prefix only over HTTPS and only from this host. */
const secureCookieName = `__Host-${cookieName}`
const secondsPerDay = 86_400

/** The environment that a request of the console is about. Pages of other origins cannot send this header. */
const environmentHeader = 'kontor-environment'

/** A request of the console by a signed-in user, about one of the company's workspaces. */
export interface ConsoleRequest {
  session: Session
  environment: Environment
}

/** Whether the request comes from a page of this server, according to the browser. */
export function isFromConsole({ headers }: IncomingMessage): boolean {
  const given = headers[environmentHeader]
  if (typeof given !== 'string' || !environments.includes(given as Environment)) return false
  return comesFrom(headers, ['same-origin'])
}

/** Whether a browser navigates to a page, and not because of a page of another site, according to the browser. */
function isVisit({ headers }: IncomingMessage): boolean {
  const purpose = headers['sec-fetch-dest']
  return (purpose === undefined || purpose === 'document') && comesFrom(headers, ['same-origin', 'none'])
}

/** `sites`: the allowed values of `Sec-Fetch-Site`. Without that header, `Origin` decides. */
function comesFrom(headers: IncomingHttpHeaders, sites: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return typeof site === 'string' && sites.includes(site)
  return headers.origin === undefined || hostOf(headers.origin) === headers.host
}

/** Finds the session of a request. */
export interface Sessions {
  /** The session of a request; undefined without one, or if another site may have caused the request. */
  lookup(req: IncomingMessage): ConsoleRequest | undefined
  /** The session of a navigation; undefined without one, or if another site may have caused the request. */
  lookupVisit(req: IncomingMessage): Session | undefined
  /** The permissions of the session, in the form of a key's. */
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

/** `Set-Cookie` for a session's token; without a token, the cookie is removed. */
export function sessionCookie(isSecure: boolean, token?: string): string {
  const lifetime = token === undefined ? 0 : sessionDays * secondsPerDay
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${lifetime}`
  return isSecure
    ? `${secureCookieName}=${token ?? ''}; ${attributes}; Secure`
    : `${cookieName}=${token ?? ''}; ${attributes}`
}

/**
 * The session's token. Over HTTPS only the cookie with the `__Host-` prefix is valid: no other host and no HTTP connection can set it.
 * Without HTTPS both are, because the client may use HTTPS behind a proxy that is not listed as trusted.
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
