import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { contentsSetting } from '../../../../src/commands/contents.ts'
import { contentSettings } from '../../../../src/config/content-settings.ts'
import { readConfig } from '../../../../src/config.ts'
import { openContents } from '../../../../src/content/open.ts'
import { storeMove } from '../../../../src/store/company-move.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { testUnless } from '../../../support/needs.ts'
import { startS3 } from '../../../support/s3-server.ts'
import { start } from '../../../support/start.ts'
import { until } from '../../../support/wait.ts'
import { nameServerAt } from '../../webhooks/name-server.ts'
import { serveMail } from '../mail-server.ts'
import { rawMail } from '../mails.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'
import { openProxy } from './proxy.ts'
import { mailboxes, newSource, sourcesPath as path, untilRead, untilStored } from './sources.ts'

const test = testUnless(withoutDovecot)
const run = promisify(execFile)

test('A mailbox whose folder changes while a message is stored begins at its start in the other folder', async (t) => {
  const [dovecot, s3, directory] = [await startDovecot(t), await startS3(t), temporaryDirectory(t)]
  const contents = openContents(contentsSetting(readConfig(contentSettings, {}, s3.env), join(directory, 'kontor.db')))
  const client = await (await start(t, { directory, contents, mailboxes })).client()
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>()
  s3.fault = () => answered
  dovecot.deliver(rawMail({ Subject: 'Inbox' }), '', new Date('2020-07-01'))
  dovecot.deliver(rawMail({ Subject: 'Old' }), 'Archive', new Date('2005-07-01'))
  const { id } = await newSource(client, dovecot.port)
  await until('a message is being stored', () => s3.asked.length > 0)

  await client.patch(`${path}/${id}`, { folder: 'Archive', is_active: false })
  answer(undefined)
  await untilStored(client, 'Inbox')
  await client.patch(`${path}/${id}`, { is_active: true })

  await untilStored(client, 'Inbox', 'Old')
})

test('Mailboxes of a company that has moved are not read, and nothing in them is lost if it comes back', async (t) => {
  const dovecot = await startDovecot(t)
  const server = await start(t, { mailboxes, mailboxPauses: { firstMs: 1, lastMs: 1, longMs: 1 } })
  const { id, client } = await server.company('Acme')
  const proxy = await openProxy(t, dovecot.port)
  dovecot.deliver(rawMail({ Subject: 'First' }))
  await newSource(client, proxy.port)
  await untilStored(client, 'First')
  const company = (...args: string[]) =>
    run(process.execPath, ['dist/kontor.cjs', 'company', ...args, '--data', server.directory])

  await company('export', id, join(temporaryDirectory(t), 'acme.db'))
  await company('move', id, '--to', 'https://there.example.com')
  await until('the mailbox is left', () => proxy.open === 0)
  for (const Subject of ['Second', 'Third']) dovecot.deliver(rawMail({ Subject }))
  await company('move', id, '--cancel')

  await untilStored(client, 'First', 'Second', 'Third')
})

test('The mailbox of a company that was away briefly is read again', async (t) => {
  const dovecot = await startDovecot(t)
  const { company, store } = await start(t, { mailboxes })
  const { id, client } = await company('Acme')
  const proxy = await openProxy(t, dovecot.port)
  const source = await newSource(client, proxy.port)
  await untilRead(client, source.id)

  await store.writeAccess((tx) => storeMove(tx, id, { state: 'leaving', by: 'a test' }))
  dovecot.deliver(rawMail({ Subject: 'Meanwhile' }))
  await until('the mailbox is left', () => proxy.open === 0)
  await store.writeAccess((tx) => storeMove(tx, id, undefined))

  await untilStored(client, 'Meanwhile')
})

test('A mailbox is read at the first address of its host that can be reached', async (t) => {
  const dovecot = await startDovecot(t)
  const dns = await nameServerAt(t, {
    A: [
      [127, 0, 0, 3],
      [127, 0, 0, 2],
      [127, 0, 0, 1],
    ],
    AAAA: [],
  })
  const args = ['--webhook-allow', '127.0.0.0/8', '--dns', dns]
  const { client } = await serveMail(t, temporaryDirectory(t), { args })
  dovecot.deliver(rawMail({ Subject: 'There' }))

  const { id } = await newSource(client, dovecot.port, { host: 'imap.example.org' })

  await untilStored(client, 'There')
  assert.equal((await client.get(`${path}/${id}`)).body.data.last_error, null)
})
