import assert from 'node:assert/strict'
import { test } from 'node:test'
import { control, forkOf, openSandbox } from './sandbox.ts'

const keys = '/api-v1-keys'

test('The key that controls a sandbox or a fork cannot be lost; other keys can', async (t) => {
  const sandbox = await openSandbox(t)
  for (const client of [sandbox.client, await forkOf(sandbox)]) {
    const [own] = (await client.get(keys)).body.data
    const { data: other } = (await client.post(keys, { name: 'App', scopes: ['admin:all'] })).body

    const refused = [
      await client.post(`${keys}/${own.id}/revoke`, undefined),
      await client.patch(`${keys}/${own.id}`, { is_active: false }),
      await client.patch(`${keys}/${own.id}`, { expires_at: '2030-01-01T00:00:00Z' }),
      await client.patch(`${keys}/${own.id}`, { scopes: ['read:all'] }),
      await client.patch(`${keys}/${own.id.toUpperCase()}`, { is_active: false }),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [409, 409, 409, 409, 409],
    )
    assert.equal((await client.patch(`${keys}/${own.id}`, { name: 'Tests' })).status, 200)
    assert.equal((await client.patch(`${keys}/${other.id}`, { is_active: false })).status, 200)
    assert.equal((await client.post(`${keys}/${other.id}/revoke`, undefined)).status, 200)
    assert.equal((await client.post(`${control}/reset`, {})).status, 200)
  }
})
