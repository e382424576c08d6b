import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../src/lib/clock.ts'
import { sweep } from '../../../src/threads/sweep.ts'
import { assertError } from '../../support/client.ts'
import { contacts, ended, jobAt, outcomesOf, resultsOf, runBatch, runBatches, submit } from '../../support/imports.ts'
import { start } from '../../support/start.ts'

/** Contacts of which every seventh is invalid. */
function mixed(count: number): unknown[] {
  return contacts(count).map((record, index) => (index % 7 === 6 ? { ...record, first_name: '' } : record))
}

test('The results are one line for each row, in order, more errors than the job shows, each with its reason', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const path = await submit(client, 'contacts', mixed(1000))
  const job = await ended(client, path)

  const response = await client.get(`${path}/results`)

  const results = await resultsOf(client, path)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
  assert.deepEqual(
    results.map(({ row }) => row),
    Array.from({ length: 1000 }, (_, index) => index + 1),
  )
  assert.deepEqual([failed.length, job.failed_records, job.errors.length], [142, 142, 100])
  assert.deepEqual(failed[0], {
    ...{ row: 7, outcome: 'failed', id: null },
    errors: [{ field: 'first_name', error: 'First name is required', code: 'REQUIRED' }],
  })
  const ids = results.flatMap(({ id }) => id ?? [])
  assert.equal(new Set(ids).size, 858)
  assert.equal((await client.get(`/api-v1-contacts/${ids[857]}`)).body.data.last_name, 'Row 1000')
})

test('During a job the results are those of its progress, also if batches are imported in parts', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', mixed(250))
  const [workspaceId] = await sweep(server.store)
  const lengths = new Set<number>()

  do {
    const results = await resultsOf(client, path)
    assert.equal(results.length, (await jobAt(client, path)).processed_records)
    lengths.add(results.length)
  } while ((await runBatch(server.store, workspaceId!, () => true)) === 'imported')

  assert.deepEqual([...lengths], [0, 100, 200, 250])
  const rows = (await resultsOf(client, path)).map(({ row }) => row)
  assert.deepEqual(
    rows,
    [...rows.keys()].map((index) => index + 1),
  )
})

test('The rows of a cancelled job that were not processed have failed for its reason', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', contacts(250))
  const [workspaceId] = await sweep(server.store)
  await runBatch(server.store, workspaceId!, () => true)

  await client.delete(path)

  const outcomes = outcomesOf(await resultsOf(client, path))
  assert.deepEqual(outcomes, [...Array(20).fill('created'), ...Array(230).fill('Cancelled by the caller')])
})

test('Results need the scopes of the job, and show ids to keys that may read the records', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const path = await submit(client, 'contacts', contacts(2))
  await ended(client, path)
  const shownTo = async (scopes: string[]) => {
    const results = await resultsOf(await key({ scopes }), path)
    return results.map(({ outcome, id }) => [outcome, typeof id])
  }

  assert.deepEqual(await shownTo(['read:contacts']), Array(2).fill(['created', 'string']))
  assert.deepEqual(await shownTo(['write:contacts']), Array(2).fill(['created', 'object']))
  const stranger = await key({ scopes: ['read:deals', 'write:organizations'] })
  const required = 'Insufficient permissions. Required scope: read:contacts or write:contacts'
  assertError(await stranger.get(`${path}/results`), 403, 'INSUFFICIENT_PERMISSIONS', required)
  const test = await key({ environment: 'test' })
  assertError(await test.get(`${path}/results`), 404, 'NOT_FOUND', 'Job not found')
  assertError(await client.get(`${path}/results?limit=5`), 400, 'VALIDATION_ERROR', undefined, ['limit'])
  const unknown = '/api-v1-bulk/jobs/01890a5d-ac96-774b-bcce-b302099a8057/results'
  assertError(await client.get(unknown), 404, 'NOT_FOUND', 'Job not found')
})

test('Results are removed with their job, 30 days after its end', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const paths = await Promise.all([1, 2, 3].map(() => submit(client, 'contacts', contacts(1000))))
  for (const path of paths) await ended(client, path)
  const count = () =>
    server.store.workspace(1).value<number>('SELECT count(*) FROM bulk_result WHERE workspace_id = :workspace')
  assert.equal(count(), 30)

  server.clock.advance(30 * dayMs + 1)
  await sweep(server.store)

  assert.equal(count(), 0)
  assertError(await client.get(`${paths[0]}/results`), 404, 'NOT_FOUND', 'Job not found')
})

test('A job that ran before results were stored says so, and keeps its errors', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const path = await submit(client, 'contacts', mixed(150))
  await ended(client, path)
  await server.store.write(1, (tx) => tx.run('DELETE FROM bulk_result WHERE workspace_id = :workspace AND row = 1'))

  assertError(await client.get(`${path}/results`), 404, 'NOT_FOUND', 'This job has no stored results')
  assert.equal((await jobAt(client, path)).errors.length, 21)
})

test('The results of an undo of more than 10,000 records say which were undone and why others were kept', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client, key } = await server.company('Acme')
  for (let job = 0; job < 11; job++) await submit(client, 'contacts', contacts(1000))
  await runBatches(server.store)
  const { body } = await client.get('/api-v1-contacts?limit=1')
  await (await key()).patch(`/api-v1-contacts/${body.data[0].id}`, { job_title: 'Buyer' })

  const undo = await client.post('/api-v1-undo', { key_id: client.keyId, since: '2020-01-01' })
  await runBatches(server.store)

  const results = await resultsOf(client, undo.headers.get('location')!)
  const kept = results.filter(({ outcome }) => outcome === 'failed')
  const undone = results.filter(({ outcome, id }) => outcome === 'updated' && id !== null)
  assert.equal(undone.length, 10_999)
  assert.ok(outcomesOf(kept).includes('The record was changed since it was created: it was kept'))
})
