import assert from 'node:assert/strict'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { contentsSetting } from '../../../../src/commands/contents.ts'
import { contentSettings } from '../../../../src/config/content-settings.ts'
import { readConfig } from '../../../../src/config.ts'
import { openContents } from '../../../../src/content/open.ts'
import { type Client, clientFor } from '../../../support/client.ts'
import { FakeClock } from '../../../support/clock.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { openMailbox } from '../../../support/mailbox.ts'
import type { JsonRecord } from '../../../support/make.ts'
import { testUnless } from '../../../support/needs.ts'
import { startS3 } from '../../../support/s3-server.ts'
import { start } from '../../../support/start.ts'
import { until } from '../../../support/wait.ts'
import { rawMail } from '../mails.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'
import { openProxy } from './proxy.ts'
import { mailboxes, newSource, sourcesPath, untilFailing, untilRead, untilStored } from './sources.ts'

const test = testUnless(withoutDovecot)
const limitMs = 120_000
const mailboxPauses = { firstMs: 1, lastMs: 20, longMs: 20 }

async function logOf(client: Client): Promise<JsonRecord[]> {
  return (await client.get('/api-v1-mail-log')).body.data
}

test('A message that cannot be stored is passed over after some tries, and the mail log says which and why', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, {
    ...{ mailboxes, mailboxPauses },
    prepare: (db) =>
      db.exec(`CREATE TEMP TRIGGER broken BEFORE INSERT ON main.message WHEN new.subject = 'Broken'
        BEGIN SELECT raise(ABORT, 'a bug'); END`),
  })
  const client = await server.client()
  for (const Subject of ['First', 'Broken', 'Last']) dovecot.deliver(rawMail({ Subject }))

  const { id } = await newSource(client, dovecot.port)

  await untilStored(client, 'First', 'Last')
  await untilRead(client, id)
  const refused = (await logOf(client)).filter(({ outcome }) => outcome === 'refused')
  const { door, reason, message_id } = refused[0]!
  assert.deepEqual([refused.length, door, message_id], [1, 'imap', null])
  assert.match(reason, /^Passed over after 8 tries \(UID 2\): The server failed$/)
})

test('A message at which the mail server breaks off is passed over after some tries', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes, mailboxPauses })
  const client = await server.client()
  for (const Subject of ['First', 'Broken', 'Last']) dovecot.deliver(rawMail({ Subject }))

  const proxy = await openProxy(t, dovecot.port, /UID FETCH 2 .*BODY/)

  await newSource(client, proxy.port)

  await untilStored(client, 'First', 'Last')
  const reasons = (await logOf(client)).flatMap(({ reason }) => reason ?? [])
  assert.deepEqual(reasons, ['Passed over after 8 tries (UID 2): The mail server has closed the connection'])
})

test('A message that fails is passed over after some tries, although the server starts again between them', async (t) => {
  const dovecot = await startDovecot(t)
  const [directory, clock] = [temporaryDirectory(t), new FakeClock()]
  const onePerStart = { firstMs: 3_600_000, lastMs: 3_600_000, longMs: 3_600_000 }
  let fetches = 0
  const proxy = await openProxy(t, dovecot.port, {
    test(asked) {
      const isBroken = /UID FETCH 1 .*BODY/.test(asked)
      if (isBroken) fetches++
      return isBroken
    },
  })
  for (const Subject of ['Broken', 'Last']) dovecot.deliver(rawMail({ Subject }))
  let key: Client | undefined
  let id = ''
  const serve = async (pauses: typeof mailboxPauses) => {
    clock.advance(60_000)
    const server = await start(t, { ...{ directory, clock, mailboxes }, mailboxPauses: pauses })
    key ??= await server.client()
    const client = clientFor(server.url, { id: key.keyId, key: key.key })
    id ||= (await newSource(client, proxy.port)).id
    return { server, client }
  }

  for (let tries = 1; tries < 8; tries++) {
    const { server, client } = await serve(onePerStart)
    const failedAt = async () => (await client.get(`${sourcesPath}/${id}`)).body.data.last_error_at
    await until(`try ${tries} has failed`, failedAt, {
      is: (at) => at === new Date(clock.now()).toISOString(),
      limitMs,
    })
    assert.deepEqual(await logOf(client), [])
    await server.stop()
  }
  const { client } = await serve(mailboxPauses)

  await untilStored(client, 'Last')
  const reasons = (await logOf(client)).flatMap(({ reason }) => reason ?? [])
  assert.deepEqual(reasons, ['Passed over after 8 tries (UID 1): The mail server has closed the connection'])
  assert.equal(fetches, 8)
})

for (const [what, answer] of [
  ['names millions of messages that nobody has asked for', '* VANISHED 1:4294967295'],
  ['finds more messages than there can be', '* 4294967295 EXISTS\r\n* ESEARCH (TAG "1") UID ALL 1:4294967295'],
  ['tells more than anybody wants to know', '* 1 FETCH (FLAGS (x))\r\n'.repeat(60_000).trimEnd()],
  ['sends a line that is longer than any that is needed', `* 1 FETCH ${'('.repeat(200_000)}`],
] as const) {
  test(`A mail server that ${what} is left at once, and read when it has stopped that`, async (t) => {
    const dovecot = await startDovecot(t)
    dovecot.deliver(rawMail({ Subject: 'First' }))
    let isHostile = true
    const { port } = await openProxy(t, dovecot.port, undefined, (given) =>
      isHostile ? given.replace(/^\* SEARCH/m, `${answer}\r\n$&`) : given,
    )
    const client = await (await start(t, { mailboxes, mailboxPauses })).client()

    const { id } = await newSource(client, port)
    assert.equal(await untilFailing(client, id), 'The mail server sends more than it was asked for')
    isHostile = false

    await untilStored(client, 'First')
  })
}

test('While the mail server gives out no message at all, none is passed over', async (t) => {
  const dovecot = await startDovecot(t)
  const client = await (await start(t, { mailboxes, mailboxPauses })).client()
  for (const Subject of ['First', 'Last']) dovecot.deliver(rawMail({ Subject }))
  let gives = false
  const proxy = await openProxy(t, dovecot.port, { test: (asked) => !gives && /UID FETCH .*BODY/.test(asked) })

  const { id } = await newSource(client, proxy.port)
  await until('they are tried more often than a message that fails', () => proxy.count > 12, { limitMs })
  assert.match(await untilFailing(client, id), /closed the connection/)
  gives = true

  await untilStored(client, 'First', 'Last')
  assert.deepEqual(
    (await logOf(client)).map(({ outcome }) => outcome),
    ['unmatched', 'unmatched'],
  )
})

test('While S3 refuses content, a message is tried on and on, and never passed over', async (t) => {
  const [dovecot, s3, directory] = [await startDovecot(t), await startS3(t), temporaryDirectory(t)]
  const contents = openContents(contentsSetting(readConfig(contentSettings, {}, s3.env), join(directory, 'kontor.db')))
  const client = await (await start(t, { directory, contents, mailboxes, mailboxPauses })).client()
  s3.fault = () => 403
  dovecot.deliver(rawMail({ Subject: 'Waiting' }))

  const { id } = await newSource(client, dovecot.port)
  await until('it is tried more often than a message that fails', () => s3.asked.length > 10, { limitMs })
  assert.match(await untilFailing(client, id), /S3 cannot be used/)
  s3.fault = () => undefined

  await untilStored(client, 'Waiting')
  assert.deepEqual(
    (await logOf(client)).map(({ outcome }) => outcome),
    ['unmatched'],
  )
})

test('While another program holds the database, a message is tried on and on, and afterwards it is stored once', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes, mailboxPauses, busyMsMax: 20 })
  const client = await server.client()
  const proxy = await openProxy(t, dovecot.port)
  const { id } = await newSource(client, proxy.port)
  await untilRead(client, id)
  const other = new Database(server.path)
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  const before = proxy.count
  dovecot.deliver(rawMail({ Subject: 'Waiting' }))
  await until('it is tried more often than a message that fails', () => proxy.count > before + 10, { limitMs })
  other.exec('ROLLBACK')

  await untilStored(client, 'Waiting')
  assert.deepEqual(
    (await logOf(client)).map(({ outcome }) => outcome),
    ['unmatched'],
  )
})

test('A mailbox waits while the company may store no more, says so, and goes on when there is room', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes, mailboxPauses })
  const client = await server.client('starter')
  const limit = (bytes: number | null) =>
    server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_storage_bytes = ? WHERE name = 'starter'", bytes))
  await limit(100)
  for (const Subject of ['One', 'Two']) dovecot.deliver(rawMail({ Subject }))

  const { id } = await newSource(client, dovecot.port)
  assert.match(await untilFailing(client, id), /^Your plan allows at most 100 bytes .*: the mailbox waits for room$/)
  await limit(null)

  await untilStored(client, 'One', 'Two')
  await untilRead(client, id)
  const outcomes = (await logOf(client)).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes, ['unmatched', 'unmatched'], 'what the mailbox keeps is not refused')
})

test('What the own folder of sent mail brings from its user is not held, unlike other mail that claims to be from users', async (t) => {
  const dovecot = await startDovecot(t)
  const { ada } = await openMailbox(t, { mailboxes })
  const from = (name: string, Subject: string) =>
    rawMail({ Subject, From: `${name}@acme.example.org`, To: 'grace@navy.example' })
  dovecot.deliver(from('ada', 'Sent by Ada'), 'Sent')
  dovecot.deliver(from('bob', 'Claims Bob'), 'Sent')
  dovecot.deliver(from('ada', 'Claims Ada'))

  for (const folder of ['Sent', 'INBOX']) await newSource(ada, dovecot.port, { folder })

  await untilStored(ada, 'Claims Ada', 'Claims Bob', 'Sent by Ada')
  const { data } = (await ada.get('/api-v1-messages')).body
  assert.deepEqual(data.map(({ subject, status, direction }: JsonRecord) => [subject, status, direction]).sort(), [
    ['Claims Ada', 'held', 'outbound'],
    ['Claims Bob', 'held', 'outbound'],
    ['Sent by Ada', 'unmatched', 'outbound'],
  ])
})

test('A mailbox for which the server has no place says so, and is read when there is one', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes, mailboxPauses, mailboxesMax: 1 })
  const client = await server.client()
  const first = await newSource(client, dovecot.port)
  await untilRead(client, first.id)

  const second = await newSource(client, dovecot.port, { start: 'now' })

  assert.match(await untilFailing(client, second.id), /^The server reads at most 1 mailboxes/)
  await client.delete(`${sourcesPath}/${first.id}`)
  await untilRead(client, second.id)
})
