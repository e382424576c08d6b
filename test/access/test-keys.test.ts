import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'
import { start } from '../support/start.ts'

const keys = '/api-v1-keys'

test('A test key can neither see nor create live keys', async (t) => {
  const company = await (await start(t)).company('Acme')
  const { client } = company
  const sandbox = await company.key({ environment: 'test' })
  const path = `${keys}/${client.keyId}`

  const hidden = [
    await sandbox.get(path),
    await sandbox.patch(path, { is_active: false }),
    await sandbox.request('POST', `${path}/revoke`),
    await sandbox.get(`${path}/usage`),
  ]
  const listed = [await sandbox.get(`${keys}?limit=100`), await sandbox.get(`${keys}?environment=live`)]
  const made = await Promise.all(
    ['live', ' live '].map((environment) =>
      sandbox.post(keys, { name: 'B', scopes: ['admin:all'], environment }, { 'Idempotency-Key': 'again' }),
    ),
  )

  for (const response of hidden) assertError(response, 404, 'NOT_FOUND', 'API key not found')
  const environments = listed.map(({ body }) => body.data.map((key: JsonRecord) => key.environment))
  assert.deepEqual([[...new Set(environments[0])], environments[1]], [['test'], []])
  assert.equal(listed[0]!.body.pagination.total, environments[0].length)
  for (const response of made)
    assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', 'A test key can manage only test keys')
  assert.equal((await client.get(path)).status, 200)
})

test('Test keys can be managed with test keys and with live keys', async (t) => {
  const company = await (await start(t)).company('Acme')
  const { client } = company
  const sandbox = await company.key({ environment: 'test' })
  const other = await company.key({ environment: 'test', scopes: ['read:all'] })
  const path = `${keys}/${other.keyId}`

  for (const manager of [sandbox, client]) {
    assert.equal((await manager.get(path)).status, 200)
    assert.equal((await manager.patch(path, { name: 'CI' })).status, 200)
    assert.equal((await manager.get(`${path}/usage`)).status, 200)
  }
  assert.equal((await sandbox.request('POST', `${path}/revoke`)).body.data.is_active, false)
})
