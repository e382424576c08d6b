import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Receiver } from '../features/webhooks/receiver.ts'
import { clientFor } from '../support/client.ts'
import { control, forkOf, freeze, openSandbox } from './sandbox.ts'

test('While the clock is frozen, an import has ended with the next request, and what follows gets the ids that it always gets', async (t) => {
  const sandbox = await openSandbox(t)
  const records = Array.from({ length: 1_000 }, (_, number) => ({ name: `Hamper ${number}` }))
  const importInto = async () => {
    const client = await forkOf(sandbox, { seed: 'import', clock: { now: '2026-02-02T09:00:00Z', mode: 'frozen' } })
    const { headers } = await client.post('/api-v1-bulk/products', { records })
    const made = await client.post('/api-v1-deals', { title: 'Hampers' })
    const job = await client.get(headers.get('location')!)
    const { body } = await client.get('/api-v1-changes?limit=10&after=start')
    return [made.body.data, job.body.data, body.data]
  }

  const [one, other] = [await importInto(), await importInto()]

  assert.deepEqual([one[1].status, one[1].processed_records], ['completed', 1_000])
  assert.deepEqual(one, other)
})

test('What a key was used for is there with the next request', async (t) => {
  const { client, url } = await openSandbox(t)
  await freeze(client)
  const { data: key } = (await client.post('/api-v1-keys', { name: 'App', scopes: ['read:all'] })).body
  const app = clientFor(url, { id: '', key: key.key })

  for (let count = 1; count <= 3; count++) {
    await app.get('/api-v1-deals')
    const { data } = (await client.get(`/api-v1-keys/${key.id}`)).body
    assert.deepEqual([data.request_count, data.last_used_at], [count, '2026-02-02T09:00:00.000Z'])
  }
})

test('A request does not wait for deliveries to kontor:inbox that wait themselves because other receivers do not respond', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  const receiver = await Receiver.open(t)
  const urls = Array.from({ length: 19 }, (_, number) => `${receiver.url}/${number}`)
  for (const url of [...urls, 'kontor:inbox']) {
    await client.post('/api-v1-webhooks', { url, events: ['product.created'] })
  }
  await client.post('/api-v1-products', { name: 'Hamper' })
  await receiver.until(urls.length) // so that each has several slots
  receiver.respond = () => {}
  const records = Array.from({ length: 100 }, (_, number) => ({ name: `Hamper ${number}` }))

  await client.post('/api-v1-bulk/products', { records })
  const { data: captured } = (await client.get(`${control}/inbox`)).body

  assert.ok(captured.length < 1 + records.length)
})

test('Deliveries to kontor:inbox are there with the next request, also while other receivers do not respond', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  const receiver = await Receiver.open(t)
  receiver.respond = () => {}
  for (const url of [receiver.url, 'kontor:inbox']) {
    await client.post('/api-v1-webhooks', { url, events: ['product.created'] })
  }
  const records = Array.from({ length: 200 }, (_, number) => ({ name: `Hamper ${number}` }))

  await client.post('/api-v1-bulk/products', { records })
  const { data: captured } = (await client.get(`${control}/inbox`)).body
  await client.post('/api-v1-bulk/products', { records })
  const path = `/api-v1-webhooks/${captured[0].webhook_id}`
  const deliveries = await client.get(`${path}/deliveries?status=succeeded`)
  const { data: webhook } = (await client.get(path)).body

  assert.deepEqual([captured.length, deliveries.body.pagination.total], [200, 400])
  assert.equal(webhook.last_success_at, '2026-02-02T09:00:00.000Z')
})

test('A request does not wait for a receiver whose webhook goes to kontor:inbox meanwhile', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  const receiver = await Receiver.open(t)
  let isAborted = false
  const held = Promise.withResolvers<ServerResponse>()
  receiver.respond = (response) => {
    response.on('close', () => {
      isAborted = true
    })
    held.resolve(response)
  }
  const given = { url: receiver.url, events: ['product.created'] }
  const { id } = (await client.post('/api-v1-webhooks', given)).body.data
  await client.post('/api-v1-products', { name: 'Hamper' })
  await held.promise
  await client.patch(`/api-v1-webhooks/${id}`, { url: 'kontor:inbox' })

  await client.get('/api-v1-me')

  assert.equal(isAborted, false) // the attempt has not timed out
})

test('Deliveries of several webhooks are in the order of the changes, and for each change of the webhooks', async (t) => {
  const { client } = await openSandbox(t)
  await freeze(client)
  const webhooks: string[] = []
  for (const events of [['contact.*'], ['*'], ['contact.created']]) {
    webhooks.push((await client.post('/api-v1-webhooks', { url: 'kontor:inbox', events })).body.data.id)
  }
  await client.delete(`${control}/inbox`)
  const records = Array.from({ length: 200 }, (_, n) => ({ first_name: `Contact ${n}` }))

  await client.post('/api-v1-bulk/contacts', { records })

  const { data } = (await client.get(`${control}/inbox?type=contact.created`)).body
  const first = data[0].body.seq
  const expected = records.flatMap((_, n) => webhooks.map((id) => [first + n, id]))
  assert.deepEqual(
    data.map(({ body, webhook_id }: { body: { seq: number }; webhook_id: string }) => [body.seq, webhook_id]),
    expected,
  )
})
