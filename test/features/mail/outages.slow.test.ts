import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { onFaultyDisk } from '../../store/on-faulty-disk.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { testUnless, withoutCompiler } from '../../support/needs.ts'
import { startS3 } from '../../support/s3-server.ts'
import { until } from '../../support/wait.ts'
import { storedIn } from '../files/files.ts'
import { startDovecot, withoutDovecot } from './imap/dovecot.ts'
import { openProxy } from './imap/proxy.ts'
import { newSource, sourcesPath, untilRead, untilStored } from './imap/sources.ts'
import {
  allMessages,
  companyAddress,
  handIn,
  type MailServer,
  mailArgs,
  mailDoors,
  rawMail,
  serveMail,
  spooledIn,
} from './mail-server.ts'
import { mailWithFile } from './mails.ts'

/** The answers of the doors to "later", in the order of `later`. */
const laterAnswers = [451, 503]

/** Hands two mails to the doors that answer when a mail is stored. */
function later(on: MailServer, address: string, name: string): Promise<number[]> {
  return Promise.all([
    handIn(on, 'smtp', address, rawMail(`${name}-smtp`)),
    handIn(on, 'api', address, rawMail(`${name}-api`)),
  ])
}

/** The same mails are stored, once, when what has failed works again. */
async function assertRecovers(on: MailServer, address: string, name: string, total: number): Promise<void> {
  assert.deepEqual(await later(on, address, name), [250, 201])
  const totalOf = async () => (await on.client.get('/api-v1-messages')).body.pagination.total
  await until('everything is stored', totalOf, { is: (seen) => seen === total })
}

async function serving(t: TestContext, env: NodeJS.ProcessEnv = {}) {
  const data = temporaryDirectory(t)
  const on = await serveMail(t, data, { env })
  return { data, on, address: await companyAddress(on.client) }
}

test('While S3 is down, mail is to come later, what was accepted waits, and afterwards all of it is stored once', async (t) => {
  const s3 = await startS3(t)
  const { on, address } = await serving(t, s3.env)
  s3.fault = () => 'reset'

  assert.deepEqual(await later(on, address, 'down'), laterAnswers)
  assert.equal(await handIn(on, 'mail-in', address, rawMail('down-in')), 202)
  s3.fault = () => undefined

  await assertRecovers(on, address, 'down', 3)
})

test('While another program holds the database, mail is to come later, and afterwards it is stored once', async (t) => {
  const { data, on, address } = await serving(t)
  const other = new Database(join(data, 'kontor.db'))
  t.after(() => other.close())
  other.exec('BEGIN IMMEDIATE')

  assert.deepEqual(await later(on, address, 'locked'), laterAnswers)
  assert.equal(await handIn(on, 'mail-in', address, rawMail('locked-in')), 202, 'it waits on disk')
  other.exec('ROLLBACK')

  await assertRecovers(on, address, 'locked', 3)
})

testUnless(withoutCompiler || withoutDovecot)(
  'While the disk is full, what a mailbox brings is to come later, and afterwards it is stored once',
  async (t) => {
    const dovecot = await startDovecot(t)
    const proxy = await openProxy(t, dovecot.port)
    const { disk, server, client } = await onFaultyDisk(t, ['--webhook-allow', '127.0.0.1'])
    const { id } = await newSource(client, proxy.port)
    await untilRead(client, id)
    disk.fail('write', 'log', 'ENOSPC')
    dovecot.deliver(rawMail('waiting'))
    await until('the mailbox is read again after a failure', () => proxy.count > 1)
    disk.heal()
    await until('the server is ready', async () => (await fetch(`${server.first.url}/readyz`)).ok)

    const again = await client.patch(`${sourcesPath}/${id}`, { password: 'secret' }) // it need not wait longer
    assert.equal(again.status, 200)
    await untilStored(client, 'waiting')
  },
)

testUnless(withoutCompiler)(
  'While the disk is full, mail is to come later, and afterwards it is stored once',
  async (t) => {
    const { data, disk, server, client } = await onFaultyDisk(t, mailArgs)
    const { url, smtp } = server.first as { url: string; smtp: string }
    const on = { server, url, smtp, client }
    const address = await companyAddress(client)
    for (const error of ['ENOSPC', 'EIO'] as const) {
      disk.fail('write', 'log', error)
      assert.deepEqual(await later(on, address, error), laterAnswers, data)
      disk.heal()
      await until('the server is ready', async () => (await fetch(`${url}/readyz`)).ok)
    }

    await assertRecovers(on, address, 'ENOSPC', 2)
  },
)

testUnless(withoutCompiler)(
  'While the disk is full, no door accepts a mail, nothing of it stays, and afterwards the same mails are stored once',
  async (t) => {
    const { data, disk, server, client } = await onFaultyDisk(t, mailArgs)
    const { url, smtp } = server.first as { url: string; smtp: string }
    const on = { server, url, smtp, client }
    const address = await companyAddress(client)
    const rounds = ['a disk that no mail has used', 'the whole disk', 'the disk of mail']
    const send = (round: string) =>
      Promise.all(mailDoors.map((door) => handIn(on, door, address, newMail(`${round} ${door}`))))
    for (const [at, round] of rounds.entries()) {
      if (round === 'the whole disk') disk.fail('write', 'log', 'ENOSPC')
      else disk.failMail('ENOSPC')
      assert.deepEqual(await send(round), [451, 503, 503], round)
      disk.heal()
      await until('the server is ready', async () => (await fetch(`${url}/readyz`)).ok)
      await until('nothing half is left', () => spooledIn(data), { is: ({ length }) => length === 0 })
      assert.equal(storedIn(data).length, 2 * mailDoors.length * at, round)

      assert.deepEqual(await send(round), [250, 201, 202], round)
      await until('what was accepted is stored', () => allMessages(client), {
        is: ({ length }) => length === mailDoors.length * (at + 1),
      })
    }

    const subjects = (await allMessages(client)).map(({ subject }) => subject).sort()
    assert.deepEqual(subjects, rounds.flatMap((round) => mailDoors.map((door) => `${round} ${door}`)).sort())
    await until('the spool is empty', () => spooledIn(data), { is: ({ length }) => length === 0 })
    assert.equal(storedIn(data).length, 2 * subjects.length, 'each has its original and its attachment')
  },
)

/** The same message each time. */
function newMail(subject: string): string {
  const headers = { Subject: subject, 'Message-ID': `<${subject.replaceAll(' ', '.')}@example.org>` }
  return mailWithFile('offer.pdf', `${subject} ${'x'.repeat(100_000)}`, headers)
}
