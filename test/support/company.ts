import type { Environment } from '../../src/access/company.ts'
import { insertKey } from '../../src/access/key.ts'
import type { Role } from '../../src/access/role.ts'
import { deactivateUser, insertUser } from '../../src/access/user.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import type { Store } from '../../src/store/store.ts'
import { type Client, clientFor } from './client.ts'
import { messageAdder } from './message.ts'

export interface KeyOptions {
  environment?: Environment
  scopes?: string[]
  userId?: string
  expiresAt?: string
}

/** A company with a key that has all scopes. */
export interface Company {
  id: string
  /** A client with the first key, for the live workspace. */
  client: Client
  /** Creates a key. Returns a client with it. */
  key(options?: KeyOptions): Promise<Client>
}

/** Creates a company with a key for its live workspace. */
export async function newCompany(store: Store, url: string, name: string, plan = 'enterprise'): Promise<Company> {
  const { id } = await store.writeAccess((tx) => createCompany(tx, { name, plan }))
  const key = async ({ environment = 'live', scopes = ['admin:all'], ...rest }: KeyOptions = {}) => {
    const made = await store.writeAccess((tx) =>
      insertKey(tx, { companyId: id, name: 'Administration', environment, scopes, ...rest }),
    )
    const workspaceId = store.access.value<number>('SELECT workspace_id FROM api_key WHERE id = ?', made.id)!
    return clientFor(url, made, userAdder(store, id), messageAdder(store, workspaceId))
  }
  return { id, key, client: await key() }
}

/** Creates a user of a company, by default an active one. Returns the id. No endpoint of the API does this (decision E2). */
export type AddUser = (fields?: Record<string, unknown>) => Promise<string>

let users = 0

export function userAdder(store: Store, companyId: string): AddUser {
  return ({ full_name, email, role, is_active } = {}) =>
    store.writeAccess((tx) => {
      const { id } = insertUser(tx, {
        companyId,
        fullName: String(full_name ?? 'Ada Lovelace'),
        email: String(email ?? `ada${++users}@kontor.example`),
        role: (role ?? 'member') as Role,
      })
      if (is_active === false) deactivateUser(tx, id)
      return id
    })
}
