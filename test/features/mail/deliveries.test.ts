import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { newColleague, newOwner } from '../../support/visitor.ts'
import { spooledIn } from './mail-server.ts'
import { deliverAs, deliverMail, mailWithFile, newAddress, rawMail, startWithMail } from './mails.ts'

test('A delivered message is a record that is linked to the contacts who sent or received it', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const organization = await make(client, 'organization', { name: 'Navy' })
  const grace = await make(client, 'contact', {
    first_name: 'Grace',
    organization_id: organization.id,
    emails: [{ email: 'GRACE@navy.example' }],
  })
  const { address } = await newAddress(client)

  const response = await deliverMail(client, address.toUpperCase())

  assert.equal(response.status, 201, JSON.stringify(response.body))
  assert.equal(response.headers.get('kontor-outcome'), 'stored')
  const { data } = response.body
  assert.deepEqual([data.status, data.direction, data.audience], ['matched', 'inbound', 'team'])
  assert.deepEqual([data.contact_ids, data.organization_id], [[grace.id], organization.id])
  assert.deepEqual(data.from, { name: 'Grace Hopper', address: 'grace@navy.example' })
  assert.equal((await client.get(`/api-v1-messages/${data.id}`)).body.data.subject, 'Hampers')
})

test('The same message is one record, however often it is delivered', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const deal = await make(client, 'deal')
  const { address } = await newAddress(client)
  const ofDeal = await newAddress(client, { kind: 'deal', deal_id: deal.id })
  const raw = rawMail()
  const first = await deliverMail(client, address, raw)

  const again = await deliverMail(client, ofDeal.address, raw)

  assert.equal(first.headers.get('kontor-outcome'), 'unmatched')
  assert.deepEqual([again.status, again.headers.get('kontor-outcome')], [200, 'duplicate'])
  assert.equal(again.body.data.id, first.body.data.id)
  assert.equal(again.body.data.deal_id, deal.id, 'it has the deal of the second address')
  assert.equal((await client.get('/api-v1-messages')).body.pagination.total, 1)
})

test('A message in the trash stays there when it is delivered again', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  const raw = rawMail()
  const { body } = await deliverMail(client, address, raw)
  await client.delete(`/api-v1-messages/${body.data.id}`)

  const again = await deliverMail(client, address, raw)

  assert.equal(again.headers.get('kontor-outcome'), 'duplicate')
  assert.equal((await client.get('/api-v1-messages')).body.pagination.total, 0)
})

test('A CSV file of messages has their senders and recipients', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  await deliverMail(client, address)

  const { body } = await client.get('/api-v1-messages', { Accept: 'text/csv' })

  assert.match(body, /"\{""name"":""Grace Hopper"",""address"":""grace@navy\.example""\}"/)
  assert.match(body, /"\[\{""name"":""Sales"",""address"":""sales@kontor\.example""\}\]"/)
})

test('Attachments are files of the message, and the raw message is stored as it came', async (t) => {
  const server = await startWithMail(t)
  const { url } = server
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)

  const raw = mailWithFile('offer.pdf', 'An offer')

  const { body } = await deliverMail(client, address, raw)

  const { data: files } = (await client.get(`/api-v1-files?message_id=${body.data.id}`)).body
  assert.deepEqual(
    files.map((file: { name: string; bytes: number }) => [file.name, file.bytes]),
    [['offer.pdf', 8]],
  )
  const headers = { Authorization: `Bearer ${client.key}` }
  const original = await fetch(`${url}/api-v1-messages/${body.data.id}/original`, { headers })
  assert.equal(await original.text(), raw)
  const { body: me } = await client.get('/api-v1-me')
  assert.ok(me.data.usage.max_storage_bytes > 8 + 200, 'the raw message counts for the plan, too')
})

test('Messages between colleagues are not stored, unless they go to a deal', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  await client.addUser({ email: 'ada@kontor.example' })
  await client.addUser({ email: 'bob@kontor.example' })
  const deal = await make(client, 'deal')
  const { address } = await newAddress(client)
  const ofDeal = await newAddress(client, { kind: 'deal', deal_id: deal.id })
  const headers = { From: 'ada@kontor.example', To: 'bob@kontor.example' }

  const internal = await deliverMail(client, address, rawMail(headers))
  const copied = { ...headers, Cc: `Kontor <${address.toUpperCase()}>, former@IN.kontor.example` }
  const withOwn = await deliverMail(client, address, rawMail(copied))
  const aboutDeal = await deliverMail(client, ofDeal.address, rawMail(headers))

  assert.deepEqual([internal.status, internal.headers.get('kontor-outcome')], [200, 'internal'])
  assert.equal(internal.body.data, null)
  assert.equal(withOwn.headers.get('kontor-outcome'), 'internal', "Kontor's own addresses are no outsiders")
  assert.equal(aboutDeal.status, 201)
})

test('A message that claims a colleague as its sender without proof is held, until one who sees it releases it', async (t) => {
  const server = await startWithMail(t)
  const owner = await newOwner(server)
  const [ada, bob] = [await newColleague(server, 'member'), await newColleague(server, 'member', 'bob@acme.example')]
  const email = 'member@acme.example'
  const { address } = (await owner.post('/api-v1-mail-addresses', { kind: 'company' })).body.data

  const { status, headers, body } = await deliverAs(
    server,
    owner,
    address,
    rawMail({ From: email, To: 'x@navy.example' }),
  )

  assert.deepEqual([status, headers.get('kontor-outcome'), body.data.status], [201, 'held', 'held'])
  const path = `/api-v1-messages/${body.data.id}`
  assertError(await bob.get(path), 404, 'NOT_FOUND')
  assert.equal((await ada.patch(path, { status: 'matched' })).body.data.status, 'unmatched')
  assert.equal((await bob.get(path)).status, 200)
})

test('Replies are in the thread of what they refer to, in whatever order they arrive, and not because of their subject', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  const deliver = async (id: string, refersTo: string | null, how: 'In-Reply-To' | 'References' = 'References') => {
    const raw = rawMail({ 'Message-ID': `<${id}@navy.example>`, [how]: refersTo && `<${refersTo}@navy.example>` })
    return (await deliverMail(client, address, raw)).body.data
  }
  const threadsOf = async () => {
    const { data } = (await client.get('/api-v1-messages?sort=created_at')).body
    return data.map(({ thread_id }: { thread_id: string }) => thread_id)
  }
  const first = await deliver('one', null)
  const other = await deliver('other', null)
  const reply = await deliver('three', 'two', 'In-Reply-To')
  assert.equal(new Set([first.thread_id, other.thread_id, reply.thread_id]).size, 3)

  const missing = await deliver('two', 'one')

  assert.equal(missing.thread_id, first.thread_id, 'where two threads meet, the older one stays')
  assert.deepEqual(await threadsOf(), [first.thread_id, other.thread_id, first.thread_id, first.thread_id])
})

test('A delivery needs an address of the workspace, the type of a raw message, and one that can be read', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const other = (await server.company('Globex')).client
  const { address } = await newAddress(client)

  assertError(await deliverMail(other, address), 404, 'NOT_FOUND')
  assertError(await deliverMail(client, 'nobody@in.kontor.example'), 404, 'NOT_FOUND')
  assertError(await client.request('POST', '/api-v1-messages', { body: 'x' }), 400, 'VALIDATION_ERROR')
  assertError(await deliverMail(client, address, rawMail(), { 'Content-Type': 'text/plain' }), 415, 'INVALID_REQUEST')
  assertError(await deliverMail(client, address, ''), 400, 'INVALID_REQUEST')
  assert.equal((await client.get('/api-v1-messages')).body.pagination.total, 0)
})

test('A key that may only write gets nothing but the id', async (t) => {
  const company = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(company.client)
  const writer = await company.key({ scopes: ['write:messages'] })

  const { status, body } = await deliverMail(writer, address)

  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body.data), ['id'])
})

test('A request with the same Idempotency-Key is one delivery', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  const raw = rawMail()
  const headers = { 'Idempotency-Key': 'once' }
  const first = await deliverMail(client, address, raw, headers)

  const again = await deliverMail(client, address, raw, headers)

  assert.deepEqual([again.status, again.body], [first.status, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertError(await deliverMail(client, address, rawMail(), headers), 409, 'CONFLICT')
})

test('Without a mail domain there are no doors', async (t) => {
  const { client } = await (await startWithMail(t, { limits: { mailDomain: undefined } })).company('Acme')

  assertError(await client.post('/api-v1-mail-addresses', { kind: 'company' }), 403, 'FEATURE_NOT_ENABLED')
  assertError(await deliverMail(client, 'x@in.kontor.example'), 403, 'FEATURE_NOT_ENABLED')
})

test('After a delivery, nothing of the message and of its attachments is left where mail arrives', async (t) => {
  const server = await startWithMail(t)
  const client = await server.client()
  const { address } = await newAddress(client)
  const parts = ['text/plain\r\n\r\nSee below.', `message/rfc822\r\n\r\n${mailWithFile('offer.pdf', 'A PDF')}`]
  const body = parts.map((part) => `--f\r\nContent-Type: ${part}\r\n`).join('')
  const forward = rawMail(
    { Subject: 'Fwd: Hampers', 'Content-Type': 'multipart/mixed; boundary=f' },
    `${body}--f--\r\n`,
  )

  for (const raw of [mailWithFile('offer.pdf', 'A PDF'), forward]) {
    assert.equal((await deliverMail(client, address, raw)).status, 201)
  }

  assert.deepEqual(spooledIn(server.directory), [])
})

test('The mail log is no file, because each caller sees other parts of it', async (t) => {
  const { client } = await (await startWithMail(t)).company('Acme')
  const { address } = await newAddress(client)
  await deliverMail(client, address)

  for (const Accept of ['text/csv', 'application/x-ndjson']) {
    assertError(await client.get('/api-v1-mail-log', { Accept }), 406, 'INVALID_REQUEST')
  }
  const { body } = await client.get('/api-v1-mail-log', { Accept: 'text/csv, application/json;q=0.5' })
  assert.equal(body.data[0].subject, 'Hampers')
})
