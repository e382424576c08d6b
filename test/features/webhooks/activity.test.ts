import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { updatePlan } from '../../../src/access/plan.ts'
import { ChangeHub } from '../../../src/changes/hub.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { startWebhooksHere } from '../../../src/features/webhooks/start-webhooks.ts'
import { noDurability } from '../../../src/store/durability.ts'
import { FakeClock } from '../../support/clock.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import type { Receiver } from './receiver.ts'
import { addWebhook, deliveriesOf, openWebhook, untilDelivered } from './webhooks.ts'

const waitMs = 10_000
const dayMs = 86_400_000

/** Receivers that hold their responses. */
function hold(receiver: Receiver): ServerResponse[] {
  const held: ServerResponse[] = []
  receiver.respond = (response) => held.push(response)
  return held
}

const respondWith =
  (status: number): Receiver['respond'] =>
  (response) =>
    response.writeHead(status).end()

test('Webhooks stop although the disk refuses what they have done', async (t) => {
  let isFull = false
  const durability = {
    ...noDurability,
    get suspect() {
      return isFull
    },
    async rewrite() {
      throw new Error('no space left on device')
    },
  }
  const server = await start(t, { durability })
  const { store } = server
  const client = await server.client()
  await addWebhook(client, 'https://example.com/hook')
  const [begun, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const webhooks = startWebhooksHere(store, new ChangeHub(store, 1_000), {
    resources: loggedResources,
    async attempt() {
      begun.resolve()
      await responded.promise
      return { status: 204, ms: 1, response: '', error: null, retryAfterMs: null }
    },
  })
  await make(client, 'organization')
  await begun.promise

  isFull = true
  responded.resolve()
  let isStopped = false
  void webhooks.stop().then(() => {
    isStopped = true
  })
  await until('the sender has stopped', () => isStopped)
  isFull = false
})

for (const others of [0, 1]) {
  test(`A webhook that is deactivated and activated during an attempt sends nothing twice (others: ${others})`, async (t) => {
    const { client, receiver, webhook, path } = await openWebhook(t, { fields: { ordered: true }, webhooks: 'thread' })
    for (let n = 0; n < others; n++) await addWebhook(client, `${receiver.url}/other`, { events: ['deal.won'] })
    const held = hold(receiver)

    await make(client, 'organization')
    await receiver.until(1)
    for (let n = 0; n < 3; n++) {
      await client.patch(path, { is_active: false })
      await client.patch(path, { is_active: true })
    }
    await make(client, 'organization')
    receiver.respond = respondWith(204)
    held[0]!.writeHead(500).end()
    const [first] = await untilDelivered(client, webhook, 1, 'pending')

    assert.deepEqual(
      first.attempts.map(({ status }: { status: number }) => status),
      [500],
    )
    assert.ok(Date.parse(first.next_attempt_at) > Date.parse(first.attempts[0].at))
    await client.post(`${path}/ping`, {})
    await receiver.until(2)
    assert.deepEqual(
      receiver.received.map(({ data }) => data.seq ?? data.type),
      [first.seq, 'webhook.ping'],
    )
  })
}

test('What a former URL responds does not disable the webhook, and the new one begins without failures', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)
  receiver.respond = respondWith(500)
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1, 'pending')
  const failing = (await client.get(path)).body.data
  const held = hold(receiver)
  await make(client, 'organization')
  await receiver.until(2)

  await client.patch(path, { url: `${receiver.url}/new` })
  held[0]!.writeHead(410).end()
  await untilDelivered(client, webhook, 2, 'pending')

  const { data } = (await client.get(path)).body
  assert.equal(typeof failing.failing_since, 'string')
  assert.deepEqual([data.is_active, data.disabled_at, data.failing_since], [true, null, null])
})

test('A webhook that is activated again has as many attempts as a new one until it is disabled', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook, path } = await openWebhook(t, { clock })
  receiver.respond = respondWith(500)
  for (let n = 0; n < 19; n++) await client.post(`${path}/ping`, {})
  await untilDelivered(client, webhook, 19, 'failed')

  await client.patch(path, { is_active: false })
  await client.patch(path, { is_active: true })
  await client.post(`${path}/ping`, {})
  await untilDelivered(client, webhook, 20, 'failed')
  clock.advance(6 * dayMs)
  await client.post(`${path}/ping`, {})
  await untilDelivered(client, webhook, 21, 'failed')

  assert.equal((await client.get(path)).body.data.is_active, true)
})

test('The feature of the plan takes effect without another change', async (t) => {
  const clock = new FakeClock()
  const { server, client, receiver, webhook } = await openWebhook(t, { clock })
  const set = (webhooks: boolean) => server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { webhooks }))
  receiver.respond = respondWith(500)
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1, 'pending')

  receiver.respond = respondWith(204)
  await set(false)
  await make(client, 'contact')
  await set(true)

  await receiver.until(2)
})

test('A delivery that is asked for while it is being sent is sent again', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook, path } = await openWebhook(t, { clock })
  receiver.respond = respondWith(500)
  await make(client, 'organization')
  const [{ id }] = await untilDelivered(client, webhook, 1, 'pending')
  const held = hold(receiver)
  clock.advance(waitMs)
  await client.patch(path, { description: 'look' })
  await receiver.until(2)

  const { status } = await client.post(`${path}/deliveries/${id}/redeliver`, {})
  receiver.respond = respondWith(204)
  held[0]!.writeHead(500).end()
  await receiver.until(3)
  const [delivery] = await untilDelivered(client, webhook, 1)

  assert.equal(status, 202)
  assert.deepEqual(
    delivery.attempts.map(({ status }: { status: number }) => status),
    [500, 500, 204],
  )
})

test('A webhook that becomes ordered sends what waits by number', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook, path } = await openWebhook(t, { clock })
  receiver.respond = respondWith(500)
  for (let n = 0; n < 12; n++) await make(client, 'organization')
  await untilDelivered(client, webhook, 12, 'pending')
  receiver.received.length = 0
  receiver.respond = respondWith(204)

  await client.patch(path, { ordered: true })
  clock.advance(waitMs)
  await client.patch(path, { description: 'look' })
  await receiver.until(12)

  const numbers = receiver.received.map(({ data }) => data.seq)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  )
  assert.equal((await deliveriesOf(client, webhook, '&status=pending')).length <= 1, true)
})
