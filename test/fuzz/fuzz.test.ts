import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDamage } from '../../src/store/check.ts'
import { openConnection } from '../../src/store/open.ts'
import { fuzz, knowUsers, untouched } from '../support/fuzz/run.ts'
import { newTenant, type Tenant } from '../support/fuzz/tenant.ts'
import { randomOf } from '../support/random.ts'
import { type Server, start } from '../support/start.ts'

const requests = 4_000
const seed = 7

/** Two companies, each with two workspaces and two users. */
async function tenantsOf(server: Server): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (const number of [0, 1]) {
    const { client, key } = await server.company(`mark${number}shared`)
    const users = [await client.addUser(), await client.addUser()]
    const clients = { live: client, test: await key({ environment: 'test' }) }
    const keyIds = Object.values(clients).map(({ keyId }) => keyId)
    for (const [environment, { key: text }] of Object.entries(clients)) {
      const tenant = newTenant(number, environment, text, keyIds)
      knowUsers(tenant, users, randomOf(0))
      tenants.push(tenant)
    }
  }
  return tenants
}

/** What is wrong with the database afterwards. */
function damageOf({ directory }: Server): string[] {
  const db = openConnection(join(directory, 'kontor.db'), { busyTimeoutMs: 5_000, synchronous: 'NORMAL' })
  try {
    return findDamage(db)
  } finally {
    db.close()
  }
}

test('Whatever is asked at every route, each answer is well-formed and shows nothing of another workspace', async (t) => {
  const server = await start(t, { rateLimits: 'off' })

  const result = await fuzz({ url: server.url, tenants: await tenantsOf(server), requests, seed })

  assert.deepEqual(damageOf(server), [])
  assert.deepEqual(untouched(result), [], 'every route did what it was asked at least once')
  assert.ok(result.statuses.get(401)! < requests / 20, 'the keys still worked at the end')
  assert.ok(result.statuses.get(404)! > requests / 20, 'others’ records were asked for')
})
