import { listCompanies } from '../access/company.ts'
import { insertKey } from '../access/key.ts'
import { defaultPlan } from '../access/plan.ts'
import { setupHours } from '../access/setup-link.ts'
import { createCompany } from '../crm/create-company.ts'
import type { Store } from '../store/store.ts'

/** On a server without companies: makes one with a key, and says on standard error what to do with it. */
export async function welcome(store: Store, url: string): Promise<void> {
  if (listCompanies(store.access).length > 0) return
  const key = await store.writeAccess((tx) => {
    const company = createCompany(tx, { name: 'My company', plan: defaultPlan })
    return insertKey(tx, { companyId: company.id, environment: 'live', name: 'First key', scopes: ['admin:all'] })
  })
  process.stderr.write(`
Welcome to Kontor. Your first company is made, and a key that may do everything:

  ${key.key}

Keep it: it is shown this once. Try it in another terminal:

  curl ${url}/api-v1-organizations \\
    -H 'Authorization: Bearer ${key.key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"name":"Acme"}'

`)
}

/** Says on standard error how the first user gets in. */
export function inviteOwner(url: string): void {
  process.stderr.write(`
Open this link to make the first user, who owns the company. It works once, for ${setupHours} hours; "kontor setup-link" makes a new one:

  ${url}

`)
}
