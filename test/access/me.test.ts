import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { scopes } from '../../src/access/scopes.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const me = '/api-v1-me'

test('GET /api-v1-me', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme', 'starter')

  await t.test(
    'GET /api-v1-me returns the key without its secret, the company, workspace, scopes, plan and limits',
    async () => {
      const client = await company.key({ environment: 'test', scopes: ['write:tasks', 'read:deals'] })

      const { status, body } = await client.get(me)

      const { key, ...rest } = body.data
      assert.equal(status, 200)
      assert.deepEqual([key.id, key.prefix, key.environment], [client.keyId, client.key.slice(0, 24), 'test'])
      assert.ok(!JSON.stringify(body).includes(client.key.slice(24)))
      assert.deepEqual(rest, {
        company: { id: company.id, name: 'Acme' },
        workspace: { environment: 'test' },
        scopes: ['write:tasks', 'read:deals'],
        plan: 'starter',
        limits: {
          requests_per_minute: 60,
          requests_per_day: 1000,
          max_organizations: null,
          max_contacts: null,
          max_deals: null,
          max_storage_bytes: null,
        },
        usage: {
          requests_per_minute: 1,
          requests_per_day: 1,
          max_organizations: 0,
          max_contacts: 0,
          max_deals: 0,
          max_storage_bytes: 0,
        },
        features: ['bulk_import', 'webhooks'],
      })
    },
  )

  for (const scope of scopes) {
    await t.test(`GET /api-v1-me accepts a key with only the scope ${scope}`, async () => {
      const client = await company.key({ scopes: [scope] })

      assert.equal((await client.get(me)).status, 200)
    })
  }

  await t.test('GET /api-v1-me returns the current plan', async () => {
    await server.store.writeAccess((tx) =>
      updatePlan(tx, 'starter', { max_deals: 7, bulk_import: false, webhooks: false }),
    )

    const { body } = await company.client.get(me)

    assert.deepEqual([body.data.limits.max_deals, body.data.features], [7, []])
  })

  await t.test('GET /api-v1-me returns how much of each limit the key and its workspace use', async () => {
    const { clock } = server
    const other = await server.company('Nordwind')
    const client = await other.key({ environment: 'test' })
    await make(other.client, 'contact')
    for (const name of ['A', 'B']) await make(client, 'organization', { name })
    await make(client, 'deal')
    const { id } = await make(client, 'contact')
    await client.delete(`/api-v1-contacts/${id}`)
    clock.advance(60_000)
    await client.get('/api-v1-deals')

    const { body } = await client.get(me)

    assert.deepEqual(body.data.usage, {
      requests_per_minute: 2,
      requests_per_day: 7,
      max_organizations: 2,
      max_contacts: 0,
      max_deals: 1,
      max_storage_bytes: 0,
    })
    assert.deepEqual(Object.keys(body.data.usage), Object.keys(body.data.limits))
  })

  await t.test('/api-v1-me accepts no parameters and no other methods', async () => {
    assertError(await company.client.get(`${me}?verbose=1`), 400, 'VALIDATION_ERROR', undefined, ['verbose'])
    assertError(await company.client.post(me, {}), 405, 'INVALID_REQUEST')
  })
})
