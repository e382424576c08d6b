import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

test('A client reads its own write immediately, even if many clients write and read the same record', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'organization')
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const own = await make(client, 'organization', { name: `Writer ${writer}` })
    for (let turn = 0; turn < 12; turn++) {
      const name = `Writer ${writer} turn ${turn}`
      await client.patch(`/api-v1-organizations/${own.id}`, { name })
      const [{ body: one }, { body: all }] = await Promise.all([
        client.get(`/api-v1-organizations/${own.id}`),
        client.get('/api-v1-organizations'),
        client.get(`/api-v1-organizations/${id}`),
      ])
      assert.equal(one.data.name, name)
      assert.equal(all.data.find((each: JsonRecord) => each.id === own.id).name, name)
    }
  })

  await Promise.all(writers)
})

test('A key without the scope does not get a response that is cached for other keys', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const [other, test_] = [await key({ scopes: ['read:deals'] }), await key({ environment: 'test' })]
  const { id } = await make(client, 'organization')
  const path = `/api-v1-organizations/${id}`
  await client.get(path)

  const responses = [await client.get(path), await other.get(path), await test_.get(path)] as const

  assert.equal(responses[0].status, 200)
  assertError(responses[1], 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(responses[2], 404, 'NOT_FOUND')
})

test('A cached response has new headers each time, and is 304 for a matching If-None-Match', async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'organization')
  const path = `/api-v1-organizations/${id}`
  const first = await client.get(path, { 'X-Request-Id': 'one' })

  const second = await client.get(path, { 'X-Request-Id': 'two' })
  const known = await client.get(path, { 'If-None-Match': first.headers.get('etag')! })

  assert.equal(second.headers.get('x-request-id'), 'two')
  assert.equal(
    Number(first.headers.get('x-ratelimit-remaining')) - 1,
    Number(second.headers.get('x-ratelimit-remaining')),
  )
  assert.deepEqual([known.status, known.body], [304, undefined])
})

test('A client that prefers another type gets it although the JSON is cached, and headers that prefer none get the JSON', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await make(client, 'organization')
  const path = '/api-v1-organizations'
  await client.get(path)
  const typeFor = async (Accept: string) => (await client.get(path, { Accept })).headers.get('content-type')

  for (const accept of ['text/csv', 'text/*', 'text/csv, application/json;q=0.5', 'application/json;q=0.1, text/*'])
    assert.match((await typeFor(accept))!, /^text\/csv/, accept)
  assert.match((await typeFor('application/json;q=0.5, application/x-ndjson'))!, /^application\/x-ndjson/)
  for (const accept of [
    '*/*',
    'application/*',
    'application/json, text/plain, */*',
    'text/csv;q=0.5, application/json',
    'image/png',
  ])
    assert.equal(await typeFor(accept), 'application/json; charset=utf-8', accept)
})

test('A response that shows keys is current after each write of their usage, and after changes by other processes', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const other = await key({ scopes: ['read:all'] })
  const path = `/api-v1-keys/${other.keyId}`
  const counts = async () => {
    const [one, all] = await Promise.all([client.get(path), client.get('/api-v1-keys')])
    const listed = all.body.data.find((each: JsonRecord) => each.id === other.keyId)
    assert.deepEqual(listed, one.body.data)
    return [one.body.data.request_count, one.body.data.is_active]
  }
  assert.deepEqual(await counts(), [0, true])

  for (let used = 1; used <= 3; used++) {
    await other.get('/api-v1-organizations')
    await server.usage.flush()
    assert.deepEqual(await counts(), [used, true])
    assert.deepEqual(await counts(), [used, true])
  }
  await client.patch(path, { is_active: false })
  assert.deepEqual(await counts(), [3, false])
})
