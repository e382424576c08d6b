import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { test } from 'node:test'
import { CatchUp } from '../../../src/changes/readers/keep-up.ts'
import { verifyLog } from '../../../src/changes/verify.ts'
import { loggedResources } from '../../../src/features/index.ts'
import { joinThreads } from '../../../src/features/mail/threads.ts'
import { atEnd } from '../../support/at-end.ts'
import { changesOf } from '../../support/changes.ts'
import { type Client, clientFor } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import type { Server, StartOptions } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { deliverMail, newAddress, rawMail, startWithMail } from './mails.ts'

const referred = (names: string) => names.replace(/\S+/g, '<$&@navy.example>')
const faultsIn = ({ store }: Server) =>
  store.access
    .values<number>('SELECT id FROM workspace')
    .flatMap((id) => [...verifyLog(loggedResources, store.workspace(id))])
const referencesIn = ({ store }: Server) => store.access.value('SELECT count(*) FROM mail_reference')

async function open(t: Parameters<typeof startWithMail>[0], options: StartOptions = {}) {
  const server = await startWithMail(t, options)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)
  return { server, client, address, deliver: delivererFor(client, address) }
}

function delivererFor(client: Client, address: string) {
  return async (name: string, answered: string | null = null) => {
    const headers = { 'Message-ID': `<${name}@navy.example>`, 'In-Reply-To': answered && referred(answered) }
    const { body } = await deliverMail(client, address, rawMail({ ...headers, Subject: name }))
    return body.data
  }
}

async function erase(client: Client, path: string, id: string): Promise<void> {
  await client.delete(`${path}/${id}`)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
}

test('What leads to a thread is kept while a message of it is shown or in the trash, and then forgotten', async (t) => {
  const { server, client, deliver } = await open(t)
  const first = await deliver('first')
  const reply = await deliver('reply', 'first')
  const other = await deliver('other', 'unknown')
  assert.equal(referencesIn(server), 4)

  await erase(client, '/api-v1-messages', first.id)
  assert.equal(referencesIn(server), 4)
  await client.delete(`/api-v1-messages/${reply.id}`)
  await erase(client, '/api-v1-messages', other.id)
  assert.equal(referencesIn(server), 2, 'the other thread is forgotten')
  await client.post(`/api-v1-trash/${reply.id}/restore`, {})
  const late = await deliver('late', 'first')
  assert.equal(late.thread_id, reply.thread_id)

  for (const { id } of [reply, late]) await erase(client, '/api-v1-messages', id)
  assert.equal(referencesIn(server), 0)
})

test('Erasing a contact forgets the threads that are erased with it', async (t) => {
  const { server, client, deliver } = await open(t)
  const { id } = await make(client, 'contact', { first_name: 'Grace', emails: [{ email: 'grace@navy.example' }] })
  const sender = { From: 'grace@navy.example', To: 'sales@in.kontor.example' }
  const { address } = await newAddress(client)
  await deliverMail(client, address, rawMail({ ...sender, References: '<a@navy.example> <b@navy.example>' }))
  await deliver('with somebody else')
  const before = Number(referencesIn(server))

  await erase(client, '/api-v1-contacts', id)

  assert.equal(referencesIn(server), before - 3)
})

/** More than a transaction moves. */
const long = 120

let moving: ReturnType<typeof makeMoving> | undefined

/** A server whose readers of the log do not run, with a long thread that has met an older one. */
async function openMoving(t: Parameters<typeof startWithMail>[0]) {
  moving ??= makeMoving()
  const { directory: made, clock, key, address, ...known } = await moving
  const directory = temporaryDirectory(t)
  cpSync(made, directory, { recursive: true })
  const server = await startWithMail(t, { directory, clock, work: 'nowhere' })
  const client = clientFor(server.url, key)
  return { server, client, deliver: delivererFor(client, address), ...known }
}

/** Makes its data directory, once for all tests: that takes 120 deliveries. */
async function makeMoving() {
  const { server, client, address, deliver } = await open({ after: atEnd }, { work: 'nowhere' })
  const oldest = await deliver('oldest')
  const older = await deliver('older')
  const deal = await make(client, 'deal')
  const { id } = await deliver('long')
  await client.patch(`/api-v1-messages/${id}`, { deal_id: deal.id })
  for (let number = 1; number < long - 1; number++) await deliver(`long${number}`, 'long')
  server.clock.advance(1_000)
  const newest = await deliver('newest', 'long')
  const meeting = await deliver('meeting', 'older long')
  await server.stop()
  const { directory, clock } = server
  return { directory, clock, key: { id: client.keyId, key: client.key }, address, oldest, older, deal, newest, meeting }
}

async function threadsOf({ get }: Client): Promise<string[]> {
  const pages = [1, 2].map(async (page) => (await get(`/api-v1-messages?limit=100&page=${page}`)).body.data)
  return [...new Set((await Promise.all(pages)).flat().map(({ thread_id }: JsonRecord) => thread_id))]
}

test('A long thread that meets an older one moves step by step, also after a restart, and what arrives meanwhile is in the older one', async (t) => {
  const { server, client, deliver, oldest, older, deal, meeting } = await openMoving(t)
  assert.deepEqual([meeting.thread_id, meeting.deal_id], [older.thread_id, deal.id])
  assert.equal((await deliver('late', 'long7')).thread_id, older.thread_id)
  assert.equal((await threadsOf(client)).length, 3)
  const again = await deliver('again', 'oldest long9')
  assert.equal(again.thread_id, oldest.thread_id)
  await server.stop()

  const next = await startWithMail(t, { directory: server.directory })
  const { key, keyId } = client
  const there = clientFor(next.url, { id: keyId, key })
  await until('all messages are in the oldest thread', () => threadsOf(there), { is: (found) => found.length === 1 })

  assert.deepEqual(await threadsOf(there), [oldest.thread_id])
  assert.equal(referencesIn(next), long + 5, 'as many as there are messages')
})

test('What leads to a thread that moves is kept when the thread into which it moves has been erased', async (t) => {
  const { client, deliver, older, meeting } = await openMoving(t)

  for (const { id } of [older, meeting]) await erase(client, '/api-v1-messages', id)

  assert.equal((await deliver('late', 'long7')).thread_id, older.thread_id)
})

test('What arrives while a thread moves has the deal of its newest message that has one, wherever that is', async (t) => {
  const { client, deliver, newest, meeting } = await openMoving(t)
  const deal = await make(client, 'deal')
  await client.patch(`/api-v1-messages/${meeting.id}`, { deal_id: null })
  await client.patch(`/api-v1-messages/${newest.id}`, { deal_id: deal.id })

  assert.equal((await deliver('late', 'newest')).deal_id, deal.id)
})

test('The undo of a delivery that brought threads together leaves them together', async (t) => {
  const { server, client, oldest, older, meeting } = await openMoving(t)
  await new CatchUp(server.store, [joinThreads]).run(new AbortController().signal)
  const [{ request_id } = {}] = await changesOf(client, meeting.id)

  assert.equal((await client.post('/api-v1-undo', { request_id })).status, 200)

  assert.equal((await client.get(`/api-v1-messages/${meeting.id}`)).status, 404)
  assert.deepEqual((await threadsOf(client)).sort(), [oldest.thread_id, older.thread_id].sort())
})

/** A reply in the trash, whose thread has met an older one. */
async function openLeftBehind(t: Parameters<typeof startWithMail>[0]) {
  const opened = await open(t)
  const { client, deliver } = opened
  const older = await deliver('older')
  const newer = await deliver('newer')
  const reply = await deliver('reply', 'newer')
  await client.delete(`/api-v1-messages/${reply.id}`)
  const meeting = await deliver('meeting', 'older newer')
  assert.notEqual(newer.thread_id, older.thread_id)
  const restore = async (): Promise<JsonRecord> =>
    (await client.post(`/api-v1-trash/${reply.id}/restore`, {})).body.data
  return { ...opened, older, newer, reply, meeting, restore }
}

test('A message that is restored is in the thread into which its own has moved meanwhile, and so is an answer to it', async (t) => {
  const { server, client, deliver, older, reply, restore } = await openLeftBehind(t)

  const restored = await restore()

  assert.equal(restored.thread_id, older.thread_id)
  assert.equal((await deliver('answer', 'reply')).thread_id, older.thread_id)
  const newest = (await changesOf(client, reply.id)).at(-1)!
  assert.deepEqual([newest.type, newest.changed], ['message.restored', ['thread_id']])
  assert.deepEqual(faultsIn(server), [])
})

test('An undo of the restore deletes a message again whose thread has moved', async (t) => {
  const { server, client, reply, restore } = await openLeftBehind(t)
  await restore()
  const { request_id } = (await changesOf(client, reply.id)).at(-1)!

  const { body } = await client.post('/api-v1-undo', { request_id })

  assert.equal(body.data.reversed.length, 1, JSON.stringify(body))
  assert.equal((await client.get(`/api-v1-messages/${reply.id}`)).status, 404)
  assert.deepEqual(faultsIn(server), [])
})

test('An answer finds a message that is restored after all others of its thread were erased', async (t) => {
  const { server, client, deliver, older, newer, meeting, restore } = await openLeftBehind(t)
  for (const { id } of [older, newer, meeting]) await erase(client, '/api-v1-messages', id)

  const restored = await restore()

  const answer = await deliver('answer', 'reply')
  assert.equal(answer.thread_id, restored.thread_id)
  for (const { id } of [restored, answer]) await erase(client, '/api-v1-messages', id)
  assert.equal(referencesIn(server), 0)
})
