import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Environment, environments, findWorkspaceId } from '../access/company.ts'
import { type Credential, missingKey } from '../access/credentials.ts'
import { viewerOf } from '../access/role.ts'
import { lookupSession, roleScopes, type Session } from '../access/session.ts'
import type { Store } from '../store/store.ts'
import type { IsSecure } from './client-address.ts'
import { SessionCookies } from './session-cookies.ts'
import { SessionUse } from './session-use.ts'

/** The environment that a request of the console is about. Pages of other origins cannot send this header. */
const environmentHeader = 'kontor-environment'

/** The id of the user whose page sends the request. Somebody else may have signed in in another window of the browser since. */
const userHeader = 'kontor-user'

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
  return isFor(headers, 'document') && comesFrom(headers, ['same-origin', 'none'])
}

/** Whether a page of this server has a frame with what is requested, according to the browser. */
function isFramed({ headers }: IncomingMessage): boolean {
  return isFor(headers, 'iframe') && comesFrom(headers, ['same-origin'])
}

function isFor(headers: IncomingHttpHeaders, purpose: string): boolean {
  return [undefined, purpose].includes(headers['sec-fetch-dest'] as string | undefined)
}

/** `sites`: the allowed values of `Sec-Fetch-Site`. Without that header, `Origin` decides. */
function comesFrom(headers: IncomingHttpHeaders, sites: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return typeof site === 'string' && sites.includes(site)
  return headers.origin === undefined || URL.parse(headers.origin)?.host === headers.host
}

/** Finds the session of a request. */
export interface Sessions {
  /** The session of a request; undefined without one, or if another site may have caused the request. */
  lookup(req: IncomingMessage): ConsoleRequest | undefined
  /** The session of a navigation; undefined without one, or if another site may have caused the request. */
  lookupVisit(req: IncomingMessage): Session | undefined
  /** The permissions of the session, in the form of a key's. */
  lookupCredential(req: IncomingMessage): Credential | undefined
  /** Those of a navigation's session, for a page of this environment. */
  lookupVisitor(req: IncomingMessage, environment: Environment): Credential | undefined
  /** Those of the session for which a page of this environment shows a frame. */
  lookupFrame(req: IncomingMessage, environment: Environment): Credential | undefined
  /** `Set-Cookie` for a session's token, in the response to a request; without a token, the cookie is removed. */
  cookie(req: IncomingMessage, token?: string): string
}

/** `basePath`: the path of the public URL, or empty. */
export function openSessions(store: Store, isSecure: IsSecure, basePath: string): Sessions {
  const cookies = new SessionCookies(basePath)
  const use = new SessionUse(store)
  return {
    lookup,
    lookupVisit,
    lookupCredential,
    lookupVisitor,
    lookupFrame,
    cookie: (req, token) => cookies.write(isSecure(req), token),
  }

  function lookup(req: IncomingMessage): ConsoleRequest | undefined {
    const session = isFromConsole(req) ? sessionOf(req) : undefined
    const { [environmentHeader]: environment, [userHeader]: user } = req.headers
    if (!session || (user && user !== session.userId)) return undefined
    return { session, environment: environment as Environment }
  }

  function lookupVisit(req: IncomingMessage): Session | undefined {
    return isVisit(req) ? sessionOf(req) : undefined
  }

  function sessionOf(req: IncomingMessage): Session | undefined {
    if (req.headers.cookie === undefined) return undefined
    const token = cookies.read(req.headers.cookie, isSecure(req))
    const session = token === undefined ? undefined : lookupSession(store.access, token, store.clock.now())
    if (session) use.note(session)
    return session
  }

  function lookupCredential(req: IncomingMessage): Credential | undefined {
    return credentialOf(store, () => lookup(req))
  }

  function lookupVisitor(req: IncomingMessage, environment: Environment): Credential | undefined {
    return credentialIn(environment, () => lookupVisit(req))
  }

  function lookupFrame(req: IncomingMessage, environment: Environment): Credential | undefined {
    return credentialIn(environment, () => (isFramed(req) ? sessionOf(req) : undefined))
  }

  function credentialIn(environment: Environment, find: () => Session | undefined): Credential | undefined {
    return credentialOf(store, () => {
      const session = find()
      return session && { session, environment }
    })
  }
}

/** The permissions of a session that `lookup` finds; undefined: it finds none. */
export function credentialOf(store: Store, lookup: () => ConsoleRequest | undefined): Credential | undefined {
  const known = lookup()
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
    mcpMode: 'write',
    limits,
    features,
    user: { id: userId },
    userId,
    viewer: viewerOf(userId, role),
    isMember: role === 'member',
    isOwner: role === 'owner',
    recheck() {
      const now = credentialOf(store, lookup)
      if (!now) throw missingKey()
      return now
    },
  }
}
