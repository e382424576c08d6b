import assert from 'node:assert/strict'
import { clientFor } from '../../../support/client.ts'
import type { JsonRecord } from '../../../support/make.ts'
import { testUnless } from '../../../support/needs.ts'
import { start } from '../../../support/start.ts'
import { until } from '../../../support/wait.ts'
import { rawMail } from '../mails.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'
import { openProxy } from './proxy.ts'
import { mailboxes, newSource, sourcesPath as path, untilFailing, untilRead, untilStored } from './sources.ts'

const test = testUnless(withoutDovecot)

test('What is in a mailbox and what arrives there becomes messages, each once', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  dovecot.deliver(rawMail({ Subject: 'First' }))
  const source = await newSource(client, dovecot.port)

  await untilStored(client, 'First')
  dovecot.deliver(rawMail({ Subject: 'Second' }))
  await untilStored(client, 'First', 'Second')
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
  await untilRead(client, source.id)
  dovecot.deliver(rawMail({ Subject: 'New' }))

  await untilStored(client, 'New')
})

test('After a restart, and when all numbers have changed, nothing is lost and nothing comes twice', async (t) => {
  const dovecot = await startDovecot(t)
  const first = await start(t, { mailboxes })
  const client = await first.client()
  dovecot.deliver(rawMail({ Subject: 'One' }))
  await newSource(client, dovecot.port)
  await untilStored(client, 'One')
  const { directory } = first
  await first.stop()
  dovecot.deliver(rawMail({ Subject: 'Two' }))
  await dovecot.renumber()

  const second = await start(t, { directory, mailboxes })
  const again = clientFor(second.url, { id: client.keyId, key: client.key })
  await untilStored(again, 'One', 'Two')
})

test('With `now`, nothing is lost if all numbers change before the first message has come', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  const source = await newSource(client, dovecot.port, { start: 'now' })
  await untilRead(client, source.id)
  await client.patch(`${path}/${source.id}`, { is_active: false })

  dovecot.deliver(rawMail({ Subject: 'First' }))
  await dovecot.renumber()
  await client.patch(`${path}/${source.id}`, { is_active: true })

  await untilStored(client, 'First')
})

test('When all numbers have changed, old mail that was left out does not come, and mail that is put into the folder later does', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  const deliver = (Subject: string, year: number) =>
    dovecot.deliver(rawMail({ Subject }), '', new Date(Date.UTC(year, 6)))
  deliver('Left out', 2005)
  const { id } = await newSource(client, dovecot.port, { start: 'now' })
  await untilRead(client, id)
  const stored: string[] = []
  const comes = async (subject: string, year = new Date().getUTCFullYear()) => {
    deliver(subject, year)
    stored.push(subject)
    await untilStored(client, ...stored)
  }
  const renumber = async () => {
    await client.patch(`${path}/${id}`, { is_active: false })
    await dovecot.renumber()
    await client.patch(`${path}/${id}`, { is_active: true })
  }

  await comes('Of a wrong clock', 2037)
  await renumber()
  await comes('New')
  await comes('Moved here', 2001)
  await renumber()
  await comes('Newer')
  await comes('Moved here later', 2003)
})

test('A mailbox that is not active is not read, and then continues where it stopped', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes })
  const client = await server.client()
  dovecot.deliver(rawMail({ Subject: 'One' }))
  const { id } = await newSource(client, dovecot.port)
  await untilStored(client, 'One')

  assert.equal((await client.patch(`${path}/${id}`, { is_active: false })).body.data.is_active, false)
  dovecot.deliver(rawMail({ Subject: 'Two' }))
  dovecot.deliver(rawMail({ Subject: 'Three' }), 'Other')
  await newSource(client, dovecot.port, { folder: 'Other' })
  await untilStored(client, 'One', 'Three')

  await client.patch(`${path}/${id}`, { is_active: true })
  await untilStored(client, 'One', 'Three', 'Two')
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
    assert.match(await untilFailing(client, id), expected)
  }
  const fixed = await client.patch(`${path}/${cases[0][0].id}`, { password: 'secret' })
  assert.equal(fixed.status, 200)
  await untilRead(client, fixed.body.data.id)
})

test('A mail server that names no next number is read to its end, and what arrives there later comes', async (t) => {
  const dovecot = await startDovecot(t)
  const { port } = await openProxy(t, dovecot.port, undefined, (answer) => answer.replace(/^.*UIDNEXT.*\r\n/m, ''))
  const server = await start(t, { mailboxes })
  const [all, now] = [await server.client(), await server.client()]
  dovecot.deliver(rawMail({ Subject: 'Old' }))

  await untilRead(all, (await newSource(all, port)).id)
  await untilRead(now, (await newSource(now, port, { start: 'now' })).id)
  dovecot.deliver(rawMail({ Subject: 'New' }))

  await untilStored(all, 'New', 'Old')
  await untilStored(now, 'New')
})

test('A mail server that can sign in nobody at the moment is asked again as after other failures', async (t) => {
  const dovecot = await startDovecot(t)
  let isBroken = true
  const proxy = await openProxy(t, dovecot.port, undefined, (answer) =>
    isBroken ? answer.replace(/^(\w+) (?:OK|NO) .*(?=\r\n)/m, '$1 NO [UNAVAILABLE] Try again') : answer,
  )
  const longMs = 2 ** 30
  const server = await start(t, { mailboxes, mailboxPauses: { firstMs: 1, lastMs: 20, longMs } })
  const client = await server.client()

  const { id } = await newSource(client, proxy.port)
  assert.equal(await untilFailing(client, id), 'The mail server can sign in nobody at the moment')
  isBroken = false

  await untilRead(client, id)
})

test('After a wrong password, and without room, a mail server is not asked again as soon as after other failures', async (t) => {
  const dovecot = await startDovecot(t)
  dovecot.deliver(rawMail({ Subject: 'One' }))
  const server = await start(t, { mailboxes, mailboxPauses: { firstMs: 1, lastMs: 20, longMs: 2 ** 30 } })
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_storage_bytes = 100 WHERE name = 'starter'"))
  const client = await server.client('starter')
  const [wrong, full, other] = await Promise.all([1, 2, 3].map(() => openProxy(t, dovecot.port)))
  const sources = [await newSource(client, wrong!.port, { password: 'wrong' }), await newSource(client, full!.port)]
  for (const { id } of sources) await untilFailing(client, id)

  await newSource(client, other!.port, { folder: 'Nowhere' })

  await until('another mailbox has failed again and again', () => other!.count > 4)
  assert.deepEqual([wrong!.count, full!.count], [1, 1])
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
  const own = await strict.post(path, { host: 'imap.example.com', port: 993, user: 'a', password: 'b' })
  const led = await strict.patch(`${path}/${own.body.data.id}`, { host: '10.0.0.1', password: 'b' })
  assert.deepEqual([led.status, led.body.error.details[0].field], [400, 'host'])
  const without = await client.post(path, { host: 'imap.example.com', port: 993, user: 'a' })
  assert.deepEqual([without.status, without.body.error.details[0].field], [400, 'password'])
})
