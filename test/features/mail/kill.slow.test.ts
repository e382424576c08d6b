import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { faultyDisk } from '../../store/faulty-disk.ts'
import type { Client } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { testUnless, withoutCompiler } from '../../support/needs.ts'
import { firstClient } from '../../support/prepare.ts'
import { randomOf, rounds } from '../../support/random.ts'
import { faultsAtTimes } from '../../support/s3-faults.ts'
import { startS3 } from '../../support/s3-server.ts'
import { until } from '../../support/wait.ts'
import { download } from '../files/files.ts'
import { allMessages, companyAddress, handIn, type MailServer, mailDoors, serveMail, spooledIn } from './mail-server.ts'
import { mailWithFile } from './mails.ts'

/** KONTOR_TEST_ROUNDS=20 sends 1,800. */
const mails = 90 * rounds
const mailsPerKill = Math.max(20, Math.ceil(mails / 50))
const senders = 6

/** A mail that is sent again, through the next door, until it is acknowledged. */
interface Sent {
  name: string
  raw: string
  attempts: number
  isAcknowledged: boolean
}

test('After kill -9 during deliveries through all doors, every acknowledged mail is one message with its original, and none is twice or half', async (t) => {
  const data = temporaryDirectory(t)
  await killDuringDeliveries(data, (key) => serveMail(t, data, { key }))
})

test('After kill -9 during deliveries to S3 that fails at times, every acknowledged mail is one message with its original', async (t) => {
  const [s3, data] = [await startS3(t), temporaryDirectory(t)]
  const faults = faultsAtTimes(s3)
  const serve = (key: Client) => {
    faults.end()
    return serveMail(t, data, { key, env: s3.env })
  }
  await killDuringDeliveries(data, serve, { beforeMails: faults.begin })
})

testUnless(withoutCompiler)(
  'After power cuts during deliveries, every acknowledged mail is one message with its original, and none is twice or half',
  async (t) => {
    const directory = temporaryDirectory(t)
    const data = join(directory, 'data')
    const disk = faultyDisk(directory, data)
    const random = randomOf(2)
    let isSettled = false
    const serve = (key: Client) => {
      if (!isSettled) disk.settle()
      isSettled = true
      return serveMail(t, data, { key, env: disk.env })
    }
    await killDuringDeliveries(data, serve, { afterKill: () => disk.cutPower(random) })
  },
)

/** Sends from several senders; a server that is killed is started again, and what it has not acknowledged is sent again. */
async function killDuringDeliveries(
  data: string,
  serve: (key: Client) => Promise<MailServer>,
  { beforeMails = () => {}, afterKill = () => {} } = {},
): Promise<void> {
  const key = await firstClient(data, '')
  const all = Array.from({ length: mails }, newMail)
  for (;;) {
    const on = await serve(key)
    const address = await companyAddress(on.client)
    await assertStored(on, all)
    if (all.every(({ isAcknowledged }) => isAcknowledged)) {
      await until('the spool is empty', () => spooledIn(data).length === 0)
      const { pagination } = (await on.client.get('/api-v1-files?limit=1')).body
      assert.equal(pagination.total, mails, 'each mail has its attachment, once')
      return
    }
    beforeMails()
    const acknowledged = () => all.filter(({ isAcknowledged }) => isAcknowledged).length
    const before = acknowledged()
    const { promise: enough, resolve } = Promise.withResolvers<void>()
    const sending = Array.from({ length: senders }, async (_, sender) => {
      for (const [at, mail] of all.entries()) {
        if (mail.isAcknowledged || at % senders !== sender) continue
        await send(on, address, mail, at)
        if (acknowledged() - before >= mailsPerKill) resolve()
      }
    })
    const ended = Promise.allSettled(sending)
    await Promise.race([enough, ended])
    await on.server.stop('SIGKILL')
    await ended
    afterKill()
  }
}

function newMail(_: unknown, at: number): Sent {
  const name = `mail-${at}-`
  const raw = mailWithFile('offer.pdf', `${name}${'x'.repeat(20_000)}`, { Subject: name })
  return { name, raw, attempts: 0, isAcknowledged: false }
}

/** Throws if the server is killed. */
async function send(on: MailServer, address: string, mail: Sent, at: number): Promise<void> {
  const door = mailDoors[(at + mail.attempts++) % mailDoors.length]!
  if ([200, 201, 202, 250].includes(await handIn(on, door, address, mail.raw))) mail.isAcknowledged = true
}

/** Every acknowledged mail is stored, soon or now, every stored one was sent and is there once, and all of them have their original. */
async function assertStored({ client, url }: MailServer, all: readonly Sent[]): Promise<void> {
  const due = all.filter(({ isAcknowledged }) => isAcknowledged).map(({ name }) => name)
  const stored = await until('all acknowledged mails are stored', () => allMessages(client), {
    is: (messages) => due.every((name) => messages.some(({ subject }) => subject === name)),
  })
  assert.equal(new Set(stored.map(({ subject }) => subject)).size, stored.length, 'no mail is there twice')
  const sent = new Map(all.map((mail) => [mail.name, mail]))
  for (const { id, subject } of stored) {
    const { status, bytes } = await download(url, client, `/api-v1-messages/${id}/original`)
    assert.deepEqual([status, bytes.toString('latin1') === sent.get(subject)!.raw], [200, true], subject)
  }
}
