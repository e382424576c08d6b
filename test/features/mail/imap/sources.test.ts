import assert from 'node:assert/strict'
import { type Client, clientFor } from '../../../support/client.ts'
import type { JsonRecord } from '../../../support/make.ts'
import { testUnless } from '../../../support/needs.ts'
import { start } from '../../../support/start.ts'
import { until } from '../../../support/wait.ts'
import { rawMail } from '../mails.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'

const test = testUnless(withoutDovecot)
const path = '/api-v1-mail-sources'
const mailboxes = [{ host: '127.0.0.1' }]

async function newSource(client: Client, port: number, body: Record<string, unknown> = {}): Promise<JsonRecord> {
  const all = {
    host: '127.0.0.1',
    port,
    tls: 'none',
    user: 'ada@example.com',
    password: 'secret',
    start: 'all',
    ...body,
  }
  const made = await client.post(path, all)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.data
}

async function subjects(client: Client): Promise<string[]> {
  const { body } = await client.get('/api-v1-messages?limit=100')
  return body.data.map(({ subject }: JsonRecord) => subject).sort()
}

test('What is in a mailbox and what arrives there becomes messages, each once', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  dovecot.deliver(rawMail({ Subject: 'First' }))
  const source = await newSource(client, dovecot.port)

  await until('the first message is there', () => subjects(client), { is: ([first]) => first === 'First' })
  dovecot.deliver(rawMail({ Subject: 'Second' }))
  await until('the second message is there', () => subjects(client), { is: (seen) => seen.length === 2 })
  const { body } = await client.get(`${path}/${source.id}`)
  assert.equal(body.data.last_error, null)
  assert.notEqual(body.data.last_success_at, null)
  assert.ok(!JSON.stringify(body).includes('secret'))
})

test('With `now`, a mailbox brings what arrives after the first connection; a date leaves out what is older', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  dovecot.deliver(rawMail({ Subject: 'Old' }))
  const source = await newSource(client, dovecot.port, { start: 'now' })
  await until(
    'the mailbox was read',
    async () => (await client.get(`${path}/${source.id}`)).body.data.last_success_at ?? false,
  )
  dovecot.deliver(rawMail({ Subject: 'New' }))

  await until('the new message is there', () => subjects(client), { is: (seen) => seen.length > 0 })
  assert.deepEqual(await subjects(client), ['New'])
})

test('After a restart, and when all numbers have changed, nothing is lost and nothing comes twice', async (t) => {
  const dovecot = await startDovecot(t)
  const first = await start(t, { mailboxes })
  const client = await first.client()
  dovecot.deliver(rawMail({ Subject: 'One' }))
  await newSource(client, dovecot.port)
  await until('the first message is there', () => subjects(client), { is: (seen) => seen.length === 1 })
  const { directory } = first
  await first.stop()
  dovecot.deliver(rawMail({ Subject: 'Two' }))
  await dovecot.renumber()

  const second = await start(t, { directory, mailboxes })
  const again = clientFor(second.url, { id: client.keyId, key: client.key })
  await until('the second message is there', () => subjects(again), { is: (seen) => seen.length === 2 })
  assert.deepEqual(await subjects(again), ['One', 'Two'])
})

test('A mailbox that is not active is not read, and then continues where it stopped', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  dovecot.deliver(rawMail({ Subject: 'One' }))
  const { id } = await newSource(client, dovecot.port)
  await until('the first message is there', () => subjects(client), { is: (seen) => seen.length === 1 })

  assert.equal((await client.patch(`${path}/${id}`, { is_active: false })).body.data.is_active, false)
  dovecot.deliver(rawMail({ Subject: 'Two' }))
  dovecot.deliver(rawMail({ Subject: 'Three' }), 'Other')
  await newSource(client, dovecot.port, { folder: 'Other' })
  await until('the other mailbox brings its message', () => subjects(client), { is: (seen) => seen.includes('Three') })
  assert.deepEqual(await subjects(client), ['One', 'Three'])

  await client.patch(`${path}/${id}`, { is_active: true })
  await until('the second message is there', () => subjects(client), { is: (seen) => seen.length === 3 })
  assert.deepEqual(await subjects(client), ['One', 'Three', 'Two'])
})

test('A wrong password, a missing folder and a server that is down are said, without the password', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  const cases = [
    [await newSource(client, dovecot.port, { password: 'wrong' }), /refuses the user or the password/],
    [await newSource(client, dovecot.port, { folder: 'Nowhere' }), /folder Nowhere cannot be opened/],
    [await newSource(client, 1), /refuses the connection/],
  ] as const
  for (const [{ id }, expected] of cases) {
    const error = await until(
      String(expected),
      async () => (await client.get(`${path}/${id}`)).body.data.last_error ?? false,
    )
    assert.match(String(error), expected)
  }
  const fixed = await client.patch(`${path}/${cases[0][0].id}`, { password: 'secret' })
  assert.equal(fixed.status, 200)
  const is = (error: unknown) => error === null
  await until(
    'it is read again',
    async () => (await client.get(`${path}/${fixed.body.data.id}`)).body.data.last_error,
    { is },
  )
})

test('Another host or user needs the password again, and hosts that nobody allows are refused', async (t) => {
  const server = await start(t, { mailboxes })
  const client = await server.client()
  const { id } = await newSource(client, 1)
  const moved = await client.patch(`${path}/${id}`, { host: 'imap.example.com', tls: 'implicit', port: 993 })
  assert.equal(moved.status, 400)
  assert.deepEqual(
    moved.body.error.details.map(({ field }: JsonRecord) => field),
    ['password'],
  )

  const strict = await (await start(t)).client()
  const clear = await strict.post(path, { host: 'imap.example.com', port: 143, tls: 'none', user: 'a', password: 'b' })
  assert.deepEqual([clear.status, clear.body.error.details[0].field], [400, 'tls'])
  const inner = await strict.post(path, { host: '10.0.0.1', port: 993, user: 'a', password: 'b' })
  assert.deepEqual([inner.status, inner.body.error.details[0].field], [400, 'host'])
  const without = await client.post(path, { host: 'imap.example.com', port: 993, user: 'a' })
  assert.deepEqual([without.status, without.body.error.details[0].field], [400, 'password'])
})
