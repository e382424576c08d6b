import type { Environment } from '../../src/access/company.ts'
import { defaultPlan } from '../../src/access/plan.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { createKey } from '../../src/crm/api-key.ts'
import { createCompany } from '../../src/crm/create-company.ts'
import { type Client, clientFor } from './client.ts'

// What `kontor company create` and `kontor key create` do, in the test's own process: starting each takes 0.4 s of a processor.

/** Creates a company in a data directory, which is made if it is missing; a server may run on it. Returns the id. */
export async function prepareCompany(data: string, name = 'Acme'): Promise<string> {
  const { id } = await withStore(
    data,
    (store) => store.writeAccess((tx) => createCompany(tx, { name, plan: defaultPlan })),
    {
      create: true,
    },
  )
  return id
}

/** Creates a key with all scopes. Returns a client with it for `url`. */
export async function prepareKey(
  data: string,
  companyId: string,
  url: string,
  environment: Environment = 'live',
): Promise<Client> {
  const body = { name: 'First', scopes: ['admin:all'] }
  return clientFor(
    url,
    await withStore(data, (store) => store.writeAccess((tx) => createKey(tx, companyId, environment, body))),
  )
}

/** Creates a company and a key. Returns a client for `url`. */
export async function firstClient(data: string, url: string): Promise<Client> {
  return prepareKey(data, await prepareCompany(data), url)
}
