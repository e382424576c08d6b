import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { hashPassword } from '../../src/access/password.ts'
import { insertUser } from '../../src/access/user.ts'
import { verifyLog } from '../../src/changes/verify.ts'
import { schema } from '../../src/commands/open-store.ts'
import { loggedResources, matchable } from '../../src/features/index.ts'
import { findDamage } from '../../src/store/check.ts'
import { type Connection, openConnection } from '../../src/store/open.ts'
import { Statements, WorkspaceReader } from '../../src/store/statements.ts'
import { mailDomain } from '../features/mail/mails.ts'
import { declareUnique } from '../support/fields.ts'
import { type Server, start } from '../support/start.ts'
import { password } from '../support/visitor.ts'
import { fuzz, untouched } from './run.ts'
import { Secrets } from './secrets.ts'
import { enterCompany, staff, type Tenant } from './tenant.ts'

const requests = 6_000
/** Only a declared field can match records of these resources. */
const unmatched = matchable.filter(({ matchedBy }) => matchedBy.length === 0)
const seed = 11

/** Creates two companies, each with two workspaces and users of every role. */
async function tenantsOf(server: Server): Promise<Tenant[]> {
  const passwordHash = await hashPassword(password)
  const tenants: Tenant[] = []
  for (const number of [0, 1]) {
    const { id: companyId, client, key } = await server.company(`mark${number}shared`)
    const [live, tests] = [client, await key({ environment: 'test' })]
    for (const each of [live, tests]) await declareUnique(each, unmatched)
    const keys = [
      { id: live.keyId, key: live.key, environment: 'live' },
      { id: tests.keyId, key: tests.key, environment: 'test' },
    ]
    const users = await server.store.writeAccess((tx) =>
      staff.map(({ role }, index) => {
        const [fullName, email] = [`mark${number}shared`, `mark${number}shared.${index}x@kontor.example`]
        return insertUser(tx, { companyId, fullName, email, role, passwordHash })
      }),
    )
    tenants.push(...(await enterCompany({ url: server.url, number, keys, users })))
  }
  return tenants
}

/** Checks the database afterwards. Returns its damage. */
function damageOf({ directory }: Server): string[] {
  const db = openConnection(join(directory, 'kontor.db'), { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  try {
    return [...findDamage(db, schema), ...faultsInLogs(db)]
  } finally {
    db.close()
  }
}

function faultsInLogs(db: Connection): string[] {
  const statements = new Statements(db, () => {})
  const ids = listWorkspaceIds(new WorkspaceReader(statements, undefined))
  return ids.flatMap((id) => [...verifyLog(loggedResources, new WorkspaceReader(statements, id))])
}

test('Every response to random requests is well-formed and shows no data of another workspace and no message that the caller may not see', async (t) => {
  const server = await start(t, { rateLimits: 'off', limits: { mailDomain } })
  const tenants = await tenantsOf(server)
  const secrets = new Secrets(server.store, tenants)

  const result = await fuzz({ url: server.url, tenants, requests, seed, secrets })

  const sent = [...result.statuses.values()].reduce((sum, count) => sum + count)
  assert.deepEqual(damageOf(server), [])
  assert.deepEqual(untouched(result), [], 'every route has succeeded at least once')
  assert.ok(
    result.statuses.get(401)! < sent / 10,
    `the keys still worked at the end: ${result.statuses.get(401)} of ${sent}`,
  )
  assert.ok(result.statuses.get(404)! > sent / 20, 'records of others were requested')
})
