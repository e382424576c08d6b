import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineItem } from '../../src/crm/line-item.ts'
import { uploaded } from '../features/files/files.ts'
import { type Meter, meter } from '../http/heavy/meter.ts'
import { readChanges } from '../support/changes.ts'
import { assertError, clientFor } from '../support/client.ts'
import { ended, jobAt, resultsOf, runBatches, submit } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner } from '../support/visitor.ts'
import { createUnder, people } from './under-request.ts'

const undoPath = '/api-v1-undo'
/** More than the event loop undoes, and more than one transaction undoes. */
const [some, many] = [60, 2_100]

test('An undo of many changes is planned and applied beside the event loop, in slices with one request id', async (t) => {
  let measured: Meter | undefined
  const server = await start(t, {
    work: 'nowhere', // without the readers of the log, which are on a thread of their own elsewhere
    prepare(db) {
      measured = meter(db)
    },
  })
  const client = await server.client()
  const ids = await createUnder(server.store, client, 'nightly', people(many))
  measured!.reset()

  const dry = await client.post(undoPath, { request_id: 'nightly', dry_run: true })
  const { status, headers, body } = await client.post(undoPath, { request_id: 'nightly' })

  const { statements, rows } = measured!.most
  assert.ok(statements < 100 && rows < 200, `${statements} statements and ${rows} rows on the event loop`)
  assert.equal(status, 200)
  assert.deepEqual(body, dry.body)
  assert.deepEqual(body.data.reversed.map(({ record_id }: { record_id: string }) => record_id).sort(), ids.toSorted())
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 0)
  const made = (await readChanges(client)).slice(-many)
  assert.ok(
    made.every(({ type, request_id }) => type === 'contact.deleted' && request_id === headers.get('x-request-id')),
  )

  const back = await client.post(undoPath, { request_id: headers.get('x-request-id') })

  assert.equal(back.body.data.reversed.length, many)
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, many)
})

test('A record that is in the way of a slice is an error of its own, and the others are undone', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const stage = await make(client, 'stage', { name: 'Demo' })
  const { headers } = await client.patch(
    `/api-v1-stages/${stage.id}`,
    { name: 'Demo booked' },
    { 'X-Request-Id': 'nightly' },
  )
  assert.equal(headers.get('x-request-id'), 'nightly')
  await createUnder(server.store, client, 'nightly', people(many))
  await make(client, 'stage', { name: 'Demo' })

  const dry = await client.post(undoPath, { request_id: 'nightly', dry_run: true })
  const { body } = await client.post(undoPath, { request_id: 'nightly' })

  assert.deepEqual([body.data.reversed.length, body.data.errored.length], [many, 1])
  assert.match(body.data.errored[0].message, /Stage with this name already exists/)
  assert.deepEqual(dry.body.data.errored, body.data.errored)
})

test('A repeated long undo gets the first response, byte for byte', async (t) => {
  const server = await start(t)
  const client = await server.client()
  await createUnder(server.store, client, 'nightly', people(some))
  const ask = () => client.post(undoPath, { request_id: 'nightly' }, { 'Idempotency-Key': 'undo-it-once' })

  const [first, again] = [await ask(), await ask()]

  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  assert.equal(first.body.data.reversed.length, some)
})

test('A key without the write scope cannot undo many changes either, nor can one that is revoked', async (t) => {
  const server = await start(t)
  const client = await server.client()
  await createUnder(server.store, client, 'nightly', people(some))
  const made = await client.post('/api-v1-keys', { name: 'Reader', scopes: ['read:all', 'write:deals'] })
  const authorization = { Authorization: `Bearer ${made.body.data.key}` }

  assertError(await client.post(undoPath, { request_id: 'nightly' }, authorization), 403, 'INSUFFICIENT_PERMISSIONS')
  await client.post(`/api-v1-keys/${made.body.data.id}/revoke`, {})
  assertError(await client.post(undoPath, { request_id: 'nightly' }, authorization), 401, 'API_KEY_REVOKED')
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, some)
})

test('A signed-in user is the author of a long undo', async (t) => {
  const server = await start(t)
  const client = await server.client()
  await createUnder(server.store, client, 'nightly', people(some))
  const user = await newColleague(server, 'owner')

  const { body } = await user.post(undoPath, { request_id: 'nightly' })

  assert.equal(body.data.reversed.length, some)
  const newest = (await readChanges(client)).at(-1)!
  assert.deepEqual([newest.actor.type, newest.actor.id], ['user', user.id])
})

test('Streams and waiting requests learn of a long undo', async (t) => {
  const server = await start(t)
  const client = await server.client()
  await createUnder(server.store, client, 'nightly', people(some))
  const waiting = client.get('/api-v1-changes?after=now&wait=30')

  await client.post(undoPath, { request_id: 'nightly' })

  assert.equal((await waiting).body.data[0].type, 'contact.deleted')
})

test('The results of an undo that takes a job are the items of its report, which a dry run shows before', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const ids = await createUnder(server.store, client, 'nightly', people(10_001))
  await client.patch(`/api-v1-contacts/${ids[0]}`, { job_title: 'CEO' })

  const dry = await client.post(undoPath, { request_id: 'nightly', dry_run: true })
  const { status, body } = await client.post(undoPath, { request_id: 'nightly' })
  const path = `/api-v1-bulk/jobs/${body.data.job_id}`
  await ended(client, path)
  const lines = (await client.get(`${path}/results`)).body.trimEnd().split('\n')

  assert.equal(status, 202)
  assert.equal(lines.length, 10_001)
  const items = lines.map((line: string) => JSON.parse(line))
  const kept = items.find(({ record_id }: { record_id: string }) => record_id === ids[0])
  assert.deepEqual(
    [kept.outcome, kept.resource, kept.seq.length, kept.fields, kept.message],
    ['failed', 'contact', 1, [], 'The record was changed since it was created'],
  )
  assert.equal(items.filter(({ outcome }: { outcome: string }) => outcome === 'updated').length, 10_000)
  const { reversed, kept: keptBy } = dry.body.data
  assert.deepEqual([reversed.length, keptBy[0].record_id, keptBy[0].message], [10_000, ids[0], kept.message])
})

test('An undo that takes a job undoes nothing more when its author has lost the right to', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const client = await server.client()
  await createUnder(server.store, client, 'nightly', people(10_001))
  const made = await client.post('/api-v1-keys', { name: 'Undo', scopes: ['read:all', 'write:all'] })
  const authorization = { Authorization: `Bearer ${made.body.data.key}` }

  const { status, body } = await client.post(undoPath, { request_id: 'nightly' }, authorization)
  await client.post(`/api-v1-keys/${made.body.data.id}/revoke`, {})
  await runBatches(server.store)

  assert.equal(status, 202)
  const path = `/api-v1-bulk/jobs/${body.data.job_id}`
  const { status: state, failed_records: failed } = await jobAt(client, path)
  assert.deepEqual([state, failed], ['completed', 10_001])
  const [result] = await resultsOf(client, path)
  assert.deepEqual([result!.outcome, result!.code], ['failed', 'INSUFFICIENT_PERMISSIONS'])
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 10_001)
})

test('An undo that takes a job leaves the stages as they are when its author has become a member', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  const body = { name: 'Mine', scopes: ['read:all', 'write:all'], user_id: admin.id }
  const client = clientFor(server.url, (await owner.post('/api-v1-keys', body)).body.data)
  const stage = (await client.post('/api-v1-stages', { name: 'Demo' }, { 'X-Request-Id': 'nightly' })).body.data
  await createUnder(server.store, client, 'nightly', people(10_001))

  const { status, body: undo } = await client.post(undoPath, { request_id: 'nightly' })
  await owner.patch(`/console/users/${admin.id}`, { role: 'member' })
  await runBatches(server.store)

  assert.equal(status, 202)
  const results = await resultsOf(client, `/api-v1-bulk/jobs/${undo.data.job_id}`)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  assert.deepEqual(
    failed.map(({ record_id, message }) => [record_id, message]),
    [[stage.id, 'Only owners and admins may change stages, not members']],
  )
  assert.equal((await owner.get(`/api-v1-stages/${stage.id}`)).status, 200)
})

test('A job takes a merge back with the files that it moved', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const [kept, merged] = [await make(client, 'organization'), await make(client, 'organization')]
  const file = await uploaded(client, 'bytes', { organization_id: merged.id })
  const ownerOf = async () => (await client.get(`/api-v1-files/${file.id}`)).body.data.organization_id
  const nightly = { 'X-Request-Id': 'nightly' }
  await client.post(`/api-v1-organizations/${kept.id}/merge`, { with: [merged.id] }, nightly)
  assert.equal(await ownerOf(), kept.id)
  await createUnder(server.store, client, 'nightly', people(10_001))

  const { status, body } = await client.post(undoPath, { request_id: 'nightly' })
  await ended(client, `/api-v1-bulk/jobs/${body.data.job_id}`)

  assert.equal(status, 202)
  assert.equal(await ownerOf(), merged.id)
})

test('A job that changed nothing selects nothing to undo', async (t) => {
  const client = await (await start(t)).client()
  const job = await submit(client, 'contacts', [{ last_name: 'Without a first name' }])
  await ended(client, job)

  assertError(await client.post(undoPath, { bulk_job_id: job.split('/').at(-1) }), 404, 'NOT_FOUND')
})

test('A dry run finds room for the line items of each deal that returns', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const visit = { 'X-Request-Id': 'visit' }
  for (const title of ['Hampers', 'Baskets']) {
    const { id } = await make(client, 'deal', { title })
    const items = Array.from({ length: 150 }, (_, position) => ({ deal_id: id, name: 'Tea', position }))
    await createUnder(server.store, client, 'filling', items, lineItem)
    await client.delete(`/api-v1-deals/${id}`, visit)
  }

  const dry = await client.post(undoPath, { request_id: 'visit', dry_run: true })
  const { body } = await client.post(undoPath, { request_id: 'visit' })

  assert.deepEqual(dry.body.data.errored, [])
  assert.deepEqual(body.data.errored, [])
  assert.equal(dry.body.data.reversed.length, body.data.reversed.length)
  assert.equal((await client.get('/api-v1-line-items')).body.pagination.total, 300)
})
