import { listCompanies } from '../access/company.ts'
import { hashPassword } from '../access/password.ts'
import { defaultPlan } from '../access/plan.ts'
import { insertSession } from '../access/session.ts'
import { drawToken } from '../access/token.ts'
import { hasUsers, insertUser } from '../access/user.ts'
import { foundCompany } from '../crm/found-company.ts'
import type { Answer } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { type ConsoleCall, type ConsoleRoute, data, readTexts } from './route.ts'
import { enter } from './sign-in.ts'

/** The first run: while nobody can sign in yet, a link that only the operator sees makes the first company and its owner. */
export interface Setup {
  /** Of the link, with its token behind `#`, where no log of a proxy sees it; undefined where there is nothing to set up. */
  path: string | undefined
  routes: ConsoleRoute[]
}

/** The link dies when it is used, and with the process. */
export function openSetup(store: Store): Setup {
  const token = isFresh(store.access) ? drawToken() : undefined
  const requireToken = ({ body }: ConsoleCall) => {
    const given = readTexts(body, ['token']).token
    if (token === undefined || given !== token || !isFresh(store.access)) throw used()
  }
  return {
    path: token && `/setup#${token}`,
    routes: [
      {
        method: 'POST',
        path: '/console/setup/check',
        takesBody: true,
        for: 'anyone',
        run(call) {
          requireToken(call)
          return data({ company_name: listCompanies(store.access)[0]?.name ?? null })
        },
      },
      {
        method: 'POST',
        path: '/console/setup',
        takesBody: true,
        for: 'anyone',
        run(call) {
          requireToken(call)
          return setUp(call)
        },
      },
    ],
  }
}

/** Nobody can sign in, and it is clear to which company a first user belongs. */
function isFresh(reader: Reader): boolean {
  return !hasUsers(reader) && listCompanies(reader).length <= 1
}

async function setUp(call: ConsoleCall): Promise<Answer> {
  const { store, body } = call
  const names = ['company_name', 'full_name', 'email', 'password'] as const
  const { company_name, full_name, email, password } = readTexts(body, names)
  const passwordHash = await hashPassword(password)
  const made = await store.writeAccess((tx) => {
    if (!isFresh(tx)) throw used()
    const companyId = firstCompany(tx, company_name)
    const { id } = insertUser(tx, { companyId, fullName: full_name, email, role: 'owner', passwordHash })
    return { id, token: insertSession(tx, id) }
  })
  return enter(call, made.id, made.token)
}

/** The company that is there already has been made by the command line, or by `--welcome`. */
function firstCompany(tx: Writer, name: string): string {
  return listCompanies(tx)[0]?.id ?? foundCompany(tx, { name, plan: defaultPlan }).id
}

function used(): ApiError {
  return new ApiError('NOT_FOUND', 'This link is not valid any more: it works once, until the server stops')
}
