import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pruneLogs, sweep } from '../../src/threads/sweep.ts'
import { readChanges } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import { contacts, importAll, runBatch, submit } from '../support/imports.ts'
import type { JsonRecord } from '../support/make.ts'
import { start } from '../support/start.ts'
import { readSnapshot } from './snapshot.ts'

const dayMs = 86_400_000

/** The records to which the whole feed leads, as lines of a snapshot. */
async function copyOf(client: Client): Promise<JsonRecord[]> {
  const copy = new Map<string, JsonRecord>()
  for (const { type, resource, record_id, data } of await readChanges(client)) {
    if (type.endsWith('.deleted') || type.endsWith('.erased')) copy.delete(record_id)
    else copy.set(record_id, { resource, data })
  }
  return [...copy.values()].filter(({ resource }) => resource !== 'api_key')
}

async function snapshotOf(client: Client, query = ''): Promise<JsonRecord[]> {
  const { records } = await readSnapshot(client, query)
  return records.filter(({ resource }) => resource !== 'api_key')
}

const byId = (records: JsonRecord[]) => records.toSorted((a, b) => (a.data.id < b.data.id ? -1 : 1))

test('A snapshot equals a copy of the whole feed, with jobs that run, have ended, failed, or were removed', async (t) => {
  const { store, clock, client: newClient } = await start(t, { work: 'nowhere' })
  const client = await newClient()
  const end = async (path: string) => {
    while ((await client.get(path)).body.data.completed_at === null) await runBatch(store, workspaceId)
  }
  const workspaceId = store.access.value<number>("SELECT id FROM workspace WHERE environment = 'live'")!
  await end(await submit(client, 'contacts', contacts(3)))
  await end(await submit(client, 'deals', [{ title: '' }]))
  await client.delete(await submit(client, 'tasks', [{ title: 'Cancelled' }]))
  clock.advance(31 * dayMs)
  await sweep(store)
  await end(await submit(client, 'organizations', [{ name: 'Acme' }, { name: '' }]))
  await client.delete(await submit(client, 'tasks', [{ title: 'Cancelled' }]))
  await submit(client, 'contacts', contacts(250))
  await runBatch(store, workspaceId)
  await submit(client, 'activities', [{ type: 'note' }])

  const records = await snapshotOf(client)

  assert.deepEqual(byId(records), byId(await copyOf(client)))
  assert.deepEqual(
    records.filter(({ resource }) => resource === 'bulk_job').map(({ data }) => data.status),
    ['completed', 'failed', 'queued', 'queued'],
  )
})

test('A snapshot has the jobs whose changes the key may see', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  await importAll(client, 'contacts', contacts(1))
  await importAll(client, 'deals', [{ title: 'Hampers' }])
  const typesOf = async (scope: string, query = '') => {
    const records = await snapshotOf(await key({ scopes: ['read:tasks', scope] }), query)
    return records.filter(({ resource }) => resource === 'bulk_job').map(({ data }) => data.type)
  }

  assert.deepEqual(await typesOf('read:contacts'), ['import_contacts'])
  assert.deepEqual(await typesOf('write:deals', '?types=bulk_job'), ['import_deals'])
  assert.deepEqual(await typesOf('read:all'), ['import_contacts', 'import_deals'])
  assert.deepEqual(await typesOf('read:organizations'), [])
  assert.deepEqual(await typesOf('read:all', '?types=contact'), [])
})

test('A job whose changes have been pruned is in a snapshot as it ended', async (t) => {
  const { store, clock, client: newClient } = await start(t)
  const client = await newClient()
  const job = await importAll(client, 'contacts', contacts(1))
  clock.advance(8 * dayMs)
  await client.post('/api-v1-tasks', { title: 'Call' })
  await pruneLogs(store, 7 * dayMs)

  assert.deepEqual(await snapshotOf(client, '?types=bulk_job'), [{ resource: 'bulk_job', data: job }])
})
