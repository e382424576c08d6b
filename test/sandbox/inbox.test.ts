import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Inbox, inboxUrl } from '../../src/sandbox/inbox.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { control, freeze, openSandbox } from './sandbox.ts'

const inbox = `${control}/inbox`
const requests = `${control}/requests`
const organizations = '/api-v1-organizations'

test('Deliveries to kontor:inbox are captured with a valid signature of the real time', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  const { body } = await client.post('/api-v1-webhooks', { url: 'kontor:inbox', events: ['organization.*'] })
  await client.post(organizations, { name: 'Acme' })

  const [captured] = (await client.get(`${inbox}?type=organization.created&wait=10`)).body.data

  assert.deepEqual([captured.webhook_id, captured.type], [body.data.id, 'organization.created'])
  assert.equal(captured.body.data.name, 'Acme')
  assert.equal(captured.at, '2026-02-02T09:00:00.000Z')
  new Webhook(body.data.secret).verify(captured.text, captured.headers) // also refuses old timestamps
  const log = await client.get(`/api-v1-webhooks/${body.data.id}/deliveries?status=succeeded`)
  assert.equal(log.body.data[0].attempts[0].status, 204)
})

test('A read of the inbox waits for the number of deliveries, and clearing it returns what it had', async (t) => {
  const { client } = await openSandbox(t)
  await client.post('/api-v1-webhooks', { url: 'kontor:inbox', events: ['*'] })
  const waiting = client.get(`${inbox}?type=organization.created&count=3&wait=30`)
  for (const name of ['A', 'B', 'C']) await client.post(organizations, { name })

  assert.equal((await waiting).body.data.length, 3)
  const removed = await client.delete(inbox)
  assert.deepEqual(
    removed.body.data.map(({ body }: { body: { data: { name: string } } }) => body.data.name),
    ['A', 'B', 'C'],
  )
  assert.deepEqual((await client.get(inbox)).body.data, [])
  const none = await client.get(`${inbox}?type=deal.won&wait=1`)
  assert.deepEqual(none.body.data, [])
  for (const query of ['count=x', 'wait=-1', 'kind=deal', 'type=deal.create&wait=30', 'type=deal.*']) {
    assertError(await client.get(`${inbox}?${query}`), 400, 'VALIDATION_ERROR')
  }
})

test('A reset ends a read that waits for deliveries', async (t) => {
  const { client } = await openSandbox(t)
  const waiting = client.get(`${inbox}?count=5&wait=30`)

  await client.post(`${control}/reset`, {})

  assert.deepEqual((await waiting).body.data, [])
})

test('The journal shows the requests with bodies and statuses, without the control endpoints', async (t) => {
  const { client } = await openSandbox(t)
  await client.post(organizations, { name: 'Acme' })
  await client.post(organizations, { name: '' })
  await client.get(`${organizations}?limit=5`, { 'X-Request-Id': 'my-request' })
  await client.request('GET', organizations, { headers: { Authorization: 'Bearer nothing' } })
  await client.get(organizations, { 'Kontor-Fault': 'status=503' })
  await client.post(organizations, { name: 'x'.repeat(65_536) }) // too long for the journal

  const { body } = await client.get(requests)

  const shown = body.data.map(({ method, query, status, body, fault }: Record<string, unknown>) => {
    return [method, query, status, body, fault]
  })
  assert.deepEqual(shown, [
    ['POST', '', 201, { name: 'Acme' }, null],
    ['POST', '', 400, { name: '' }, null],
    ['GET', 'limit=5', 200, null, null],
    ['GET', '', 401, null, null],
    ['GET', '', 503, null, 'status=503'],
    ['POST', '', 400, null, null],
  ])
  assert.equal(body.data[2].request_id, 'my-request')
  const count = async (match: object) => (await client.post(`${requests}/count`, { match })).body.data.count
  assert.equal(await count({}), 6)
  assert.equal(await count({ method: 'POST', path: '/api-v1-org*', status: 201 }), 1)
  assert.equal((await client.get(`${requests}?method=GET&status=401`)).body.data.length, 1)
  for (const query of ['status=abc', 'status=99', 'verb=GET']) {
    assertError(await client.get(`${requests}?${query}`), 400, 'VALIDATION_ERROR')
  }
})

test('The journal keeps the newest thousand requests', async (t) => {
  const { client } = await openSandbox(t)
  for (let n = 0; n < 1_010; n++) await client.get(`/api-v1-me?n=${n}`)

  const { body } = await client.get(requests)

  assert.equal(body.data.length, 1_000)
  assert.deepEqual([body.data[0].query, body.data.at(-1).query], ['n=10', 'n=1009'])
})

test('A server that is no sandbox has none of the control endpoints, and refuses kontor:inbox', async (t) => {
  const server = await start(t)
  const client = await server.client()

  for (const [method, path] of [...controlPaths, ['POST', `${control}/reset`]]) {
    const response = await fetch(server.url + path, { method, headers: { Authorization: `Bearer ${client.key}` } })
    assert.equal(response.status, 404, `${method} ${path}`)
    assert.deepEqual(await response.json(), { error: { code: 'NOT_FOUND', message: 'Route not found' } })
  }
  const hook = await client.post('/api-v1-webhooks', { url: 'kontor:inbox', events: ['*'] })
  assertError(hook, 400, 'VALIDATION_ERROR', undefined, ['url'])
})

const controlPaths = ['export', 'clock', 'faults', 'inbox', 'requests', 'snapshots'].map((path) => [
  'GET',
  `${control}/${path}`,
])

test('An inbox has the newest thousand deliveries, in the order of the changes', () => {
  const captured = new Inbox([])
  const capture = (number: number) => {
    const headers = { 'webhook-id': `msg_a_${number}` }
    captured.capture({ url: inboxUrl, headers, body: '{"type":"deal.won"}' }, '2026-01-01T00:00:00.000Z')
  }
  for (let number = 0; number <= 1_000; number++) capture(number)
  captured.settle()
  capture(1_002)
  capture(1_001)
  const ids = captured.find().map(({ id }) => id)
  assert.deepEqual([ids.length, ids[0], ...ids.slice(-2)], [1_000, 'msg_a_3', 'msg_a_1001', 'msg_a_1002'])
})

test('An inbox that is cleared has room again', () => {
  const captured = new Inbox([])
  const body = JSON.stringify({ type: 'deal.won', text: 'x'.repeat(10 * 2 ** 20) })
  for (let turn = 0; turn < 2; turn++) {
    const headers = { 'webhook-id': 'msg_a_1' }
    captured.capture({ url: inboxUrl, headers, body }, '2026-01-01T00:00:00.000Z')
    assert.equal(captured.clear().length, 1)
  }
})

test('An inbox that is closed lets nobody wait, neither who waits already nor who comes later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const captured = new Inbox([])
  const wait = () => captured.wait({ type: undefined, count: 1, ms: 30_000 })
  const waiting = wait()

  captured.close()

  await Promise.all([waiting, wait()])
})
