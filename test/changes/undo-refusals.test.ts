import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, create, newestOf, openServer } from '../support/changes.ts'
import { clientFor } from '../support/client.ts'
import { ended } from '../support/imports.ts'
import { start } from '../support/start.ts'

const undoPath = '/api-v1-undo'

test('What is in the way of an undo is an error of that record alone', async (t) => {
  const { client } = await openServer(t)
  const stage = await create(client, 'stages', { name: 'Demo' })
  await create(client, 'deals', { title: 'In it', stage_id: stage })
  const organization = await create(client, 'organizations', { name: 'Gone' })
  const contact = await create(client, 'contacts', { first_name: 'Ada', organization_id: organization })
  await client.patch(`/api-v1-contacts/${contact}`, { organization_id: null })
  const detached = await newestOf(client, contact)
  await client.delete(`/api-v1-organizations/${organization}`)
  const activity = await create(client, 'activities', { type: 'note', subject: 'x' })
  const first = async (id: string) => (await changesOf(client, id))[0]!.seq

  const withDeals = await client.post(undoPath, { seq: await first(stage) })
  const withoutTarget = await client.post(undoPath, { seq: detached })
  const ofActivity = await client.post(undoPath, { seq: await first(activity) })

  const codes = [withDeals, withoutTarget, ofActivity].map(({ body }) => [
    body.data.errored[0].code,
    body.data.errored[0].message,
  ])
  assert.deepEqual(codes, [
    ['CONFLICT', 'Stage has deals: move them to another stage first'],
    ['CONFLICT', 'Organization is deleted: restore it first'],
    ['CONFLICT', 'Activities are never changed or deleted'],
  ])
})

test('An undo is refused without the write scope of each affected resource, and changes nothing', async (t) => {
  const { client, server } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme' })
  const { body } = await client.post('/api-v1-keys', { name: 'Reader', scopes: ['read:all', 'write:contacts'] })
  const { seq } = (await changesOf(client, id))[0]!

  const { status } = await clientFor(server.url, body.data).post(undoPath, { seq })

  assert.equal(status, 403)
  assert.equal((await client.get(`/api-v1-organizations/${id}`)).status, 200)
})

test('Changes of another company cannot be undone: they are not found', async (t) => {
  const { client, server } = await openServer(t)
  const other = await server.client()
  const id = await create(client, 'organizations', { name: 'Acme' })
  const { seq, request_id } = (await changesOf(client, id))[0]!

  assert.equal((await other.post(undoPath, { request_id })).status, 404)
  assert.equal((await other.post(undoPath, { seq: seq + 1000 })).status, 404)
  assert.equal((await client.get(`/api-v1-organizations/${id}`)).status, 200)
})

test('A request for an undo names every invalid member', async (t) => {
  const { client } = await openServer(t)
  const fieldsOf = async (body: object) => {
    const response = await client.post(undoPath, body)
    assert.equal(response.status, 400)
    return response.body.error.details.map(({ field }: { field: string }) => field)
  }

  assert.deepEqual(await fieldsOf({}), ['seq'])
  assert.deepEqual(await fieldsOf({ seq: 1, request_id: 'x' }), ['request_id'])
  assert.deepEqual(await fieldsOf({ seq: '1', force: 1, dry_run: 'no' }), ['seq', 'force', 'dry_run'])
  assert.deepEqual(await fieldsOf({ key_id: 'x' }), ['key_id', 'since'])
  assert.deepEqual(await fieldsOf({ bulk_job_id: 7 }), ['bulk_job_id'])
})

test('More than 10,000 changes are undone by a job as its dry run says; its errors are what was kept', async (t) => {
  const { client } = await openServer(t)
  const headers = { 'X-Request-Id': 'nightly-sync' }
  const ids: string[] = []
  const kept = await create(client, 'organizations', { name: 'Kept' })
  const survivor = await create(client, 'contacts', { first_name: 'Ada' })
  const merged = await create(client, 'contacts', { first_name: 'Ada', emails: [{ email: 'ada@kontor.example' }] })
  const deal = await create(client, 'deals', { title: 'Hampers', contact_id: merged })
  for (let batch = 0; batch < 11; batch++) {
    const records = Array.from({ length: 1_000 }, (_, n) => ({ name: `Company ${batch} ${n}` }))
    const { body } = await client.post('/api-v1-bulk/organizations', { records }, headers)
    ids.push(body.data.job_id)
  }
  for (const id of ids) await ended(client, `/api-v1-bulk/jobs/${id}`)
  const [edited] = (await client.get('/api-v1-organizations?name=Company 3 7')).body.data
  await client.patch(`/api-v1-organizations/${edited.id}`, { city: 'Bonn' })
  await client.post(`/api-v1-contacts/${survivor}/merge`, { with: [merged] }, headers)
  await client.patch(`/api-v1-deals/${deal}`, { title: 'Baskets' }, headers)

  const dry = await client.post(undoPath, { request_id: 'nightly-sync', dry_run: true })
  const { status, body } = await client.post(undoPath, { request_id: 'nightly-sync' })
  const job = await ended(client, `/api-v1-bulk/jobs/${body.data.job_id}`)

  assert.deepEqual([dry.status, dry.body.data.reversed.length, dry.body.data.kept.length], [200, 11_002, 1])
  assert.equal(status, 202)
  assert.deepEqual([job.type, job.successful_records, job.failed_records], ['undo', 11_002, 1])
  assert.equal(job.errors[0].error, 'The record was changed since it was created: it was kept')
  const left = (await client.get('/api-v1-organizations')).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(left.sort(), [kept, edited.id].sort())
  const { title, contact_id } = (await client.get(`/api-v1-deals/${deal}`)).body.data
  assert.deepEqual({ title, contact_id }, { title: 'Hampers', contact_id: merged })
})

test('An import that still runs, or has yet to begin, cannot be undone', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const client = await server.client()
  const { body } = await client.post('/api-v1-bulk/organizations', { records: [{ name: 'Acme' }] })
  const [creation] = await changesOf(client, body.data.job_id)

  for (const selector of [{ request_id: creation!.request_id }, { bulk_job_id: body.data.job_id }]) {
    const { status, body: refusal } = await client.post(undoPath, selector)

    assert.deepEqual([status, refusal.error.code], [409, 'CONFLICT'])
    assert.match(refusal.error.message, /still runs/)
  }
})
