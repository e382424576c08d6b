import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { measureWebhooks } from '../../../src/features/webhooks/stored/webhook-state.ts'
import { pruneLogs } from '../../../src/threads/sweep.ts'
import { clientFor } from '../../support/client.ts'
import { FakeClock } from '../../support/clock.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { Receiver } from './receiver.ts'
import { addWebhook, untilDelivered, webhooksPath } from './webhooks.ts'

const [waitMs, dayMs] = [10_000, 86_400_000]
const attachment = { name: 'offer.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }
const gone = 'The log no longer has this change for the webhook'

/** A message of the team with a file, and the webhook whose receiver has failed to take both. */
async function openFailing(t: TestContext, fields = {}) {
  const clock = new FakeClock()
  const mailbox = await openMailbox(t, { webhooks: 'here', clock })
  const { shared, deliver, ada } = mailbox
  const receiver = await Receiver.open(t)
  const webhook = await addWebhook(shared, receiver.url, {
    events: ['message.*', 'file.*', 'organization.*'],
    ...fields,
  })
  receiver.respond = (response) => response.writeHead(500).end()
  const id = await deliver({ userIds: [ada.id], attachments: [attachment] })
  const [first] = await untilDelivered(shared, webhook, webhook.ordered ? 1 : 2, 'pending')
  receiver.received.length = 0
  receiver.respond = (response) => response.writeHead(204).end()
  /** Lets the next attempts be due, and a further change makes the server look. */
  const goOn = async () => {
    clock.advance(waitMs)
    await make(shared, 'organization')
  }
  return { ...mailbox, clock, receiver, webhook, id, first, goOn }
}

const errorsOf = (delivery: JsonRecord | undefined) => delivery?.attempts.map(({ error }: JsonRecord) => error)

test('A delivery whose change has been hidden fails at its next attempt, and holds back nothing', async (t) => {
  const { server, ada, shared, clock, receiver, webhook, id, first, goOn } = await openFailing(t)

  assert.equal((await ada.patch(`/api-v1-messages/${id}`, { audience: 'participants' })).status, 200)
  await goOn()
  const failed = await untilDelivered(shared, webhook, 2, 'failed')
  await receiver.until(3)

  assert.deepEqual(failed.map(errorsOf), Array(2).fill([null, gone]))
  assert.deepEqual([...new Set(receiver.received.map(({ data }) => data.type))].sort(), [
    'file.deleted',
    'message.deleted',
    'organization.created',
  ])
  const shown = (await shared.get(`${webhooksPath}/${webhook.id}`)).body.data
  assert.equal(measureWebhooks(server.store.access, clock.now()).pending, 0)
  assert.equal(shown.failing_since, null)
  clock.advance(10 * dayMs)
  await make(shared, 'organization')
  const prune = async () => {
    await pruneLogs(server.store, 7 * dayMs)
    return (await shared.get('/api-v1-changes?limit=1')).body.oldest_seq as number
  }
  await until('the change is pruned, once the position of the webhook is stored', prune, {
    is: (seq) => seq > first.seq,
  })
})

test('A delivery that has failed because its change was hidden is sent on request once the message is shown again', async (t) => {
  const { ada, shared, receiver, webhook, id, first, goOn } = await openFailing(t)
  const show = (audience: string) => ada.patch(`/api-v1-messages/${id}`, { audience })
  await show('participants')
  await goOn()
  await untilDelivered(shared, webhook, 2, 'failed')
  const again = () => shared.post(`${webhooksPath}/${webhook.id}/deliveries/${first.id}/redeliver`, {})
  const own = () => receiver.received.filter(({ data }) => data.seq === first.seq)

  await again()
  const refused = await untilDelivered(shared, webhook, 2, 'failed')
  await show('team')
  await again()
  await untilDelivered(shared, webhook, 1, 'succeeded&type=message.created')

  assert.deepEqual(errorsOf(refused.find((each) => each.id === first.id)), [null, gone, gone])
  assert.equal(own().length, 1)
})

test('An ordered webhook goes on after a delivery whose change has been hidden', async (t) => {
  const { ada, shared, receiver, webhook, id, goOn } = await openFailing(t, { ordered: true })

  await ada.patch(`/api-v1-messages/${id}`, { audience: 'participants' })
  await goOn()
  await receiver.until(3)

  assert.equal((await untilDelivered(shared, webhook, 1, 'failed')).length, 1)
  assert.deepEqual(
    receiver.received.map(({ data }) => data.type),
    ['message.deleted', 'file.deleted', 'organization.created'],
  )
})

test('A message that is hidden while it waits for the response to another change is not sent', async (t) => {
  const { shared, deliver, ada } = await openMailbox(t, { webhooks: 'here' })
  const receiver = await Receiver.open(t)
  await addWebhook(shared, receiver.url, { events: ['message.*', 'organization.*'], ordered: true })
  const held: ServerResponse[] = []
  receiver.respond = (response) => held.push(response)
  await make(shared, 'organization')
  await receiver.until(1)
  await make(shared, 'organization')
  const id = await deliver({ userIds: [ada.id] })
  held[0]!.writeHead(204).end()
  await receiver.until(2) // the message has been read by now

  await ada.patch(`/api-v1-messages/${id}`, { audience: 'participants' })
  receiver.respond = (response) => response.writeHead(204).end()
  held[1]!.writeHead(204).end()
  await receiver.until(3)

  assert.deepEqual(
    receiver.received.map(({ data }) => data.type),
    ['organization.created', 'organization.created', 'message.deleted'],
  )
})

test('A webhook that no longer lists messages gets neither those that wait for another attempt nor their files, also after a restart', async (t) => {
  const { server, shared, receiver, webhook, clock } = await openFailing(t)
  const directory = server.path.replace(/\/[^/]+$/, '')
  const serve = async (webhooks: 'nowhere' | 'here') => {
    const server = await start(t, { directory, webhooks, clock })
    return { server, client: clientFor(server.url, { id: shared.keyId, key: shared.key }) }
  }
  await server.stop()
  const without = await serve('nowhere')
  await without.client.patch(`${webhooksPath}/${webhook.id}`, { events: ['file.*', 'organization.*'] })
  await without.server.stop()
  clock.advance(waitMs)

  const { client } = await serve('here')
  await make(client, 'organization')
  const failed = await untilDelivered(client, webhook, 2, 'failed')
  await receiver.until(1)

  assert.deepEqual(failed.map(errorsOf), Array(2).fill([null, gone]))
  assert.deepEqual(
    receiver.received.map(({ data }) => data.type),
    ['organization.created'],
  )
})
