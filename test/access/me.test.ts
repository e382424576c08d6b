import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { scopes } from '../../src/access/scopes.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'

const me = '/api-v1-me'

/** decision E3 */
test('Who am I', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme', 'starter')

  await t.test('is told the key without its secret, company, workspace, scopes, plan and limits', async () => {
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
      },
      features: ['bulk_import', 'webhooks'],
    })
  })

  for (const scope of scopes) {
    await t.test(`is answered to a key with ${scope} alone`, async () => {
      const client = await company.key({ scopes: [scope] })

      assert.equal((await client.get(me)).status, 200)
    })
  }

  await t.test('follows the plan as it is now', async () => {
    await server.store.writeAccess((tx) => updatePlan(tx, 'starter', { max_deals: 7, webhooks: false }))

    const { body } = await company.client.get(me)

    assert.deepEqual([body.data.limits.max_deals, body.data.features], [7, ['bulk_import']])
  })

  await t.test('takes no parameters and knows no other method', async () => {
    assertError(await company.client.get(`${me}?verbose=1`), 400, 'VALIDATION_ERROR', undefined, ['verbose'])
    assertError(await company.client.post(me, {}), 405, 'INVALID_REQUEST')
  })
})
