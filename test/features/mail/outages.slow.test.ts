import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { onFaultyDisk } from '../../store/on-faulty-disk.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { testUnless, withoutCompiler } from '../../support/needs.ts'
import { startS3 } from '../../support/s3-server.ts'
import { until } from '../../support/wait.ts'
import { startDovecot, withoutDovecot } from './imap/dovecot.ts'
import { openProxy } from './imap/proxy.ts'
import { newSource, sourcesPath, untilRead, untilStored } from './imap/sources.ts'
import { companyAddress, handIn, type MailServer, mailArgs, rawMail, serveMail } from './mail-server.ts'

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
