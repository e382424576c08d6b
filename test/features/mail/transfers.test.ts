import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { listCompanies } from '../../../src/access/company.ts'
import { hashPassword } from '../../../src/access/password.ts'
import { type Client, clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { testUnless } from '../../support/needs.ts'
import type { Server } from '../../support/start.ts'
import { newColleague, newOwner, password, signIn, type Visitor, visit } from '../../support/visitor.ts'
import { type Dovecot, startDovecot, withoutDovecot } from './imap/dovecot.ts'
import { mailboxes, newSource, sourcesPath, untilStored } from './imap/sources.ts'
import { deliverMail, mailWithFile, newAddress, rawMail, startWithMail } from './mails.ts'

const run = promisify(execFile)
const kontor = (...args: string[]) => run(process.execPath, ['dist/kontor.cjs', ...args])
/** Of a mailbox, and in no other text. */
const mailboxPassword = 'Graf-Zeppelin-4711'
const users = ['ada@acme.example', 'bob@acme.example.org', 'carl@acme.example.org']

/** A company with everything that mail has. The first user is its owner. */
async function fill(server: Server, dovecot: Dovecot): Promise<{ key: string; address: string }> {
  const owner = await newOwner(server)
  const [bob] = [await newColleague(server, 'member', users[1]), await newColleague(server, 'member', users[2])]
  const passwordHash = await hashPassword(password) // those of tests are too cheap for a company's file
  await server.store.writeAccess((tx) => tx.run('UPDATE user SET password_hash = ?', passwordHash))
  const key: string = (await owner.post('/api-v1-keys', { name: 'Mail', scopes: ['admin:all'] })).body.data.key
  const client = clientFor(server.url, { id: '', key })
  const { id: deal_id } = await make(client, 'deal', { title: 'Hampers' })
  const { address } = await newAddress(client)
  const own = await newAddress(client, { kind: 'user', user_id: bob.id, audience: 'participants' })
  const ofDeal = await newAddress(client, { kind: 'deal', deal_id })
  const headers = { 'Message-ID': '<first@navy.example>' }
  await deliverMail(client, address, mailWithFile('offer.pdf', 'An offer', headers))
  await deliverMail(client, own.address, rawMail({ Subject: 'For Bob' }))
  await deliverMail(client, ofDeal.address, rawMail({ Subject: 'For the deal' }))
  await deliverMail(client, address, rawMail({ Subject: 'Held', From: users[1]! }))
  await deliverMail(client, address, rawMail({ Subject: 'News', From: 'news@shop.example' }))
  const { body } = await client.get('/api-v1-messages?subject=News')
  await client.delete(`/api-v1-messages/${body.data[0].id}`)
  await owner.post('/api-v1-mail-ignored-senders', { address: 'news@shop.example' })
  await bob.post('/api-v1-mail-ignored-senders', { address: 'grace@navy.example', visibility: 'personal' })
  dovecot.deliver(rawMail({ Subject: 'From the mailbox' }))
  await newSource(client, dovecot.port, { audience: 'team' })
  await newSource(bob, dovecot.port, { user: 'bob', password: mailboxPassword })
  await untilStored(client, 'For the deal', 'From the mailbox', 'Hampers')
  return { key, address }
}

const paths = [
  '/api-v1-messages?sort=received_at:asc&include=files',
  ...['?is_waiting=true', '?status=held', '?q=hampers'].map((query) => `/api-v1-messages${query}`),
  '/api-v1-mail-addresses',
  '/api-v1-mail-ignored-senders',
  '/api-v1-mail-log',
  '/api-v1-files',
  '/api-v1-trash',
  sourcesPath,
]

/** What everybody sees of mail: each user, and the key. When a mailbox was read does not count. */
async function sightsOf({ url }: Pick<Server, 'url'>, key: string): Promise<unknown[]> {
  const all: unknown[] = []
  const look = async (who: string, { get }: Pick<Visitor, 'get'>) => {
    for (const path of paths) {
      const { status, body } = await get(path)
      const records = [body.data ?? []]
        .flat()
        .map(({ last_success_at, last_error, last_error_at, ...rest }: JsonRecord) => rest)
      all.push({ who, path, status, records })
    }
  }
  for (const email of users) {
    const user = visit(url)
    assert.equal((await signIn(user, email)).status, 201)
    await look(email, user)
  }
  await look('key', clientFor(url, { id: '', key }))
  return all
}

/** Fails if a file below a directory contains the password of a mailbox. */
function assertSealed(directory: string): void {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.ok(files.length > 0)
  for (const { parentPath, name } of files)
    assert.ok(!readFileSync(join(parentPath, name)).includes(mailboxPassword), `${name} has the password`)
}

/** Brings a company elsewhere, with `made` for its files. Returns the server that has it then. */
type Way = (t: TestContext, server: Server, made: string) => Promise<Server>

const copied = 'a copy of the company as a database'

const ways: Record<string, Way> = {
  async 'a backup and its restore'(t, server, made) {
    await kontor('backup', join(made, 'one.db'), '--data', server.directory)
    const directory = join(temporaryDirectory(t), 'data')
    await kontor('restore', join(made, 'one.db'), '--data', directory)
    return startWithMail(t, { directory, mailboxes })
  },
  async 'the export and import of a company'(t, server, made) {
    const { id } = listCompanies(server.store.access)[0]!
    await kontor('company', 'export', id, join(made, 'acme.db'), '--data', server.directory)
    const target = await startWithMail(t, { mailboxes })
    await kontor('company', 'import', join(made, 'acme.db'), '--data', target.directory)
    return target
  },
  async [copied](t, server, made) {
    const { id } = listCompanies(server.store.access)[0]!
    for (const format of ['sqlite', 'ndjson', 'csv']) {
      const out = join(made, format)
      await kontor('export', '--company', id, '--format', format, '--out', out, '--data', server.directory)
    }
    const directory = join(temporaryDirectory(t), 'data')
    cpSync(join(made, 'sqlite'), directory, { recursive: true })
    return startWithMail(t, { directory, mailboxes })
  },
}

for (const [way, bring] of Object.entries(ways)) {
  testUnless(withoutDovecot)(
    `After ${way}, everybody sees the same mail, addresses, mailboxes and ignored senders, mailboxes go on, and no password is readable`,
    async (t) => {
      const dovecot = await startDovecot(t)
      const server = await startWithMail(t, { mailboxes })
      const { key, address } = await fill(server, dovecot)
      const before = await sightsOf(server, key)
      const made = temporaryDirectory(t)

      const target = await bring(t, server, made)
      await server.stop()
      await kontor('check', '--files', '--data', target.directory)

      assertSealed(made)
      assertSealed(target.directory)
      assert.deepEqual(await sightsOf(target, key), before)
      const there = clientFor(target.url, { id: '', key })
      if (way === copied) await enterPassword(there)
      dovecot.deliver(rawMail({ Subject: 'Afterwards' }))
      await untilStored(there, 'Afterwards', 'For the deal', 'From the mailbox', 'Hampers')
      const again = await deliverMail(there, address, rawMail({ Subject: 'More news', From: 'news@shop.example' }))
      const waiting = (await there.get('/api-v1-messages?is_waiting=true')).body.data
      assert.equal(again.status, 201)
      assert.ok(!waiting.some(({ subject }: JsonRecord) => subject === 'More news'))
    },
  )
}

/** Of the mailbox that is read: without one, its error says what to do. */
async function enterPassword(client: Client): Promise<void> {
  const sources = (await client.get(sourcesPath)).body.data as JsonRecord[]
  assert.deepEqual(
    sources.map(({ last_error }) => last_error),
    sources.map(() => 'The password cannot be decrypted: set it again'),
  )
  const { id } = sources.find(({ user }) => user !== 'bob')!
  assert.equal((await client.patch(`${sourcesPath}/${id}`, { password: 'secret' })).status, 200)
}
