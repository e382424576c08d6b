import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureReaders } from '../../../src/changes/readers/log-reader.ts'
import { logReaders } from '../../../src/features/index.ts'
import { retryDelayMs } from '../../../src/features/webhooks/sender/retry-schedule.ts'
import { measureWebhooks } from '../../../src/features/webhooks/stored/webhook-state.ts'
import { openMetrics } from '../../../src/http/metrics.ts'
import { noErasures } from '../../../src/store/erasure-watch.ts'
import { FakeClock } from '../../support/clock.ts'
import { make } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import { verify } from './receiver.ts'
import { openWebhook, untilDelivered } from './webhooks.ts'

const [secondMs, hourMs, dayMs] = [1_000, 3_600_000, 86_400_000]

test('The ten attempts follow the schedule, each up to a fifth earlier or later', () => {
  const delays = Array.from({ length: 9 }, (_, n) =>
    [0, 0.5, 1].map((random) => retryDelayMs(n + 1, null, random)! / secondMs),
  )

  assert.deepEqual(
    delays.map(([, usual]) => Math.round(usual!)),
    [5, 300, 1_800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600)],
  )
  for (const [least, usual, most] of delays) {
    assert.deepEqual(
      [least! / usual!, most! / usual!].map((share) => share.toFixed(2)),
      ['0.80', '1.20'],
    )
  }
  assert.equal(retryDelayMs(10, null, 0.5), undefined)
  assert.deepEqual([retryDelayMs(1, hourMs, 0.5), retryDelayMs(4, 5, 0.5)], [hourMs, 2 * hourMs])
})

test('A delivery that fails is sent again with the same webhook-id until it succeeds', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook, path } = await openWebhook(t, { clock })
  receiver.respond = (response, _, { type }) => {
    const count = type === 'webhook.ping' ? 3 : receiver.received.filter(({ data }) => data.type === type).length
    response.writeHead([500, 302, 204][count - 1]!, { Location: '/elsewhere' }).end(`no ${count}`)
  }

  await make(client, 'organization')
  for (const [attempts, waitMs] of [
    [1, 6.1 * secondMs],
    [2, 361 * secondMs],
  ] as const) {
    await until(
      `there are ${attempts} attempts`,
      async () => (await untilDelivered(client, webhook, 1, 'pending'))[0].attempts,
      { is: (made) => made.length === attempts },
    )
    clock.advance(waitMs)
    await client.post(`${path}/ping`, {}) // a look at what is due
  }
  const deliveries = await untilDelivered(client, webhook, 3)

  const [change] = deliveries.filter(({ seq }) => seq !== null)
  const own = receiver.received.filter(({ data }) => data.seq === change.seq)
  const shown = change.attempts.map(({ status, response }: { status: number; response: string }) => [status, response])
  assert.deepEqual(shown, [
    [500, 'no 1'],
    [302, 'no 2'],
    [204, ''],
  ])
  assert.equal(own.length, 3)
  assert.equal(new Set(own.map(({ headers }) => headers['webhook-id'])).size, 1)
  for (const each of own) verify(webhook.secret, each)
  const { body } = await client.get(path)
  assert.deepEqual([body.data.failing_since, typeof body.data.last_success_at], [null, 'string'])
})

test('A receiver that is down loses nothing, and its failed deliveries do not pile up', async (t) => {
  const { client, receiver, webhook, server } = await openWebhook(t, { webhooks: 'thread' })
  await receiver.close()

  await Promise.all(Array.from({ length: 130 }, (_, n) => make(client, 'organization', { name: `Acme ${n}` })))
  const failed = await untilDelivered(client, webhook, 100, 'pending')
  await receiver.listen()
  await server.store.writeAccess((tx) => tx.run('UPDATE webhook_delivery SET next_at = 0 WHERE next_at IS NOT NULL'))
  await client.patch(`/api-v1-webhooks/${webhook.id}`, { description: 'look again' })
  await until('the receiver has 130 changes', () => receiver.numbers.length, { is: (count) => count >= 130 })

  assert.equal(failed.length, 100)
  assert.match(failed[0].attempts[0].error, /refused/)
  assert.equal(receiver.numbers.length, 130)
})

test('An ordered webhook sends a change only after the one before has succeeded', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook } = await openWebhook(t, { clock, fields: { ordered: true } })
  receiver.respond = (response, count) => response.writeHead(count === 2 ? 503 : 200).end()

  for (let n = 0; n < 4; n++) await make(client, 'organization')
  await untilDelivered(client, webhook, 1, 'pending')
  const before = receiver.received.length
  clock.advance(10 * secondMs)
  await make(client, 'organization') // a look at what is due
  await untilDelivered(client, webhook, 5)

  const numbers = receiver.received.map(({ data }) => data.seq)
  assert.equal(before, 2)
  assert.deepEqual(numbers, [numbers[0], numbers[0] + 1, ...numbers.slice(2).map((_, n) => numbers[0] + 1 + n)])
})

test('The metrics tell how many changes webhooks are behind', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook, server } = await openWebhook(t, { clock, fields: { ordered: true } })
  receiver.respond = (response, count) => response.writeHead(count === 1 ? 503 : 200).end()
  const behind = () => measureReaders(logReaders, server.store).webhooks

  for (let n = 0; n < 3; n++) await make(client, 'organization')
  await untilDelivered(client, webhook, 1, 'pending')
  const waiting = behind()
  clock.advance(10 * secondMs)
  await make(client, 'organization') // a look at what is due
  await until('all changes are sent', behind, { is: (count) => count === 0 })

  assert.equal(waiting, 2, 'the first one was attempted')
})

test('410 disables a webhook at once; activated again, it continues where it was', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)
  receiver.respond = (response) => response.writeHead(410).end()

  await make(client, 'organization')
  await until('the webhook is inactive', async () => (await client.get(path)).body.data, {
    is: ({ is_active }) => !is_active,
  })
  const { body } = await client.get(path)
  await make(client, 'organization')
  receiver.respond = (response) => response.writeHead(204).end()
  await client.patch(path, { is_active: true })
  await receiver.until(2)

  assert.match(body.data.disabled_reason, /410/)
  assert.equal(typeof body.data.disabled_at, 'string')
  const now = (await client.get(path)).body.data
  assert.deepEqual([now.is_active, now.disabled_at, now.disabled_reason], [true, null, null])
  const [, second] = receiver.received
  verify(webhook.secret, second!)
  assert.equal(second!.data.seq > receiver.received[0]!.data.seq, true)
})

test('A webhook is disabled after five days without success and twenty attempts, and the metrics tell', async (t) => {
  const clock = new FakeClock()
  const { client, receiver, webhook, path, server } = await openWebhook(t, { clock })
  receiver.respond = (response) => response.writeHead(500).end()
  const metrics = await openMetrics(
    { host: '127.0.0.1', port: 0 },
    {
      database: server.path,
      queue: () => ({ jobs: {}, records: 0 }),
      disk: () => undefined,
      content: { removals: () => 0, faults: () => 0 },
      erasures: () => noErasures,
      webhooks: () => measureWebhooks(server.store.access, clock.now()),
      behind: () => measureReaders(logReaders, server.store),
    },
  )
  t.after(metrics.close)
  const failing = async () => /^kontor_webhooks_failing (\d+)$/m.exec(await (await fetch(metrics.url)).text())![1]

  for (let n = 0; n < 19; n++) await make(client, 'organization')
  await untilDelivered(client, webhook, 19, 'pending')
  const early = await failing()
  clock.advance(2 * dayMs)
  const late = await failing()
  const active = (await client.get(path)).body.data
  clock.advance(3 * dayMs)
  await make(client, 'organization')
  await until('the webhook is disabled', async () => (await client.get(path)).body.data, {
    is: ({ disabled_at }) => disabled_at !== null,
  })

  const { data } = (await client.get(path)).body
  assert.deepEqual([early, late, await failing()], ['0', '1', '1'])
  assert.deepEqual([active.is_active, data.is_active], [true, false])
  assert.match(data.disabled_reason, /No delivery has succeeded since .*, in \d+ attempts/)
})
