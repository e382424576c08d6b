import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFor } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { Receiver, verify } from './receiver.ts'
import { addWebhook, deliveriesOf, openWebhook, untilDelivered } from './webhooks.ts'

test('A change is sent as the feed shows it, signed by the Standard Webhooks scheme', async (t) => {
  const { client, receiver, webhook } = await openWebhook(t)

  const { id } = await make(client, 'organization', { name: 'Acme' })
  await client.patch(`/api-v1-organizations/${id}`, { name: 'Nordstern' })
  const received = await receiver.until(2)

  const { body } = await client.get(`/api-v1-changes?record_id=${id}`)
  for (const each of received) {
    verify(webhook.secret, each)
    const change = body.data.find((one: { seq: number }) => one.seq === each.data.seq)
    const { at, cause: _, ...shown } = change
    assert.deepEqual(each.data, { ...shown, timestamp: at, log_id: body.log_id })
    assert.equal(each.headers['webhook-id'], `msg_${webhook.id}_${each.data.seq}`)
    assert.deepEqual(
      [each.headers['content-type'], each.headers['user-agent']?.startsWith('Kontor/')],
      ['application/json', true],
    )
  }
  const updated = received.find(({ data }) => data.type === 'organization.updated')!
  assert.deepEqual([updated.data.previous, updated.data.changed], [{ name: 'Acme' }, ['name']])
})

test('Numbers of more than 15 digits are sent with all their digits', async (t) => {
  const { client, receiver } = await openWebhook(t)
  const price = '999999999999.123456'

  const { body } = await client.request('POST', '/api-v1-products', {
    headers: { 'Content-Type': 'application/json' },
    body: `{"name":"Gold","price":${price}}`,
  })
  await client.patch(`/api-v1-products/${body.data.id}`, { price: 1 })

  const [created, updated] = await receiver.until(2)
  assert.ok(created!.body.includes(`"price":${price},`), created!.body)
  assert.ok(updated!.body.includes(`"previous":{"price":${price}}`), updated!.body)
})

test('A webhook sends only its types, and never changes of webhooks, keys and users', async (t) => {
  const { client, receiver, webhook } = await openWebhook(t)
  const deals = await Receiver.open(t)
  await addWebhook(client, deals.url, { events: ['deal.*', 'contact.created'] })

  await client.post('/api-v1-keys', { name: 'Reporting', scopes: ['read:all'] })
  await make(client, 'organization')
  const contact = await make(client, 'contact')
  await client.delete(`/api-v1-contacts/${contact.id}`)
  await make(client, 'deal')
  await deals.until(2)
  await receiver.until(4)
  await untilDelivered(client, webhook, 4)

  const typesOf = ({ received }: Receiver) => received.map(({ data }) => data.type).sort()
  assert.deepEqual(typesOf(deals), ['contact.created', 'deal.created'])
  assert.deepEqual(typesOf(receiver), ['contact.created', 'contact.deleted', 'deal.created', 'organization.created'])
})

test('A thin webhook, and a change of more than 256 KiB, leave out data and previous', async (t) => {
  const { client, receiver } = await openWebhook(t, { fields: { payload: 'thin' } })
  const full = await Receiver.open(t)
  await addWebhook(client, full.url)
  const long = Array.from({ length: 8 }, (_, n) => [`part_${n}`, 'x'.repeat(8_000)])
  const emails = Array.from({ length: 50 }, (_, n) => ({ email: `${n}.${'x'.repeat(50)}@nordwind.example` }))
  const description = '\u0001'.repeat(60_000)

  await make(client, 'task', { description, metadata: Object.fromEntries(long) })
  await make(client, 'contact', { emails })
  await receiver.until(2)
  await full.until(2)

  for (const { data } of [...receiver.received, ...full.received.filter((each) => each.data.resource === 'task')]) {
    assert.deepEqual(['data' in data, 'previous' in data], [false, false])
    assert.match(data.record_id, /^[\da-f-]{36}$/)
  }
  assert.equal(full.received.find((each) => each.data.resource === 'contact')!.data.data.contact_emails.length, 50)
})

test('Nothing of another company or of the other environment is sent', async (t) => {
  const server = await start(t, { webhooks: 'here' })
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const receiver = await Receiver.open(t)
  await addWebhook(acme.client, receiver.url)

  await make(other.client, 'organization', { name: 'Foreign' })
  await make(await acme.key({ environment: 'test' }), 'organization', { name: 'Sandbox' })
  await make(acme.client, 'organization', { name: 'Own' })
  await receiver.until(1)
  await make(acme.client, 'organization', { name: 'Own 2' })
  await receiver.until(2)

  assert.deepEqual(
    receiver.received.map(({ data }) => data.data.name),
    ['Own', 'Own 2'],
  )
})

test('During the overlap after a rotation both secrets sign, afterwards only the new one', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)

  const { body } = await client.post(`${path}/rotate`, { overlap_hours: 1 })
  await make(client, 'organization')
  const [during] = await receiver.until(1)
  await client.post(`${path}/rotate`, { overlap_hours: 0 })
  await make(client, 'organization')
  const [, after] = await receiver.until(2)

  verify(webhook.secret, during!)
  verify(body.data.secret, during!)
  assert.throws(() => verify(webhook.secret, after!))
  assert.throws(() => verify(body.data.secret, after!))
})

test('Changes that were committed while the server was down are sent after its start', async (t) => {
  const { server, client, receiver, webhook } = await openWebhook(t)
  const path = server.path.replace(/\/[^/]+$/, '')
  await make(client, 'organization')
  await receiver.until(1)
  await server.stop()

  const without = await start(t, { directory: path, webhooks: 'nowhere' })
  const away = clientFor(without.url, { id: client.keyId, key: client.key })
  const made = [await make(away, 'organization'), await make(away, 'contact'), await make(away, 'deal')]
  await without.stop()
  await start(t, { directory: path, webhooks: 'thread' })
  await receiver.until(4)

  const sent = receiver.received.slice(1).map(({ data }) => data.record_id)
  assert.deepEqual(sent.sort(), made.map(({ id }) => id).sort())
  for (const each of receiver.received) verify(webhook.secret, each)
})

test('A delivery keeps its newest twenty attempts, oldest first', async (t) => {
  const { client, receiver, webhook, path } = await openWebhook(t)
  let made = 0
  receiver.respond = (response) => response.writeHead(500).end(`attempt ${++made}`)
  await client.post(`${path}/ping`, {})
  const shown = async (): Promise<string[]> => {
    const [delivery] = await deliveriesOf(client, webhook)
    return delivery!.attempts.map(({ response }: { response: string }) => response)
  }
  const attemptsUntil = (last: number) =>
    until(`attempt ${last} is shown`, shown, { is: (attempts) => attempts.at(-1) === `attempt ${last}` })
  await attemptsUntil(1)
  const [{ id }] = await deliveriesOf(client, webhook)

  for (let n = 2; n <= 20; n++) {
    await client.post(`${path}/deliveries/${id}/redeliver`, {})
    await attemptsUntil(n)
  }
  const twenty = await shown()
  await client.post(`${path}/deliveries/${id}/redeliver`, {})
  const newest = await attemptsUntil(21)

  const all = Array.from({ length: 21 }, (_, n) => `attempt ${n + 1}`)
  assert.deepEqual([twenty, newest], [all.slice(0, 20), all.slice(1)])
})
