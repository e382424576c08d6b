import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { measureWebhooks } from '../../../src/features/webhooks/stored/webhook-state.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import type { Client } from '../../support/client.ts'
import { FakeClock } from '../../support/clock.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import { deliveriesOf, openWebhook, untilDelivered } from './webhooks.ts'

const dayMs = 86_400_000
const echo = 'Geheimweg 7'

async function erase(client: Client, { id }: { id: string }): Promise<void> {
  assert.equal((await client.delete(`/api-v1-organizations/${id}`)).status, 200)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
}

test('Nothing of an erased record is sent, also if it was read before', async (t) => {
  const { client, receiver, webhook } = await openWebhook(t, { fields: { ordered: true } })
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1)
  const held: ServerResponse[] = []
  receiver.respond = (response) => held.push(response)

  const made: JsonRecord[] = []
  for (let n = 0; n < 6; n++) made.push(await make(client, 'organization', { address: echo }))
  await receiver.until(2)
  held[0]!.writeHead(204).end()
  await receiver.until(3)
  await erase(client, made[4]!)
  receiver.respond = (response) => response.writeHead(204).end()
  held[1]!.writeHead(204).end()
  await receiver.until(9)

  const sent = receiver.received.filter(({ data }) => data.record_id === made[4]!.id)
  assert.deepEqual(
    sent.map(({ data }) => [data.type, data.data, data.previous]),
    ['created', 'deleted', 'erased'].map((event) => [`organization.${event}`, null, null]),
  )
})

test('What a receiver has responded to the changes of a record is erased with it, also what it responds later', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)
  receiver.respond = (response, _, data) => response.writeHead(200).end(JSON.stringify(data))
  const early = await make(client, 'organization', { address: echo })
  await untilDelivered(client, webhook, 1)
  const held: ServerResponse[] = []
  receiver.respond = (response, count) => (count === 2 ? held.push(response) : response.writeHead(200).end('ok'))
  const late = await make(client, 'organization', { address: echo })
  await receiver.until(2)
  const shown = async () => JSON.stringify((await client.get(`${path}/deliveries`)).body)
  const before = await shown()

  await erase(client, early)
  await erase(client, late)
  held[0]!.writeHead(200).end(`thanks for ${echo}`)
  const deliveries = await untilDelivered(client, webhook, 6)

  assert.ok(before.includes(echo))
  assert.equal((await shown()).includes(echo), false)
  assert.deepEqual(
    deliveries.map(({ attempts }) => attempts.map(({ status }: { status: number }) => status)),
    Array(6).fill([200]),
  )
})

test('What an erased webhook has sent is removed in parts', async (t) => {
  const { server, client, receiver, webhook, path } = await openWebhook(t)
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1)
  await server.store.writeAccess((tx) =>
    tx.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO webhook_delivery (workspace_id, id, webhook_id, number, seq, type, status, tries, attempts, created_at)
      SELECT workspace_id, printf('%s%012x', substr(id, 1, 24), i), webhook_id, 1000 + i, 1000 + i, type, status, tries, attempts, created_at
      FROM webhook_delivery, n`),
  )
  const left = () => server.store.access.value<number>('SELECT count(*) FROM webhook_delivery')!
  await client.delete(path)

  await client.delete(`/api-v1-trash/${webhook.id}`)
  const soon = left()
  await until('nothing is left', left, { is: (count) => count === 0 })

  assert.equal(receiver.received.length, 1)
  assert.ok(soon > 1_000, `${soon} are left after the response`)
})

test('Deliveries of inactive and deleted webhooks do not count as waiting, and are removed after 30 days', async (t) => {
  const clock = new FakeClock()
  const { server, client, receiver, webhook, path } = await openWebhook(t, { clock })
  receiver.respond = (response) => response.writeHead(500).end()
  await make(client, 'organization')
  await untilDelivered(client, webhook, 1, 'pending')
  const { store } = server
  const waiting = () => measureWebhooks(store.access, clock.now()).pending
  const left = () => store.access.value<number>('SELECT count(*) FROM webhook_delivery')

  const before = waiting()
  await client.patch(path, { is_active: false })
  const inactive = waiting()
  clock.advance(29 * dayMs)
  await sweep(store)
  const kept = left()
  clock.advance(2 * dayMs)
  await sweep(store)

  assert.deepEqual([before, inactive, kept, left()], [1, 0, 1, 0])
})

test('A ping after the earlier one was removed has an id of its own', async (t) => {
  const clock = new FakeClock()
  const { server, client, receiver, webhook, path } = await openWebhook(t, { clock })
  const ping = async () => {
    await client.post(`${path}/ping`, {})
    await untilDelivered(client, webhook, 1)
  }

  await ping()
  clock.advance(31 * dayMs)
  await sweep(server.store)
  assert.deepEqual(await deliveriesOf(client, webhook), [])
  await ping()

  const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id'])
  assert.notEqual(first, second)
})
