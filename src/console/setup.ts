import { listCompanies, updateCompany } from '../access/company.ts'
import { hashPassword } from '../access/password.ts'
import { defaultPlan } from '../access/plan.ts'
import { insertSetupLink, isFresh, isUntouched, requireSetupLink } from '../access/setup-link.ts'
import { insertUser } from '../access/user.ts'
import { createCompany } from '../crm/create-company.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { enter, knownClient, openSession } from './enter.ts'
import { type ConsoleCall, type ConsoleRoute, data, readTexts } from './route.ts'

/** The first run: while no user exists, a link that only the operator sees creates the first company and its owner. */
export const setupRoutes: ConsoleRoute[] = [
  { method: 'GET', path: '/console/setup', for: 'anyone', run: ({ store }) => data({ needed: isFresh(store.access) }) },
  { method: 'POST', path: '/console/setup/check', takesBody: true, for: 'anyone', run: check },
  { method: 'POST', path: '/console/setup', takesBody: true, for: 'anyone', run: setUp },
]

/** Creates a link if the database has no user yet. Returns its path. */
export async function openFirstSetup(store: Store): Promise<string | undefined> {
  if (!isUntouched(store.access)) return undefined
  return setupPath((await store.writeAccess(insertSetupLink)).token)
}

/** The token is in the fragment, which proxies do not log. */
export function setupPath(token: string): string {
  return `/setup#${token}`
}

function check({ store, body }: ConsoleCall): ApiResponse {
  requireSetupLink(store.access, readTexts(body, ['token']).token, store.clock.now())
  return data({ company_name: listCompanies(store.access)[0]?.name ?? null })
}

async function setUp(call: ConsoleCall): Promise<ApiResponse> {
  const { store, body } = call
  requireSetupLink(store.access, readTexts(body, ['token']).token, store.clock.now()) // before any other validation
  const names = ['token', 'company_name', 'full_name', 'email', 'password'] as const
  const { token, company_name, full_name, email, password } = readTexts(body, names)
  const passwordHash = await hashPassword(password, { client: knownClient(call) })
  const created = await store.writeAccess((tx) => {
    requireSetupLink(tx, token, Date.parse(tx.now))
    const companyId = firstCompany(tx, company_name)
    const { id } = insertUser(tx, { companyId, fullName: full_name, email, role: 'owner', passwordHash })
    return { id, token: openSession(call, tx, id) }
  })
  return enter(call, created.id, created.token)
}

/** A company that already exists, which the command line or `--welcome` has created, gets the name that the owner gives it. */
function firstCompany(tx: Writer, name: string): string {
  const [company] = listCompanies(tx)
  if (!company) return createCompany(tx, { name, plan: defaultPlan }).id
  return company.name === name ? company.id : updateCompany(tx, company.id, { name }).id
}
