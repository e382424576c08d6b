import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError, type Client, clientFor } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ManualDisk } from '../support/disk.ts'
import { start } from '../support/start.ts'

const url = '/api-v1-organizations'
const dayMs = 86_400_000

const once = (client: Client, key: string, body: unknown = { name: 'Acme' }, path = url) =>
  client.post(path, body, { 'Idempotency-Key': key })
const countOf = async (client: Client) => (await client.get(url)).body.pagination.total

/** decision B15 */
test('A POST with an Idempotency-Key', async (t) => {
  const server = await start(t)
  const company = await server.company('Acme')
  const { client } = company
  const raw = async (key: string, body: string) => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${client.key}`,
      'Idempotency-Key': key,
    }
    const response = await fetch(`${server.url}${url}`, { method: 'POST', headers, body })
    return { response, text: await response.text() }
  }

  await t.test('A repeated POST is executed once and returns the same response byte for byte', async () => {
    const before = await countOf(client)
    const body = '{"name":"Acme",  "city":"Kiel"}'

    const first = await raw('a-1', body)
    const again = await raw('a-1', body)

    assert.deepEqual([first.response.status, again.response.status], [201, 201])
    assert.equal(again.text, first.text)
    for (const name of ['location', 'etag', 'content-type', 'content-length']) {
      assert.equal(again.response.headers.get(name), first.response.headers.get(name), name)
    }
    assert.equal(first.response.headers.get('idempotent-replayed'), null)
    assert.equal(again.response.headers.get('idempotent-replayed'), 'true')
    assert.equal(await countOf(client), before + 1)
  })

  await t.test(
    'A repeated POST returns the original response even if the record has changed or was deleted',
    async () => {
      const first = await once(client, 'a-2')
      await client.delete(first.headers.get('location')!)

      const again = await once(client, 'a-2')

      assert.deepEqual(again.body, first.body)
    },
  )

  await t.test('The same key with another body or path is a conflict', async () => {
    await once(client, 'a-3')

    const responses = [
      await once(client, 'a-3', { name: 'Other' }),
      await once(client, 'a-3', { name: 'Acme' }, '/api-v1-stages'),
      await client.post(url, { name: 'Acme', a: 1 }, { 'Idempotency-Key': 'a-3' }),
    ]

    for (const response of responses) {
      assertError(response, 409, 'CONFLICT', 'This Idempotency-Key was used for another request')
      assert.equal(response.headers.get('retry-after'), null)
    }
  })

  await t.test(
    'The same key with another query, or with a body for a route that takes none, is a conflict',
    async () => {
      const made = await client.post('/api-v1-keys', { name: 'Revoked', scopes: ['read:all'] })
      const revoke = `/api-v1-keys/${made.body.data.id}/revoke`
      const headers = { 'Idempotency-Key': 'a-10' }
      assert.equal((await client.request('POST', revoke, { headers })).status, 200)
      await once(client, 'a-11')

      assertError(await once(client, 'a-10', { other: 1 }, revoke), 409, 'CONFLICT')
      assertError(await once(client, 'a-11', { name: 'Acme' }, `${url}?x=1`), 409, 'CONFLICT')
      const again = await client.request('POST', revoke, { headers })
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    },
  )

  await t.test('A rejected request can be corrected and sent with the same key', async () => {
    const invalid = await once(client, 'a-4', { name: '' })
    const taken = await once(client, 'a-5', { name: 'lead' }, '/api-v1-stages')

    const corrected = [
      await once(client, 'a-4', { name: 'Acme' }),
      await once(client, 'a-5', { name: 'Another' }, '/api-v1-stages'),
    ]

    assertError(invalid, 400, 'VALIDATION_ERROR', 'Name is required')
    assertError(taken, 409, 'ALREADY_EXISTS')
    for (const { status, headers } of corrected) {
      assert.deepEqual([status, headers.get('idempotent-replayed')], [201, null])
    }
    const again = await once(client, 'a-4', { name: 'Acme' })
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [corrected[0]!.body, 'true'])
  })

  await t.test('A rejected request is validated again when it is repeated', async () => {
    const stages = '/api-v1-stages'
    const first = await once(client, 'a-12', { name: 'Lead' }, stages)
    const { data } = (await client.get(`${stages}?name=Lead`)).body
    await client.delete(`${stages}/${data[0].id}`)

    const second = await once(client, 'a-12', { name: 'Lead' }, stages)

    assertError(first, 409, 'ALREADY_EXISTS')
    assert.equal(second.status, 201)
  })

  await t.test(
    'Errors before the handler (scope, invalid JSON, media type) do not use up the Idempotency-Key',
    async () => {
      const reader = await company.key({ scopes: ['read:all'] })

      assertError(await once(reader, 'a-6'), 403, 'INSUFFICIENT_PERMISSIONS')
      assert.equal((await raw('a-6', '{"name":')).response.status, 400)
      assert.equal((await once(client, 'a-6')).status, 201)
    },
  )

  await t.test('Idempotency keys of other API keys and workspaces are separate', async () => {
    const other = await company.key()
    const sandbox = await company.key({ environment: 'test' })
    const stranger = (await server.company('Globex')).client

    const responses = await Promise.all([client, other, sandbox, stranger].map((each) => once(each, 'a-7')))

    assert.equal(new Set(responses.map(({ body }) => body.data.id)).size, 4)
    for (const { headers } of responses) assert.equal(headers.get('idempotent-replayed'), null)
  })

  await t.test('A response is stored for a day', async () => {
    const first = await once(client, 'a-8')
    server.clock.advance(dayMs - 1)
    const repeated = await once(client, 'a-8')
    server.clock.advance(1)

    const later = await once(client, 'a-8', { name: 'Another' })

    assert.deepEqual(repeated.body, first.body)
    assert.equal(later.status, 201)
    assert.notEqual(later.body.data.id, first.body.data.id)
  })

  for (const key of ['', 'ü', 'a b', 'x'.repeat(256)]) {
    await t.test(
      `The Idempotency-Key ${JSON.stringify(key.slice(0, 8))} of ${key.length} characters is rejected`,
      async () => {
        const before = await countOf(client)

        const response = await once(client, key)

        assertError(response, 400, 'VALIDATION_ERROR', undefined, ['Idempotency-Key'])
        assert.equal(await countOf(client), before)
      },
    )
  }

  await t.test('A repeated POST that creates an API key returns its text again, which is in no file', async () => {
    const body = { name: 'Once', scopes: ['read:all'] }

    const first = await once(client, 'a-9', body, '/api-v1-keys')
    const again = await once(client, 'a-9', body, '/api-v1-keys')

    assert.deepEqual(again.body, first.body)
    const files = readdirSync(server.directory).map((name) => readFileSync(join(server.directory, name)))
    const text = Buffer.concat(files)
    assert.ok(text.includes(first.body.data.id))
    assert.ok(!text.includes(first.body.data.key.slice('svc_live_'.length)))
  })
})

test('While the first request is running, a repeated one is a conflict with Retry-After', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk })
  const client = await server.client()
  disk.held = true
  const asked = disk.syncing()

  const first = once(client, 'b-1')
  await asked
  const early = await once(client, 'b-1')
  disk.held = false
  disk.confirm()

  assertError(early, 409, 'CONFLICT', 'A request with this Idempotency-Key is still running')
  assert.equal(early.headers.get('retry-after'), '1')
  assert.equal((await first).status, 201)
  assert.deepEqual((await once(client, 'b-1')).body, (await first).body)
})

test('A write whose sync failed can be repeated with its key and is executed once', async (t) => {
  const disk = new ManualDisk()
  const server = await start(t, { durability: disk, work: 'nowhere' })
  const client = await server.client()
  disk.held = true
  const asked = disk.syncing()
  const failing = once(client, 'b-2')
  await asked
  disk.held = false
  disk.fail()
  assertError(await failing, 503, 'SERVICE_UNAVAILABLE')

  const again = await once(client, 'b-2')

  assert.equal(again.status, 201)
  assert.equal(await countOf(client), 1)
})

test('Of many concurrent requests with one key one is executed', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')

  const responses = await Promise.all(Array.from({ length: 20 }, () => once(client, 'c-1')))

  const done = responses.filter(({ status }) => status === 201)
  assert.ok(done.length >= 1)
  for (const { body } of done) assert.deepEqual(body, done[0]!.body)
  for (const response of responses.filter(({ status }) => status !== 201)) assertError(response, 409, 'CONFLICT')
  assert.equal(await countOf(client), 1)
})

test('A stored response survives a restart', async (t) => {
  const directory = temporaryDirectory(t)
  const clock = new FakeClock()
  const before = await start(t, { directory, clock })
  const client = await before.client()
  const first = await once(client, 'd-1')
  await before.stop()
  const after = await start(t, { directory, clock })

  const again = await once(clientFor(after.url, { id: client.keyId, key: client.key }), 'd-1')

  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})
