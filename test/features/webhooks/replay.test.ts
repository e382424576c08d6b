import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../../support/clock.ts'
import { make } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import type { Receiver } from './receiver.ts'
import {
  addWebhook,
  deliveriesOf,
  openWebhook,
  untilDelivered,
  untilOthersAreServed,
  webhooksPath,
} from './webhooks.ts'

const waitMs = 10_000
const respondWith =
  (status: number): Receiver['respond'] =>
  (response) =>
    response.writeHead(status).end()

interface Opened extends Awaited<ReturnType<typeof openWebhook>> {
  /** The number of the first change. */
  first: number
}

/** A webhook that has delivered so many changes. */
async function delivered(count: number, opening: Promise<Awaited<ReturnType<typeof openWebhook>>>): Promise<Opened> {
  const opened = await opening
  for (let n = 0; n < count; n++) await make(opened.client, 'organization')
  const { access } = opened.server.store
  const succeeded = "SELECT count(*) FROM webhook_delivery WHERE status = 'succeeded'"
  await until(`there are ${count} deliveries`, () => access.value<number>(succeeded)!, {
    is: (found) => found >= count,
  })
  const first = Math.min(...opened.receiver.numbers)
  opened.receiver.received.length = 0
  return { ...opened, first }
}

/** Begins a replay as soon as the one before is over. */
async function replay({ client, path }: Opened, body: object): Promise<void> {
  await until('the former replay has ended', async () => (await client.post(`${path}/replay`, body)).status, {
    is: (status) => status === 202,
  })
}

test('The same range can be replayed again, also one that has nothing for the webhook', async (t) => {
  const opened = await delivered(3, openWebhook(t))
  const { client, receiver, first } = opened
  const deals = await addWebhook(client, `${receiver.url}/deals`, { events: ['deal.won'] })
  const range = { after: first - 1, until: first + 1 }

  for (const count of [2, 4, 6]) {
    await replay(opened, range)
    await receiver.until(count)
  }
  for (let n = 0; n < 3; n++) await replay({ ...opened, path: `${webhooksPath}/${deals.id}` }, range)

  assert.deepEqual(receiver.received.map(({ data }) => data.seq - first).sort(), [0, 0, 0, 1, 1, 1])
})

test('A replay of an ordered webhook waits for a delivery that has failed', async (t) => {
  const clock = new FakeClock()
  const opened = await delivered(4, openWebhook(t, { clock, fields: { ordered: true } }))
  const { client, receiver, first, webhook } = opened
  receiver.respond = (response, count) => response.writeHead(count === 2 ? 500 : 204).end()

  await replay(opened, { after: first - 1 })
  await untilDelivered(client, webhook, 1, 'pending')
  await make(client, 'organization')
  clock.advance(waitMs)
  await make(client, 'organization')
  await receiver.until(7)

  const numbers = receiver.received.map(({ data }) => data.seq - first)
  assert.deepEqual(numbers.slice(0, 3), [0, 1, 1])
  assert.deepEqual(
    numbers.filter((number) => number <= 3),
    [0, 1, 1, 2, 3],
  )
})

test('A replay to a receiver that is down stops like the log, and new changes are not lost', async (t) => {
  const clock = new FakeClock()
  const opened = await delivered(130, openWebhook(t, { clock }))
  const { client, receiver, first, path, server } = opened
  receiver.respond = respondWith(500)

  await replay(opened, { after: first - 1 })
  await receiver.until(100)
  await make(client, 'organization')
  await client.patch(path, { description: 'look' })
  const pending = () => server.store.access.value("SELECT count(*) FROM webhook_delivery WHERE status = 'pending'")
  await until('100 deliveries are pending', pending, { is: (count) => count === 100 })
  receiver.respond = respondWith(204)
  clock.advance(waitMs)
  await client.patch(path, { description: 'look again' })
  await until('the receiver has 131 changes', () => receiver.numbers.length, { is: (count) => count === 131 })

  await until('no delivery is pending', pending, { is: (count) => count === 0 })
})

test('A delivery that a replay has brought through is not sent again', async (t) => {
  const clock = new FakeClock()
  const opened = await delivered(1, openWebhook(t, { clock }))
  const { client, receiver, path, webhook } = opened
  receiver.respond = respondWith(500)
  await make(client, 'organization')
  const [{ seq }] = await untilDelivered(client, webhook, 1, 'pending')

  receiver.respond = respondWith(204)
  await replay(opened, { after: seq - 1, until: seq })
  await untilDelivered(client, webhook, 2)
  clock.advance(waitMs)
  await client.post(`${path}/ping`, {})
  await receiver.until(3)

  assert.deepEqual(
    receiver.received.map(({ data }) => data.seq ?? data.type),
    [seq, seq, 'webhook.ping'],
  )
})

test('New changes do not wait for the end of a replay', async (t) => {
  const opened = await delivered(40, openWebhook(t, { fields: { ordered: true } }))
  const { server, client, receiver, first } = opened
  let isHolding = true
  const held: (() => void)[] = []
  receiver.respond = (response) => {
    const respond = () => response.writeHead(204).end()
    if (isHolding) held.push(respond)
    else respond()
  }

  await replay(opened, { after: first - 1 })
  await receiver.until(1)
  await make(client, 'organization')
  await untilOthersAreServed(t, server)
  isHolding = false
  held[0]!()
  await receiver.until(41)

  const at = receiver.received.findIndex(({ data }) => data.seq === first + 40)
  assert.ok(at >= 0 && at < 10, `the new change was number ${at}`)
})

test('A replay of what has failed sends only that, and tries it as often as a new delivery', async (t) => {
  const clock = new FakeClock()
  const opened = await delivered(2, openWebhook(t, { clock }))
  const { client, receiver, first, webhook, server } = opened
  receiver.respond = respondWith(500)
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1, 'pending')
  await server.store.writeAccess((tx) =>
    tx.run("UPDATE webhook_delivery SET status = 'failed', next_at = NULL, tries = 10 WHERE status = 'pending'"),
  )

  await replay(opened, { after: first - 1, only_failed: true })
  await receiver.until(2)
  const [again] = await untilDelivered(client, webhook, 1, 'pending')

  assert.deepEqual(new Set(receiver.numbers), new Set([again.seq]))
  assert.equal((await deliveriesOf(client, webhook, '&status=failed')).length, 0)
})
