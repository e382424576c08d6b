import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { at, keyAt, startNode } from '../cluster/cluster.ts'
import { startFakeEtcd } from '../cluster/fake-etcd.ts'
import { Receiver } from '../features/webhooks/receiver.ts'
import { addWebhook, untilDelivered } from '../features/webhooks/webhooks.ts'
import { agentFor } from '../mcp/agent.ts'
import { type Client, clientFor } from '../support/client.ts'
import { newCompany } from '../support/company.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { ended, submit } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { samplesIn } from '../support/metrics.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch } from '../support/program.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { findInFiles, untilErased } from './bytes.ts'
import { holdSnapshot } from './snapshot.ts'

const contacts = '/api-v1-contacts'
const trash = '/api-v1-trash'

/** Words that nothing else contains. The search index has pieces of the Georgian ones that nothing else has, either. */
const words = {
  'the imported name': 'ჟღრწყპ',
  'the name': 'ძხჭჰშზ',
  'the last name': 'Vrxqzülwjk',
  'the title': 'Qxwvzbjfpk',
  'the imported email': 'zqjxwv@fkqpv.example',
  'the email': 'wqzvkx@pjqfz.example',
  'the phone': '+49 7359 1846 2937 5',
  'the metadata': 'Kzwqjvxprq',
  'the declared field': 'შზძჭხჰწჟ',
  'the name of the merged contact': 'ღჟწპყძ',
  'the metadata of the merged contact': 'Hxqzvjwkpb',
  'the proposed title': 'Pjzqxvkwbf',
}

/** Those of the words that a test stores. */
function only(...names: (keyof typeof words)[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, words[name]]))
}

test('Nothing of an erased person is left in the files of the database within a minute, wherever it has been stored', {
  timeout: 300_000,
}, async (t) => {
  const server = await start(t, { work: 'thread', webhooks: 'here' })
  const { client, key } = await newCompany(server.store, server.url, 'Acme')
  const receiver = await Receiver.open(t)
  receiver.respond = (response) => response.writeHead(200).end(receiver.received.at(-1)!.body)
  const webhook = await addWebhook(client, receiver.url, { events: ['contact.updated'] })
  const { id } = await storeEverywhere(server, client)
  await untilDelivered(client, webhook, 1)
  const { keyId, key: secret } = await key()
  await client.patch(`/api-v1-keys/${keyId}`, { mcp_mode: 'propose' })
  const agent = agentFor({ url: server.url, key: secret })
  await agent.use('save_record', { type: 'contact', id, values: { job_title: words['the proposed title'] } })
  const merged = await mergedInto(client, id)
  const stored = findInFiles(server.path, words)
  for (const [name, word] of Object.entries(words)) {
    assert.ok(
      stored.some((found) => found.startsWith(`${name} `)),
      `${name} (${word}) was never stored`,
    )
  }

  for (const each of [id, merged]) await erase(client, each)

  await untilErased(server.path, words)
})

test('Beside a snapshot and an export that are not read to their ends, nothing is left a minute after an erasure', {
  timeout: 300_000,
}, async (t) => {
  const server = await start(t, { work: 'thread' })
  const client = await server.client()
  const other = await server.client()
  const description = 'x'.repeat(99_000)
  for (const each of [client, other]) {
    await Promise.all(Array.from({ length: 150 }, () => make(each, 'activity', { description })))
  }
  const { id } = await make(client, 'contact', { first_name: words['the name'] })
  const snapshot = await holdSnapshot(server.url, client)
  const unread = await fetch(`${server.url}/api-v1-activities`, {
    headers: { Authorization: `Bearer ${other.key}`, Accept: 'text/csv' },
  })
  t.after(() => snapshot.drop())
  t.after(() => unread.body?.cancel().catch(() => {}))

  await erase(client, id)

  assert.equal(snapshot.response.statusCode, 200)
  assert.equal(unread.status, 200)
  assert.notDeepEqual(findInFiles(server.path, only('the name')), [])
  await untilErased(server.path, only('the name'))
})

test('An erasure before a kill is finished by the next start, and metrics say that none waits', async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const stored = only('the name', 'the metadata')
  const args = ['serve', '--data', data, '--port', '0', '--metrics', '127.0.0.1:0']
  const first = await launch(t, bundle, args)
  const client = await firstClient(data, first.first.url!)
  const { id } = await make(client, 'contact', {
    first_name: words['the name'],
    metadata: { note: words['the metadata'] },
  })

  await erase(client, id)
  await first.stop('SIGKILL')
  const path = join(data, 'kontor.db')
  const left = findInFiles(path, stored)
  const second = await launch(t, bundle, args)
  await untilErased(path, stored)

  assert.notDeepEqual(left, [])
  const waiting = async () =>
    samplesIn(await (await fetch(second.first.metrics!)).text()).get('kontor_erasures_waiting')
  await until('no erasure waits', () => waiting(), { is: (seen) => seen === 0 })
  assert.equal((await clientFor(second.first.url!, { id: client.keyId, key: client.key }).get(contacts)).status, 200)
})

test('A snapshot that is read too slowly is ended before an erasure has waited for a minute; metrics say how long it waits', {
  timeout: 300_000,
}, async (t) => {
  const data = join(temporaryDirectory(t), 'data')
  const args = ['--metrics', '127.0.0.1:0', '--rate-limits', 'off', '--stall-timeout', '5m']
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', ...args])
  const client = await firstClient(data, first.url!)
  const description = 'x'.repeat(99_000)
  await Promise.all(Array.from({ length: 150 }, () => make(client, 'activity', { description })))
  const { id } = await make(client, 'contact', { first_name: words['the name'] })
  const snapshot = await holdSnapshot(first.url!, client)
  t.after(() => snapshot.drop())
  const samples = async () => samplesIn(await (await fetch(first.metrics!)).text())

  await erase(client, id)
  await until('an erasure waits for two seconds', async () => {
    const measured = await samples()
    return measured.get('kontor_erasures_waiting') === 1 && measured.get('kontor_erasure_age_seconds')! >= 2
  })
  assert.notDeepEqual(findInFiles(join(data, 'kontor.db'), only('the name')), [])

  await untilErased(join(data, 'kontor.db'), only('the name'))
  await assert.rejects(snapshot.rest())
  await until('no erasure waits', async () => (await samples()).get('kontor_erasures_waiting'), {
    is: (seen) => seen === 0,
  })
})

test('With a log, nothing is left in the files of the leader and of a follower', { timeout: 300_000 }, async (t) => {
  const stored = only('the name', 'the title', 'the imported name')
  const etcd = await startFakeEtcd(t)
  const leader = await startNode(t, etcd.url)
  const client = await keyAt(leader)
  const follower = await startNode(t, etcd.url)
  const { id } = await make(client, 'contact', { first_name: words['the name'], job_title: words['the title'] })
  await client.patch(`${contacts}/${id}`, { first_name: words['the imported name'] })
  await until('the follower has it', async () => (await at(follower, client).get(`${contacts}/${id}`)).status, {
    is: (status) => status === 200,
  })
  const paths = [leader, follower].map(({ directory }) => join(directory, 'kontor.db'))
  for (const path of paths) assert.notDeepEqual(findInFiles(path, stored), [])

  await erase(client, id)

  for (const path of paths) await untilErased(path, stored)
  const { id: next } = await make(client, 'contact')
  await until('the follower follows', async () => (await at(follower, client).get(`${contacts}/${next}`)).status, {
    is: (status) => status === 200,
  })
})

/** Imports a person among so many others that all are indexed, updates it by another import, and by a request. */
async function storeEverywhere({ store }: Server, client: Client): Promise<JsonRecord> {
  await make(client, 'field', { resource: 'contact', key: 'badge', type: 'text' })
  const others = Array.from({ length: 1_500 }, (_, number) => ({
    first_name: `Ada ${number}`,
    emails: [{ email: `ada${number}@navy.example` }],
  }))
  const person = {
    first_name: words['the imported name'],
    emails: [{ email: words['the imported email'] }],
    phones: [{ phone_number: words['the phone'] }],
    metadata: { note: words['the metadata'], badge: words['the declared field'] },
  }
  await import_(client, [...others.slice(0, 700), person])
  await import_(client, others.slice(700))
  const { body } = await client.get(`${contacts}?email=${words['the imported email']}`)
  const [{ id }] = body.data
  const workspace = store.access.value<number>('SELECT workspace_id FROM contact WHERE id = ?', id)!
  const indexed = () =>
    store.workspace(workspace).value<number>('SELECT count(*) FROM search_content WHERE c1 = ?', id)!
  await until('the index has the person', () => indexed(), { is: (seen) => seen === 1 })
  const again = others.slice(0, 300).map((other) => ({ ...other, last_name: 'Lovelace' }))
  const renamed = { emails: [{ email: words['the imported email'] }], first_name: words['the name'] }
  await import_(client, [renamed, ...again], { match_on: 'email', mode: 'merge' })
  await until('the index has the new name of the person', () => indexed(), { is: (seen) => seen === 2 })
  const given = { last_name: words['the last name'], job_title: words['the title'] }
  const changed = await client.patch(`${contacts}/${id}`, given, { 'Idempotency-Key': 'once' })
  assert.equal(changed.status, 200)
  const added = await client.post(`${contacts}/${id}/emails`, { email: words['the email'] })
  assert.equal(added.status, 201, JSON.stringify(added.body))
  return { id }
}

async function import_(client: Client, records: object[], envelope = {}): Promise<void> {
  const job = await ended(client, await submit(client, 'contacts', records, envelope))
  assert.equal(job.failed_records, 0, JSON.stringify(job.errors))
}

/** Creates a contact with an idempotent request, and merges it. Returns its id. */
async function mergedInto(client: Client, id: string): Promise<string> {
  const contact = {
    first_name: words['the name of the merged contact'],
    metadata: { note: words['the metadata of the merged contact'] },
  }
  const { body } = await client.post(contacts, contact, { 'Idempotency-Key': 'another' })
  const merged = await client.post(`${contacts}/${id}/merge`, { with: [body.data.id] })
  assert.equal(merged.status, 200, JSON.stringify(merged.body))
  return body.data.id
}

/** Deletes a contact, unless it is in the trash already, and erases it. */
async function erase(client: Client, id: string): Promise<void> {
  await client.delete(`${contacts}/${id}`)
  const { status, body } = await client.delete(`${trash}/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
}
