import { randomBytes, scryptSync } from 'node:crypto'
import { listCompanies } from '../../src/access/company.ts'
import type { Role } from '../../src/access/role.ts'
import { insertSession } from '../../src/access/session.ts'
import { insertUser } from '../../src/access/user.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import type { Writer } from '../../src/store/reader.ts'
import type { Store } from '../../src/store/store.ts'
import { type ApiResponse, send } from './client.ts'

export const password = 'correct horse battery'

/** A user of the console: sends requests like a browser, with its cookie. */
export interface Visitor {
  cookie: string | undefined
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
}

export function visit(url: string): Visitor {
  const visitor: Visitor = {
    cookie: undefined,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body = {}, headers) => ask('POST', path, body, headers),
    patch: (path, body, headers) => ask('PATCH', path, body, headers),
    put: (path, body, headers) => ask('PUT', path, body, headers),
    delete: (path, headers) => ask('DELETE', path, undefined, headers),
  }
  return visitor

  async function ask(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await send(`${url}${path}`, {
      method,
      headers: {
        'Kontor-Environment': 'live',
        ...(visitor.cookie && { Cookie: visitor.cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const given = response.headers.get('set-cookie')
    if (given) visitor.cookie = given.split(';')[0]
    return response
  }
}

/** The token of the first run's link. */
export function tokenOf({ setupPath }: { setupPath: string | undefined }): string {
  return setupPath!.split('#')[1]!
}

interface Place {
  url: string
  store: Store
}

/** Creates a company and signs in its owner. */
export async function newOwner(place: Place, plan = 'enterprise'): Promise<Visitor> {
  const hash = cheapHash(password)
  return enter(place, (tx) => {
    const { id } = createCompany(tx, { name: 'Acme', plan })
    return insertUser(tx, {
      companyId: id,
      fullName: 'Ada Weber',
      email: 'ada@acme.example',
      role: 'owner',
      passwordHash: hash,
    }).id
  })
}

/** Adds a user to a company, by default the first one, and signs in as that user. */
export async function newColleague(
  place: Place,
  role: Role,
  email = `${role}@acme.example`,
  company?: string,
): Promise<Colleague> {
  const passwordHash = cheapHash(password)
  return enter(place, (tx) => {
    const companyId = company ?? listCompanies(tx)[0]!.id
    return insertUser(tx, { companyId, fullName: `The ${role}`, email, role, passwordHash }).id
  })
}

type Colleague = Visitor & { id: string }

async function enter({ url, store }: Place, makeUser: (tx: Writer) => string): Promise<Colleague> {
  const { id, token } = await store.writeAccess((tx) => {
    const id = makeUser(tx)
    return { id, token: insertSession(tx, id) }
  })
  return Object.assign(visit(url), { id, cookie: `kontor_session=${token}` })
}

/** A password's hash as earlier versions with lower costs could have stored it. */
export function cheapHash(of: string): string {
  const [N, r, p] = [1024, 8, 1]
  const salt = randomBytes(16)
  const hash = scryptSync(of, salt, 32, { N, r, p })
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Signs in with a password. Returns the response. */
export function signIn(visitor: Visitor, email: string, given = password, more: object = {}): Promise<ApiResponse> {
  return visitor.post('/console/session', { email, password: given, ...more })
}

/** Counts the sessions of all users. */
export function sessionsIn(store: Store): number {
  return store.access.value<number>('SELECT count(*) FROM session')!
}
