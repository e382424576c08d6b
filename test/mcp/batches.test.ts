import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findKey } from '../../src/access/key.ts'
import { ApiError } from '../../src/errors.ts'
import { createUnder, people } from '../long-requests/under-request.ts'
import { assertError } from '../support/client.ts'
import { ManualDisk } from '../support/disk.ts'
import { type StartOptions, start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { modern, post } from './agent.ts'

// Lists of messages, which only the revision 2025-03-26 has.

async function open(t: TestContext, options: StartOptions = {}) {
  const { url, company, store } = await start(t, options)
  const { client } = await company('Acme')
  const raw = (body: unknown, headers = {}) =>
    post(`${url}/mcp`, body, { Authorization: `Bearer ${client.key}`, ...headers })
  return { client, raw, store, url }
}

test('A client of the oldest revision may send its messages in a batch, and what each changes can be undone by itself', async (t) => {
  const { raw, client } = await open(t)
  const message = (id: number, method: string, params = {}) => ({ jsonrpc: '2.0', id, method, params })
  const save = (title: string) => ({ name: 'save_record', arguments: { type: 'task', values: { title } } })
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' }

  const { status, body } = await raw([
    message(1, 'ping'),
    note,
    message(2, 'tools/call', save('A')),
    { id: 3 },
    message(4, 'nope'),
    message(5, 'tools/call', save('B')),
  ])
  const notes = await raw([note, note], { 'MCP-Protocol-Version': '2025-03-26' })
  const { undo } = body[4].result.structuredContent
  await client.post('/api-v1-undo', undo)

  assert.equal(status, 200)
  assert.deepEqual(
    body.map(({ id, error }: { id: number; error?: { code: number } }) => [id, error?.code]),
    [
      [1, undefined],
      [2, undefined],
      [3, -32600],
      [4, -32601],
      [5, undefined],
    ],
  )
  assert.deepEqual([notes.status, notes.body], [202, undefined])
  const { data } = (await client.get('/api-v1-tasks')).body
  assert.deepEqual(
    data.map(({ title }: { title: string }) => title),
    ['A'],
  )
})

test('A batch is refused if it is empty or too long, and in the revisions without batches', async (t) => {
  const { raw } = await open(t)
  const batch = (length: number) => Array(length).fill({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const codeOf = async (body: object[], version?: string) => {
    const reply = await raw(body, version ? { 'MCP-Protocol-Version': version } : {})
    return [reply.status, reply.body.error?.code]
  }

  assert.deepEqual(await codeOf(batch(20)), [200, undefined])
  assert.deepEqual(await codeOf(batch(21)), [400, -32600])
  assert.deepEqual(await codeOf([]), [400, -32600])
  for (const version of [modern, '2025-11-25', '2025-06-18']) {
    assert.deepEqual(await codeOf(batch(1), version), [400, -32600], version)
  }
})

test('Each message of a batch is in the usage of its key, and the response shows what is left', async (t) => {
  const { url, company, usage, store } = await start(t, { rateLimits: 'plan' })
  const { client } = await company('Acme')
  const batch = Array(20).fill({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const before = await client.get('/api-v1-tasks')

  const { headers } = await post(`${url}/mcp`, batch, { Authorization: `Bearer ${client.key}` })

  await usage.flush()
  assert.equal(findKey(store.access, client.keyId).request_count, 21)
  const remaining = (of: Headers) => Number(of.get('x-ratelimit-remaining'))
  assert.equal(remaining(headers), remaining(before.headers) - 20)
})

test('Each message of a batch counts against the limits of its key, and one that would exceed them does nothing', async (t) => {
  const { url, company, clock } = await start(t, { rateLimits: 'plan' })
  const { client } = await company('Acme', 'free')
  const call = { name: 'save_record', arguments: { type: 'task', values: { title: 'Call' } } }
  const batch = Array(20).fill({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const send = () => post(`${url}/mcp`, batch, { Authorization: `Bearer ${client.key}` })
  const before = (await client.get('/api-v1-tasks')).headers.get('x-ratelimit-remaining')

  let made = 0
  let last = await send()
  for (; last.status === 200; last = await send()) made += 20

  assertError(last, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(made, Math.floor(Number(before) / 20) * 20)
  const left = (await client.get('/api-v1-tasks')).headers.get('x-ratelimit-remaining')
  assert.equal(Number(left), Number(before) - made - 1, 'a refused batch counts nothing')
  clock.advance(60_000)
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, made)
})

test('If a message of a batch could not be moved to another thread, the others still get their replies', async (t) => {
  const { client, raw, store } = await open(t)
  await createUnder(store, client, 'nightly', people(60))
  const call = (id: number, name: string, given: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: given },
  })
  const { mock } = t.mock.method(store, 'requireWritable', () => {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The server is stopping')
  })

  const { status, body } = await raw([
    call(1, 'list_records', { type: 'contact' }),
    call(2, 'undo', { request_id: 'nightly' }),
  ])
  mock.restore()

  assert.deepEqual([status, body[0].result.structuredContent.pagination.total], [200, 60])
  assert.deepEqual([body[1].id, body[1].error], [2, { code: -32603, message: 'The server is stopping' }])
})

test('A batch ends with the message in progress when its client goes, because nobody would learn what more it does', async (t) => {
  const disk = new ManualDisk()
  const { client, url } = await open(t, { durability: disk, limits: { requestsMax: 1 } })
  const save = { name: 'save_record', arguments: { type: 'task', values: { title: 'Call' } } }
  const body = JSON.stringify(Array(3).fill({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: save }))
  const headers = { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' }
  const leaving = new AbortController()
  disk.held = true

  const sent = fetch(`${url}/mcp`, { method: 'POST', headers, body, signal: leaving.signal })
  await disk.syncing()
  leaving.abort()
  await assert.rejects(sent)
  await until('its place is free', async () => (await client.get('/api-v1-me')).status === 200)
  disk.held = false
  disk.confirm()

  await client.post('/api-v1-tasks', { title: 'Last' })
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 2)
})
