import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Receiver } from '../features/webhooks/receiver.ts'
import { addWebhook, untilDelivered } from '../features/webhooks/webhooks.ts'
import { assertError, type Client } from '../support/client.ts'
import { control, forkOf, freeze, openSandbox } from './sandbox.ts'

const faults = `${control}/faults`
const organizations = '/api-v1-organizations'
const total = async (client: Client) => (await client.get(organizations)).body.pagination.total

test('A fault fails the requests that match, as often as it says, without an effect', async (t) => {
  const { client } = await openSandbox(t)
  const fault = { match: { method: 'POST', path: '/api-v1-org*' }, do: { status: 503, retry_after: 7 }, times: 2 }
  const set = await client.put(faults, [fault])
  assert.deepEqual(set.body.data, [{ ...fault, probability: 1 }])

  const [first, second, third] = [
    await client.post(organizations, { name: 'A' }),
    await client.post(organizations, { name: 'B' }),
    await client.post(organizations, { name: 'C' }),
  ]

  assertError(first, 503, 'SERVICE_UNAVAILABLE', 'This failure was requested: status 503')
  assert.equal(first.headers.get('retry-after'), '7')
  assert.deepEqual([second.status, third.status, await total(client)], [503, 201, 1])
  assert.equal((await client.get(faults)).body.data[0].times, 0)
})

test('A connection is reset before or after the request has taken effect', async (t) => {
  const { client } = await openSandbox(t)

  await client.put(faults, [{ match: { method: 'POST' }, do: { reset: true }, times: 1 }])
  await assert.rejects(client.post(organizations, { name: 'A' }))
  assert.equal(await total(client), 0)
  await client.put(faults, [{ match: { method: 'POST' }, do: { reset_after_commit: true }, times: 1 }])
  await assert.rejects(client.post(organizations, { name: 'B' }))
  assert.equal(await total(client), 1)
})

test('A delayed request takes effect after its delay', async (t) => {
  const { client } = await openSandbox(t)
  await client.put(faults, [{ match: { method: 'POST' }, do: { delay_ms: 300 } }])
  const order: string[] = []

  const slow = client.post(organizations, { name: 'A' }).then(() => order.push('delayed'))
  await client.get(organizations).then(() => order.push('other'))
  await slow

  assert.deepEqual(order, ['other', 'delayed'])
})

test('The control endpoints never fail, so that faults can be removed', async (t) => {
  const { client } = await openSandbox(t)
  await client.put(faults, [{ do: { reset: true } }])
  await assert.rejects(client.get(organizations))

  assert.equal((await client.get(faults)).status, 200)
  assert.equal((await client.delete(faults)).status, 200)
  assert.equal((await client.get(organizations)).status, 200)
})

test('A request can ask for its own fault', async (t) => {
  const { client } = await openSandbox(t)
  const post = (fault: string) => client.post(organizations, { name: 'A' }, { 'Kontor-Fault': fault })

  const limited = await post('status=429; retry_after=5')
  assertError(limited, 429, 'RATE_LIMIT_EXCEEDED')
  assert.equal(limited.headers.get('retry-after'), '5')
  await assert.rejects(post('reset'))
  assert.equal(await total(client), 0)
  await assert.rejects(post('reset-after-commit'))
  assert.equal((await post('delay=5')).status, 201)
  assert.equal(await total(client), 2)
  for (const bad of ['status=200', 'status=600', 'delay=60001', 'explode', 'reset; status=503']) {
    assertError(await post(bad), 400, 'INVALID_REQUEST')
  }
  assert.equal((await client.get(faults, { 'Kontor-Fault': 'status=503' })).status, 200)
})

test('A fault with a probability affects the same requests every time', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  await client.put(`${control}/snapshots/before`, {})
  const statuses = async () => {
    await client.put(faults, [{ match: { path: '/api-v1-me' }, do: { status: 500 }, probability: 0.5 }])
    const found = []
    for (let n = 0; n < 40; n++) found.push((await client.get('/api-v1-me')).status)
    await client.post(`${control}/reset`, { to: 'before' })
    return found
  }

  const [first, second] = [await statuses(), await statuses()]

  assert.deepEqual(first, second)
  assert.deepEqual(new Set(first), new Set([200, 500]))
})

test('Invalid faults are refused, and the former ones stay', async (t) => {
  const { client } = await openSandbox(t)
  const kept = { match: { path: '/api-v1-deals' }, do: { status: 500 } }
  await client.put(faults, [kept])
  const invalid: unknown[] = [
    [{ match: {} }],
    [{ do: { status: 200 } }],
    [{ do: { delay_ms: 60_001 } }],
    [{ do: { reset: false } }],
    [{ do: { explode: true } }],
    [{ do: { reset: true }, times: -1 }],
    [{ do: { reset: true }, probability: 1.5 }],
    [{ do: { reset: true }, match: { path: 'x'.repeat(501) } }],
    [{ do: { reset: true }, matches: {} }],
    Array(101).fill({ do: { reset: true } }),
  ]

  for (const body of invalid) assertError(await client.put(faults, body), 400, 'VALIDATION_ERROR')
  const said = async (body: object) => (await client.put(faults, body)).body.error.message
  assert.equal(
    await said([{ do: { reset: true }, match: { pat: '/' } }]),
    'Unknown member "pat"; allowed: method, path',
  )
  assert.equal(
    await said([{ do: { reset: true }, match: { path: 'api-v1-deals' } }]),
    'path must begin with / or *, as in /api-v1-deals*',
  )
  assert.equal(await said([{ match: {} }]), '"do" is required')
  assert.equal(await said([{ do: { reset: true }, match: '/' }]), 'match must be an object')
  assert.equal(await said([503]), 'A fault must be an object')
  assertError(await client.put(faults, { faults: [] }), 400, 'INVALID_REQUEST', 'The body must be a JSON array')
  const nothing = await client.request('PUT', faults)
  assertError(nothing, 400, 'INVALID_REQUEST', 'The request needs a body: a JSON array')

  assert.equal((await client.get(faults)).body.data[0].match.path, kept.match.path)
})

test('Which requests a fault affects does not depend on what is delivered to webhooks', async (t) => {
  const sandbox = await openSandbox(t)
  const statuses = async (url: string | undefined) => {
    const client = await forkOf(sandbox, { seed: 'same' })
    if (url !== undefined) await client.post('/api-v1-webhooks', { url, events: ['*'] })
    await client.put(faults, [{ match: { method: 'GET' }, do: { status: 500 }, probability: 0.5 }])
    const found = []
    for (let n = 0; n < 20; n++) {
      await client.post('/api-v1-organizations', { name: `Acme ${n}` })
      found.push((await client.get('/api-v1-me')).status)
    }
    return found
  }

  assert.deepEqual(await statuses('kontor:inbox'), await statuses(undefined))
})

test('When a delivery that has failed is attempted again does not depend on deliveries that succeed', async (t) => {
  const sandbox = await openSandbox(t)
  const receiver = await Receiver.open(t)
  receiver.respond = (response) => response.writeHead(503).end()
  await freeze(sandbox.client)
  const attempts = async (others: number) => {
    const client = await forkOf(sandbox, { seed: 'same' })
    const webhook = await addWebhook(client, receiver.url, { events: ['contact.*'] })
    const own = { url: 'kontor:inbox', events: ['organization.*'] }
    if (others > 0) await client.post('/api-v1-webhooks', own)
    for (let n = 0; n < others; n++) await client.post('/api-v1-organizations', { name: `Acme ${n}` })
    await client.post('/api-v1-contacts', { first_name: 'Ada' })
    await untilDelivered(client, webhook, 1, 'pending')
    await client.post(`${control}/clock/advance`, { by: 'P1D' })
    const [{ attempts }] = (await client.get(`/api-v1-webhooks/${webhook.id}/deliveries`)).body.data
    return attempts.map(({ at }: { at: string }) => at)
  }

  assert.deepEqual(await attempts(3), await attempts(0))
})
