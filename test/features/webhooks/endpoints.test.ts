import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../../src/access/plan.ts'
import { pruneLogs } from '../../../src/threads/sweep.ts'
import { assertError } from '../../support/client.ts'
import { FakeClock } from '../../support/clock.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { Receiver, verify } from './receiver.ts'
import {
  addWebhook,
  deliveriesOf,
  openWebhook,
  untilDelivered,
  untilOthersAreServed,
  webhooksPath,
} from './webhooks.ts'

const dayMs = 86_400_000
const url = 'https://example.com/hook'

test('The secret is shown only once, and stored encrypted', async (t) => {
  const server = await start(t)
  const client = await server.client()

  const { secret, ...shown } = await addWebhook(client, url)
  const again = await client.post(webhooksPath, { url, events: ['*'] })

  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual([again.status, again.body.data], [200, shown])
  assert.deepEqual((await client.get(webhooksPath)).body.data, [shown])
  const stored = server.store.access.value<string>('SELECT secrets FROM webhook_state')!
  assert.equal(stored.includes(secret.slice(6)), false)
  const { body } = await client.get('/api-v1-changes')
  assert.equal(JSON.stringify(body).includes(secret.slice(6)), false)
})

test('The order of the events does not make another webhook, other events do', async (t) => {
  const client = await (await start(t)).client()

  const first = await addWebhook(client, url, { events: ['deal.won', 'contact.*'] })
  const same = await client.post(webhooksPath, { url, events: ['contact.*', 'deal.won', 'deal.won'] })
  const other = await client.post(webhooksPath, { url, events: ['contact.*'] })

  assert.deepEqual([same.status, same.body.data.id, other.status], [200, first.id, 201])
})

test('A workspace has at most 20 webhooks, deleted ones not counted', async (t) => {
  const client = await (await start(t)).client()
  const made = []
  for (let n = 0; n < 20; n++) made.push(await addWebhook(client, `${url}/${n}`))

  const more = await client.post(webhooksPath, { url: `${url}/more`, events: ['*'] })
  await client.delete(`${webhooksPath}/${made[0].id}`)
  await addWebhook(client, `${url}/more`)
  const restored = await client.post(`/api-v1-trash/${made[0].id}/restore`, {})

  assertError(more, 409, 'CONFLICT', 'A workspace has at most 20 webhooks: delete one first')
  assertError(restored, 409, 'CONFLICT')
})

test('Without the plan feature there are no webhooks, and nothing is sent', async (t) => {
  const { server, client, receiver, path } = await openWebhook(t)
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { webhooks: false }))

  const read = await client.get(webhooksPath)
  const pinged = await client.post(`${path}/ping`, {})
  await make(client, 'organization')
  await untilOthersAreServed(t, server, 'professional')
  const sent = receiver.received.length
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { webhooks: true }))
  await client.post(`${path}/ping`, {})
  await receiver.until(2)

  assertError(read, 403, 'FEATURE_NOT_ENABLED')
  assertError(pinged, 403, 'FEATURE_NOT_ENABLED')
  assert.equal(sent, 0)
})

test('A ping is attempted once, and the log shows its outcome', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)
  receiver.respond = (response) => response.writeHead(404).end('x'.repeat(5_000))

  const { status, body } = await client.post(`${path}/ping`, {})
  const [delivery] = await untilDelivered(client, webhook, 1, 'failed')

  assert.deepEqual([status, body.data.status, delivery.id], [202, 'pending', body.data.id])
  assert.deepEqual([delivery.type, delivery.seq, delivery.next_attempt_at], ['webhook.ping', null, null])
  assert.deepEqual([delivery.attempts.length, delivery.attempts[0].status], [1, 404])
  assert.equal(delivery.attempts[0].response.length, 2_048)
  verify(webhook.secret, receiver.received[0]!)
})

test('A delivery, a range or what has failed can be sent again, with the same webhook-id', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)
  receiver.respond = (response, count) => response.writeHead(count <= 3 ? 200 : 404).end()
  for (let n = 0; n < 3; n++) await make(client, 'organization')
  const deliveries = await untilDelivered(client, webhook, 3)
  const first = deliveries[0].seq
  receiver.respond = (response) => response.writeHead(204).end()

  const again = await client.post(`${path}/deliveries/${deliveries[1].id}/redeliver`, {})
  await receiver.until(4)
  const range = await client.post(`${path}/replay`, { after: first - 1, until: first + 1 })
  await receiver.until(6)
  const failed = { after: first - 1, only_failed: true }
  await until('the former replay has ended', async () => (await client.post(`${path}/replay`, failed)).status, {
    is: (status) => status === 202,
  })
  await make(client, 'organization')
  await receiver.until(7)

  assert.deepEqual([again.status, range.status], [202, 202])
  assert.deepEqual(range.body.data, { after: first - 1, until: first + 1, only_failed: false })
  const numbers = receiver.received.map(({ data }) => data.seq - first)
  assert.deepEqual([...numbers.slice(3, 4), ...numbers.slice(4, 6).sort(), ...numbers.slice(6)], [1, 0, 1, 3])
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 4)
})

test('A secret is rotated without a body: the former one signs for another day', async (t) => {
  const { client, webhook, path } = await openWebhook(t)

  const { status, body } = await client.request('POST', `${path}/rotate`)

  assert.equal(status, 200)
  assert.notEqual(body.data.secret, webhook.secret)
})

test('Invalid requests to a webhook name the member and what is allowed', async (t) => {
  const { client, webhook, path } = await openWebhook(t)
  await make(client, 'organization')
  const [{ id }] = await untilDelivered(client, webhook, 1)
  const other = await addWebhook(client, url)

  for (const [endpoint, body, field] of [
    ['rotate', { overlap_hours: 169 }, 'overlap_hours'],
    ['rotate', { overlap_hours: '1' }, 'overlap_hours'],
    ['rotate', { hours: 1 }, 'hours'],
    ['replay', {}, 'after'],
    ['replay', { after: -1 }, 'after'],
    ['replay', { after: 1, only_failed: 'yes' }, 'only_failed'],
  ] as const) {
    assertError(await client.post(`${path}/${endpoint}`, body), 400, 'VALIDATION_ERROR', undefined, [field])
  }
  for (const [body, field] of [
    [{ after: 1_000 }, 'after'],
    [{ after: 1_000, until: null }, 'after'],
    [{ after: 5, until: 3 }, 'after'],
    [{ after: 2, until: 1_000 }, 'until'],
  ] as const) {
    const response = await client.post(`${path}/replay`, body)
    assertError(response, 400, 'VALIDATION_ERROR', undefined, [field])
    assert.equal(response.body.error.details[0].code, 'OUT_OF_RANGE')
  }
  assertError(await client.post(`${webhooksPath}/${other.id}/deliveries/${id}/redeliver`, {}), 404, 'NOT_FOUND')
  assertError(await client.get(`${path}/deliveries?status=lost`), 400, 'VALIDATION_ERROR', undefined, ['status'])
  await client.patch(path, { is_active: false })
  for (const endpoint of ['ping', `deliveries/${id}/redeliver`]) {
    assertError(await client.post(`${path}/${endpoint}`, {}), 409, 'CONFLICT')
  }
  assert.equal((await deliveriesOf(client, webhook, '&status=succeeded')).length, 1)
})

test('A webhook is not undone, and shows its history', async (t) => {
  const { client, path, webhook } = await openWebhook(t)
  await client.patch(path, { description: 'Invoices' })

  const { body: history } = await client.get(`${path}/history`)
  const { body } = await client.post('/api-v1-undo', { seq: history.data[0].seq })

  assert.deepEqual(
    history.data.map(({ type, previous }: { type: string; previous: unknown }) => [type, previous]),
    [
      ['webhook.updated', { description: null }],
      ['webhook.created', null],
    ],
  )
  assert.deepEqual([body.data.errored[0].record_id, body.data.errored[0].code], [webhook.id, 'CONFLICT'])
})

test('Pruning keeps what an active webhook has not sent; an inactive one continues at the oldest kept change', async (t) => {
  const clock = new FakeClock()
  const { server, client, receiver, webhook, path } = await openWebhook(t, { clock })
  const stalled = await Receiver.open(t)
  stalled.respond = (response) => response.writeHead(500).end()
  const other = await addWebhook(client, stalled.url)
  await client.patch(path, { is_active: false })
  for (let n = 0; n < 3; n++) await make(client, 'organization')
  const [first] = await untilDelivered(client, other, 3, 'pending')
  clock.advance(10 * dayMs)
  const oldest = async () => (await client.get('/api-v1-changes?limit=1')).body.oldest_seq

  await pruneLogs(server.store, 7 * dayMs)
  const kept = await oldest()
  await client.patch(`${webhooksPath}/${other.id}`, { is_active: false })
  clock.advance(10 * dayMs)
  await pruneLogs(server.store, 7 * dayMs)
  const pruned = await oldest()
  await Promise.all(
    [{ is_active: true }, { description: 'Stalled' }].map((patch) =>
      client.patch(`${webhooksPath}/${other.id}`, patch),
    ),
  )
  const unsendable = await untilDelivered(client, other, 3, 'failed')
  await client.patch(path, { is_active: true })
  const [entry] = await untilDelivered(client, webhook, 1, 'failed')

  assert.equal(kept, first.seq)
  assert.ok(pruned > kept)
  const { attempts } = unsendable.find(({ seq }) => seq === first.seq)!
  const errors: (string | null)[] = attempts.map(({ error }: { error: string | null }) => error)
  assert.deepEqual([...new Set(errors)], [null, 'The log no longer has this change for the webhook'])
  assert.equal(entry.type, 'log.pruned')
  assert.match(entry.attempts[0].error, /were removed from the log before they could be delivered/)
  await make(client, 'organization')
  await receiver.until(1)
})

test('Erasing a webhook removes its secret and what its receiver has responded', async (t) => {
  const { server, client, receiver, webhook, path } = await openWebhook(t)
  receiver.respond = (response) => response.writeHead(200).end('confidential response')
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1)
  await client.delete(path)

  const { status } = await client.delete(`/api-v1-trash/${webhook.id}`)

  const { access } = server.store
  const left = ['webhook_state', 'webhook_delivery'].map((table) => access.value(`SELECT count(*) FROM ${table}`))
  assert.deepEqual([status, left], [200, [0, 0]])
  assert.equal((await client.get('/api-v1-trash')).body.data.length, 0)
})
