import type { Environment } from '../../src/access/company.ts'
import { insertKey } from '../../src/access/key.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import type { Store } from '../../src/store/store.ts'
import { type Client, clientFor } from './client.ts'
import { userAdder } from './users.ts'

export interface KeyOptions {
  environment?: Environment
  scopes?: string[]
  userId?: string
  expiresAt?: string
}

/** A company with a key that may do everything, and the means to make it more. */
export interface Company {
  id: string
  /** Speaks with the first key, in the live workspace. */
  client: Client
  /** A client with a further key. */
  key(options?: KeyOptions): Promise<Client>
}

/** Makes a company, with a first key in its live workspace. */
export async function newCompany(store: Store, url: string, name: string, plan = 'enterprise'): Promise<Company> {
  const { id } = await store.writeAccess((tx) => createCompany(tx, { name, plan }))
  const key = async ({ environment = 'live', scopes = ['admin:all'], ...rest }: KeyOptions = {}) => {
    const made = await store.writeAccess((tx) =>
      insertKey(tx, { companyId: id, name: 'Administration', environment, scopes, ...rest }),
    )
    return clientFor(url, made, userAdder(store, id))
  }
  return { id, key, client: await key() }
}
