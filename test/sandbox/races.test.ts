import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Receiver } from '../features/webhooks/receiver.ts'
import { addWebhook, deliveriesOf } from '../features/webhooks/webhooks.ts'
import { assertError, type Client, clientFor } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { hold } from './held.ts'
import { control, forkOf, freeze, openSandbox, type Sandbox } from './sandbox.ts'

const organizations = '/api-v1-organizations'
const total = async (client: Client) => (await client.get(organizations)).body.pagination.total
const keyOf = async ({ url, client }: Sandbox) => {
  const { body } = await client.post('/api-v1-keys', { name: 'Writer', scopes: ['admin:all'] })
  return clientFor(url, { id: '', key: body.data.key })
}

test('A key belongs to the world that created it, also when a fork has a copy of it', async (t) => {
  const sandbox = await openSandbox(t)
  const former = await keyOf(sandbox)
  const fork = await forkOf(sandbox)
  await sandbox.client.post(`${control}/reset`, {})

  assertError(await former.post(organizations, { name: 'Lost' }), 401, 'INVALID_API_KEY')
  const again = await keyOf(sandbox)
  assert.equal(again.key, former.key) // the same calls after a reset
  assert.equal((await again.post(organizations, { name: 'Kept' })).status, 201)

  assert.deepEqual([await total(sandbox.client), await total(fork)], [1, 0])
})

test('A fork that is deleted during its own reset or snapshot leaves nothing behind', async (t) => {
  const sandbox = await openSandbox(t)
  for (const [method, path] of [
    ['POST', 'reset'],
    ['PUT', 'snapshots/a'],
  ] as const) {
    const fork = await forkOf(sandbox)
    const slow = await hold(sandbox.url, [method, `${control}/${path}`], { Authorization: `Bearer ${fork.key}` }, {})

    await sandbox.client.delete(`${control}/forks/${fork.fork.id}`)
    const { status } = await slow.finish()

    assert.ok([404, 401, 201].includes(status))
    assertError(await fork.get(organizations), 401, 'INVALID_API_KEY')
  }
})

test('Three advances at once let the sum of their times pass', async (t) => {
  const { client } = await openSandbox(t)
  const receiver = await Receiver.open(t)
  receiver.respond = (response) => response.writeHead(500).end()
  await freeze(client)
  await client.post('/api-v1-webhooks', { url: receiver.url, events: ['organization.*'] })
  await client.post(organizations, { name: 'Acme' })

  const advances = ['P1D', 'PT1H', 'P2D'].map((by) => client.post(`${control}/clock/advance`, { by }))

  const times = (await Promise.all(advances)).map(({ body }) => body.data.now)
  assert.equal(times.sort().at(-1), '2026-02-05T10:00:00.000Z')
})

test('A webhook of the state before a reset sends nothing more', async (t) => {
  const { url, client } = await openSandbox(t)
  const receiver = await Receiver.open(t)
  receiver.respond = (response) => response.writeHead(500).end()
  const webhook = await addWebhook(client, receiver.url)
  const { timers } = t.mock
  timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() })
  await client.post(organizations, { name: 'Before' })
  await until('the first attempt has failed', async () => {
    timers.tick(1)
    return (await deliveriesOf(client, webhook))[0]?.attempts.length === 1
  })
  const slow = await hold(url, ['POST', organizations], { Authorization: `Bearer ${client.key}` }, { name: 'Slow' })

  await client.post(`${control}/reset`, {})
  timers.tick(7_000) // the next attempt was due after five seconds
  timers.reset()
  await addWebhook(client, receiver.url)
  await client.post(organizations, { name: 'After' })
  await receiver.until(2)
  await slow.finish()

  assert.deepEqual(
    receiver.received.map(({ data }) => data.data.name),
    ['Before', 'After'],
  )
})

test('A path with many asterisks is compared at once', async (t) => {
  const { client } = await openSandbox(t)
  await client.put(`${control}/faults`, [{ match: { path: `${'*a'.repeat(100)}b` }, do: { status: 503 } }])

  assert.equal((await client.get(`${organizations}/${'a'.repeat(5_000)}`)).status, 404)
  assert.equal((await client.get(`${organizations}/${'a'.repeat(5_000)}b`)).status, 503)
})

test('The request ids of a fork do not depend on what its parent was asked', async (t) => {
  const sandbox = await openSandbox(t)
  const ask = async () => {
    const fork = await forkOf(sandbox, { seed: 'w', clock: { now: '2026-01-01T00:00:00Z', mode: 'frozen' } })
    const { headers, body } = await fork.post(organizations, { name: 'Acme' })
    return [headers.get('x-request-id'), body.data.id]
  }

  assert.deepEqual(await ask(), await ask())
})
