import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { contentsSetting } from '../../../../src/commands/contents.ts'
import { contentSettings } from '../../../../src/config/content-settings.ts'
import { readConfig } from '../../../../src/config.ts'
import { openContents } from '../../../../src/content/open.ts'
import type { Client } from '../../../support/client.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { openMailbox } from '../../../support/mailbox.ts'
import type { JsonRecord } from '../../../support/make.ts'
import { testUnless } from '../../../support/needs.ts'
import { startS3 } from '../../../support/s3-server.ts'
import { start } from '../../../support/start.ts'
import { until } from '../../../support/wait.ts'
import { rawMail } from '../mails.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'
import { mailboxes, newSource, untilFailing, untilRead, untilStored } from './sources.ts'

const test = testUnless(withoutDovecot)
const mailboxPauses = { firstMs: 1, lastMs: 20, longMs: 20 }

async function logOf(client: Client): Promise<JsonRecord[]> {
  return (await client.get('/api-v1-mail-log')).body.data
}

/** A port that leads to `port`, and breaks off when the client asks for the content of a message. */
async function breakingAt(t: TestContext, port: number, uid: number): Promise<number> {
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const each of [client, server]) each.on('error', end).on('close', end)
    client.on('data', (asked) => {
      if (new RegExp(`UID FETCH ${uid} .*BODY`).test(asked.toString('latin1'))) end()
      else server.write(asked)
    })
    server.pipe(client)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  t.after(() => proxy.close())
  return (proxy.address() as AddressInfo).port
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

  await newSource(client, await breakingAt(t, dovecot.port, 2))

  await untilStored(client, 'First', 'Last')
  const reasons = (await logOf(client)).flatMap(({ reason }) => reason ?? [])
  assert.deepEqual(reasons, ['Passed over after 8 tries (UID 2): The mail server has closed the connection'])
})

test('While S3 refuses content, a message is tried on and on, and never passed over', async (t) => {
  const [dovecot, s3, directory] = [await startDovecot(t), await startS3(t), temporaryDirectory(t)]
  const contents = openContents(contentsSetting(readConfig(contentSettings, {}, s3.env), join(directory, 'kontor.db')))
  const client = await (await start(t, { directory, contents, mailboxes, mailboxPauses })).client()
  s3.fault = () => 403
  dovecot.deliver(rawMail({ Subject: 'Waiting' }))

  const { id } = await newSource(client, dovecot.port)
  await until('it is tried more often than a message that fails', () => s3.asked.length > 10)
  assert.match(await untilFailing(client, id), /S3 cannot be used/)
  s3.fault = () => undefined

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
