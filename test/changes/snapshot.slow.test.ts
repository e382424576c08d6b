import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { attempt } from '../store/log-watch.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { newCompany } from '../support/company.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { randomOf } from '../support/random.ts'
import { type Server, start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { readState, withoutLinks, writeAnything } from '../support/world.ts'
import { holdSnapshot, parseSnapshot, readSnapshot } from './snapshot.ts'

/** More than the buffers of a connection take, so that a snapshot that nobody reads does not end. */
const longRecords = 150

async function long(t: TestContext, snapshotMsMax?: number): Promise<{ server: Server; client: Client }> {
  const server = await start(t, { ...(snapshotMsMax !== undefined && { snapshotMsMax }) })
  const client = await server.client()
  const description = 'x'.repeat(99_000)
  await Promise.all(Array.from({ length: longRecords }, () => make(client, 'activity', { description })))
  return { server, client }
}

/** Applies changes to the records of a snapshot. */
function follow(records: JsonRecord[], changes: JsonRecord[]): Map<string, JsonRecord> {
  const state = new Map(records.map(({ data }) => [data.id, withoutLinks(data)!]))
  for (const { type, resource, record_id, data } of changes) {
    if (resource === 'bulk_job' || resource === 'api_key' || resource === 'user') continue
    if (type.endsWith('.deleted') || type.endsWith('.erased')) state.delete(record_id)
    else state.set(record_id, withoutLinks(data)!)
  }
  return state
}

test('A snapshot and the changes after its cursor give the records, while others write', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const random = randomOf(23)
  let writing = true
  const types = '?types=organization,contact,pipeline,deal,stage,task,activity,product,webhook,view,field'
  const write = async () => {
    while (writing) await writeAnything(client, random, await readState(client))
  }
  const writers = [write(), write()]

  const snapshots = []
  for (let taken = 0; taken < 12; taken++) snapshots.push(await readSnapshot(client, types))
  writing = false
  await Promise.all(writers)

  const state = await readState(client)
  const log = await readChanges(client)
  for (const { head, records } of snapshots) {
    const changes = await readChanges(client, head.cursor)
    assert.deepEqual(changes, log.slice(head.seq), 'the cursor is the position of the snapshot')
    assert.deepEqual(follow(records, changes), state)
  }
  assert.ok(snapshots[0]!.head.seq < log.length)
})

test('A snapshot has the records that the key may read, and users and keys only for admin:all', async (t) => {
  const { store, url } = await start(t)
  const company = await newCompany(store, url, 'Acme')
  await make(company.client, 'user')
  const contact = await make(company.client, 'contact', { emails: [{ email: 'ada@example.com' }] })
  const gone = await make(company.client, 'contact')
  await company.client.delete(`/api-v1-contacts/${gone.id}`)
  const contacts = await company.key({ scopes: ['read:contacts'] })
  const reader = await company.key({ scopes: ['read:all'] })
  const tests = await company.key({ environment: 'test' })
  const typesOf = async (client: Client) =>
    [...new Set((await readSnapshot(client)).records.map(({ resource }) => resource))].join()

  const { records } = await readSnapshot(contacts, '?types=contact')
  assert.deepEqual(
    records.map(({ data }) => [data.id, data.contact_emails[0].email]),
    [[contact.id, 'ada@example.com']],
  )
  assert.equal(await typesOf(contacts), 'contact')
  assert.equal(await typesOf(reader), 'contact,pipeline,stage')
  assert.equal(await typesOf(company.client), 'contact,pipeline,stage,user,api_key')
  assert.equal(await typesOf(tests), 'pipeline,stage,api_key')
  for (const type of ['deal', 'user', 'contact,api_key']) {
    assertError(await contacts.get(`/api-v1-snapshot?types=${type}`), 403, 'INSUFFICIENT_PERMISSIONS')
  }
  for (const query of ['types=painting', 'types=', 'type=contact']) {
    assertError(await contacts.get(`/api-v1-snapshot?${query}`), 400, 'VALIDATION_ERROR')
  }
})

test('A company reads one snapshot at a time, and the server two; one that is dropped makes place', async (t) => {
  const { server, client } = await long(t)
  const [second, third] = [await server.client(), await server.client()]
  await Promise.all(
    Array.from({ length: longRecords }, () => make(second, 'activity', { description: 'x'.repeat(99_000) })),
  )
  const held = await holdSnapshot(server.url, client)
  const own = await client.get('/api-v1-snapshot')
  const other = await holdSnapshot(server.url, second)

  const full = await third.get('/api-v1-snapshot')

  for (const response of [own, full]) {
    assertError(response, 503, 'SERVICE_UNAVAILABLE')
    assert.ok(Number(response.headers.get('retry-after')) > 0)
  }
  held.drop()
  await until('a place is free', async () => (await third.get('/api-v1-snapshot')).status, {
    is: (status) => status !== 503,
  })
  assert.equal(parseSnapshot(await other.rest()).records.length > longRecords, true)
})

test('A HEAD request takes no place', async (t) => {
  const server = await start(t)
  const client = await server.client()

  for (let round = 0; round < 3; round++) {
    assert.equal((await client.request('HEAD', '/api-v1-snapshot')).status, 200)
    assert.equal((await client.get('/api-v1-snapshot')).status, 200)
  }
})

test('A snapshot that takes too long is cut off: its response is incomplete', async (t) => {
  const { server, client } = await long(t, 5_000) // more than the start of the thread takes on a busy machine
  const { rest } = await holdSnapshot(server.url, client)
  await until('the place is free', async () => (await attempt(client.get('/api-v1-snapshot?types=stage')))?.status, {
    is: (status) => status === 200,
  })

  await assert.rejects(rest())
})

test('A snapshot is compressed for a client that accepts it', async (t) => {
  const { url, client: newClient } = await start(t)
  const client = await newClient()
  const response = await fetch(`${url}/api-v1-snapshot`, {
    headers: { Authorization: `Bearer ${client.key}`, 'Accept-Encoding': 'gzip' },
  })

  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
  assert.ok(parseSnapshot(await response.text()).records.length > 0)
})
