import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ApiKey, findKey, hashKey } from '../../src/access/key.ts'
import { assertError, send } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

test('No file of the data directory contains the text of a key', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const other = await key({ environment: 'test' })
  await make(client, 'organization')
  await make(other, 'contact')
  await client.get(`/api-v1-organizations?api_key=${client.key}`)
  await server.usage.flush()

  const files = readdirSync(server.directory).map((name) => readFileSync(join(server.directory, name)))

  const all = Buffer.concat(files)
  for (const { key: text } of [client, other]) {
    assert.ok(all.includes(hashKey(text)), 'the files that are looked into are those that are written')
    assert.ok(!all.includes(text))
    assert.ok(!all.includes(text.slice('svc_live_'.length)))
  }
})

test('A key consists of the environment’s prefix and 32 letters and digits, and its listed prefix has 24 characters', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const other = await key({ environment: 'test' })

  const records: ApiKey[] = [client, other].map(({ keyId }) => findKey(server.store.access, keyId))

  assert.match(client.key, /^svc_live_[A-Za-z0-9]{32}$/)
  assert.match(other.key, /^svc_test_[A-Za-z0-9]{32}$/)
  assert.deepEqual(
    records.map(({ prefix }) => prefix),
    [client.key.slice(0, 24), other.key.slice(0, 24)],
  )
  assert.ok(!JSON.stringify(records).includes(client.key.slice(24)))
})

test('Keys are all different', async (t) => {
  const server = await start(t)
  const { key } = await server.company('Acme')

  const clients = await Promise.all(Array.from({ length: 50 }, () => key()))

  assert.equal(new Set(clients.map((client) => client.key)).size, 50)
})

test('An error does not contain the rejected key', async (t) => {
  const server = await start(t)
  const given = [`svc_live_${'x'.repeat(32)}`, `malformed_${'y'.repeat(32)}`]

  for (const key of given) {
    const response = await send(`${server.url}/api-v1-contacts`, { headers: { Authorization: `Bearer ${key}` } })

    assertError(response, 401, 'INVALID_API_KEY')
    assert.ok(!JSON.stringify([response.body, ...response.headers]).includes(key))
  }
})
