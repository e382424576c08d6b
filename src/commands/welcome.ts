import { listCompanies } from '../access/company.ts'
import { insertKey } from '../access/key.ts'
import { defaultPlan } from '../access/plan.ts'
import { setupHours } from '../access/setup-link.ts'
import { createCompany } from '../crm/create-company.ts'
import type { Store } from '../store/store.ts'

/** If there is no company yet, creates one with a key, and prints on standard error how to use it. */
export async function welcome(store: Store, url: string): Promise<void> {
  if (listCompanies(store.access).length > 0) return
  const key = await store.writeAccess((tx) => {
    const company = createCompany(tx, { name: 'My company', plan: defaultPlan })
    return insertKey(tx, { companyId: company.id, environment: 'live', name: 'First key', scopes: ['admin:all'] })
  })
  process.stderr.write(`
Welcome to Kontor. Your first company was created, with a key that has full access. Save it now: it is shown only once.

  export KONTOR_URL=${url} KONTOR_KEY=${key.key}

Try it in another terminal:

  curl $KONTOR_URL/api-v1-organizations -H "Authorization: Bearer $KONTOR_KEY" \\
    -H 'Content-Type: application/json' -d '{"name":"Acme"}'

`)
}

/** Prints on standard error how to create the first user. */
export function inviteOwner(url: string): void {
  process.stderr.write(`
Open this link to create the first user, the owner of the company. It works once, within ${setupHours} hours; "kontor setup-link" creates a new one:

  ${url}

`)
}
