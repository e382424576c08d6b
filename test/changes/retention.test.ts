import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verifyLog } from '../../src/changes/verify.ts'
import { readConfig } from '../../src/config.ts'
import { loggedResources } from '../../src/features/index.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { pruneLogs } from '../../src/threads/sweep.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, type Client } from '../support/client.ts'
import { contacts, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'

const keepMs = 7 * dayMs

async function prepare(t: TestContext): Promise<{ server: Server; client: Client }> {
  const server = await start(t)
  return { server, client: (await server.company('Acme')).client }
}

const numbersOf = async (client: Client) => (await readChanges(client)).map(({ seq }) => seq)

test('Changes older than the setting are removed, in the order of their numbers, and no newer ones', async (t) => {
  const { server, client } = await prepare(t)
  await make(client, 'contact')
  const old = (await readChanges(client)).length
  server.clock.advance(dayMs)
  await make(client, 'contact')

  server.clock.advance(keepMs - dayMs)
  await pruneLogs(server.store, keepMs)
  assert.equal((await numbersOf(client))[0], 1, 'a change that is exactly that old is kept')
  server.clock.advance(1)
  await pruneLogs(server.store, keepMs)

  assert.deepEqual(await numbersOf(client), [old + 1])
  const { body } = await client.get('/api-v1-changes')
  assert.deepEqual([body.oldest_seq, body.latest_seq], [old + 1, old + 1])
})

test('The newest change is always kept, and numbers continue after it', async (t) => {
  const { server, client } = await prepare(t)
  await importAll(client, 'contacts', contacts(700))
  const newest = (await numbersOf(client)).at(-1)!
  assert.ok(newest > 700)

  server.clock.advance(keepMs + 1)
  await pruneLogs(server.store, keepMs)
  assert.deepEqual(await numbersOf(client), [newest])
  await pruneLogs(server.store, keepMs)
  await make(client, 'task')

  assert.deepEqual(await numbersOf(client), [newest, newest + 1])
})

test('A cursor from before the oldest change is 410, and names the snapshot; the one right before it works', async (t) => {
  const { server, client } = await prepare(t)
  const { body: first } = await client.get('/api-v1-changes?limit=1')
  await make(client, 'contact')
  const { body: last } = await client.get('/api-v1-changes?after=now')
  server.clock.advance(keepMs + 1)
  await make(client, 'contact')
  await pruneLogs(server.store, keepMs)

  const response = await client.get(`/api-v1-changes?after=${first.cursor}`)
  const next = await client.get(`/api-v1-changes?after=${last.cursor}`)

  assertError(response, 410, 'NOT_FOUND', undefined, ['after'])
  assert.equal(response.body.error.details[0].code, 'OUT_OF_RANGE')
  assert.equal(response.headers.get('link'), '</api-v1-snapshot>; rel="snapshot"')
  assert.equal(next.body.data.length, 1)
})

test('A record whose creation is no longer in the log keeps working', async (t) => {
  const { server, client } = await prepare(t)
  const { id } = await make(client, 'contact', { first_name: 'Ada' })
  const gone = await make(client, 'contact', { first_name: 'Otto' })
  await client.patch(`/api-v1-contacts/${id}`, { first_name: 'Grace' })
  await client.delete(`/api-v1-contacts/${gone.id}`)
  server.clock.advance(keepMs + 1)
  await make(client, 'task')
  await pruneLogs(server.store, keepMs)

  assert.equal((await client.get(`/api-v1-contacts/${id}`)).body.data.first_name, 'Grace')
  assert.deepEqual((await client.get(`/api-v1-contacts/${id}/history`)).body.data, [])
  const { body } = await client.patch(`/api-v1-contacts/${id}`, { first_name: 'Lovelace' })
  assert.equal(body.data.first_name, 'Lovelace')
  const [change] = (await client.get(`/api-v1-contacts/${id}/history`)).body.data
  assert.deepEqual([change.previous, change.data.first_name], [{ first_name: 'Grace' }, 'Lovelace'])
  const earlier = await client.get(`/api-v1-contacts/${id}?as_of=${change.seq - 1}`)
  assert.equal(earlier.body.data.first_name, 'Grace')
  assert.equal((await client.get('/api-v1-trash')).body.data[0].id, gone.id)
  assert.equal((await client.post(`/api-v1-trash/${gone.id}/restore`, {})).status, 200)
  assert.equal((await client.delete(`/api-v1-contacts/${id}`)).status, 200)
  assert.equal((await client.delete(`/api-v1-trash/${id}`)).status, 200)
  const workspaceId = server.store.access.value<number>('SELECT min(id) FROM workspace')!
  assert.deepEqual([...verifyLog(loggedResources, server.store.workspace(workspaceId))], [])
})

test('Changes are kept forever by default, and for at least seven days', () => {
  const keptMs = (text?: string) => readConfig(['changesKeepMs'], { changesKeep: text }, {}).changesKeepMs

  assert.deepEqual([keptMs(), keptMs('forever'), keptMs('168h'), keptMs('7d')], [undefined, undefined, keepMs, keepMs])
  for (const text of ['6d', '167h', '0', 'never', '7'])
    assert.throws(() => keptMs(text), {
      message: `--changes-keep must be forever, or at least 7d: 7d, 168h or 365d; it is "${text}"`,
    })
})

test('A record as of a moment that is no longer in the log is 410', async (t) => {
  const { server, client } = await prepare(t)
  const { id } = await make(client, 'contact')
  const before = (await client.get('/api-v1-changes?after=now')).body.latest_seq
  await make(client, 'contact')
  server.clock.advance(keepMs + 1)
  await make(client, 'contact')
  await pruneLogs(server.store, keepMs)

  const response = await client.get(`/api-v1-contacts/${id}?as_of=${before - 1}`)

  assertError(response, 410, 'NOT_FOUND', undefined, ['as_of'])
})

test('If the old changes of a workspace cannot be removed, those of the others still are', async (t) => {
  const { server, client } = await prepare(t)
  const { client: other } = await server.company('Other')
  for (const each of [client, other]) await make(each, 'contact')
  const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const broken = `CREATE TRIGGER broken BEFORE DELETE ON change WHEN old.workspace_id = ${server.store.access.value(ofKey, client.keyId)}
    BEGIN SELECT raise(ABORT, 'broken'); END`
  await server.store.writeAccess((tx) => tx.run(broken))

  server.clock.advance(keepMs + 1)
  await pruneLogs(server.store, keepMs)

  assert.deepEqual([(await numbersOf(client)).length > 1, (await numbersOf(other)).length], [true, 1])
})
