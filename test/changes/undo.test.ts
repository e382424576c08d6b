import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, create, newestOf, openServer } from '../support/changes.ts'
import { clientFor } from '../support/client.ts'
import { ended, importAll } from '../support/imports.ts'

const undoPath = '/api-v1-undo'

test('Undoing an update gives the fields their former values, and names the changes that it reverts', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme', city: 'Kiel', metadata: { a: 1 } })
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Bonn', metadata: { b: 2 } })
  const seq = await newestOf(client, id)

  const { status, body } = await client.post(undoPath, { seq })

  assert.equal(status, 200)
  const fields = ['city', 'metadata']
  const entry = {
    resource: 'organization',
    record_id: id,
    seq: [seq],
    fields,
    kept_fields: [],
    code: null,
    message: null,
  }
  assert.deepEqual(body.data, { reversed: [entry], kept: [], errored: [] })
  const { data } = (await client.get(`/api-v1-organizations/${id}`)).body
  assert.deepEqual([data.city, data.metadata], ['Kiel', { a: 1 }])
  assert.deepEqual((await changesOf(client, id)).at(-1)!.cause, { reverts: [seq] })
})

test('An undo can be undone', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme', city: 'Kiel' })
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Bonn' })
  await client.post(undoPath, { seq: await newestOf(client, id) })

  await client.post(undoPath, { seq: await newestOf(client, id) })

  assert.equal((await client.get(`/api-v1-organizations/${id}`)).body.data.city, 'Bonn')
})

test('A field that was changed again since is kept, unless the undo is forced', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme', city: 'Kiel', country: 'DE' })
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Bonn', country: 'AT' })
  const seq = await newestOf(client, id)
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Ulm' })

  const { body } = await client.post(undoPath, { seq })
  assert.deepEqual([body.data.reversed[0].fields, body.data.reversed[0].kept_fields], [['country'], ['city']])
  const again = await client.post(undoPath, { seq })
  assert.equal(again.body.data.kept[0].message, 'Its fields were changed again since')

  await client.post(undoPath, { seq, force: true })
  const { data } = (await client.get(`/api-v1-organizations/${id}`)).body
  assert.deepEqual([data.city, data.country], ['Kiel', 'DE'])
})

test('Undoing a creation deletes the record, unless it was changed since by something else', async (t) => {
  const { client } = await openServer(t)
  const untouched = await create(client, 'organizations', { name: 'Untouched' })
  const edited = await create(client, 'organizations', { name: 'Edited' })
  await client.patch(`/api-v1-organizations/${edited}`, { city: 'Bonn' })
  const [creation] = await changesOf(client, edited)

  const first = await client.post(undoPath, { seq: (await changesOf(client, untouched))[0]!.seq })
  const second = await client.post(undoPath, { seq: creation!.seq })
  const forced = await client.post(undoPath, { seq: creation!.seq, force: true })

  assert.equal(first.body.data.reversed[0].record_id, untouched)
  assert.equal(second.body.data.kept[0].message, 'The record was changed since it was created')
  assert.equal(forced.body.data.reversed[0].record_id, edited)
  for (const id of [untouched, edited]) assert.equal((await client.get(`/api-v1-organizations/${id}`)).status, 404)
})

test('Undoing a deletion restores the record, and undoing a restore deletes it again', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'contacts', { first_name: 'Ada', emails: [{ email: 'ada@navy.example' }] })
  await client.delete(`/api-v1-contacts/${id}`)

  await client.post(undoPath, { seq: await newestOf(client, id) })
  const restored = await client.get(`/api-v1-contacts/${id}`)
  await client.post(undoPath, { seq: await newestOf(client, id) })

  assert.equal(restored.body.data.contact_emails[0].email, 'ada@navy.example')
  assert.equal((await client.get(`/api-v1-contacts/${id}`)).status, 404)
  assert.equal((await client.get('/api-v1-trash')).body.data[0].id, id)
})

test('Undoing a change of emails brings back the same items, in all their fields', async (t) => {
  const { client } = await openServer(t)
  const emails = [{ email: 'ada@navy.example' }, { email: 'ada@home.example', type: 'home' }]
  const id = await create(client, 'contacts', { first_name: 'Ada', emails })
  const before = (await client.get(`/api-v1-contacts/${id}`)).body.data.contact_emails
  await client.delete(`/api-v1-contacts/${id}/emails/${before[0].id}`)
  assert.equal((await client.get(`/api-v1-contacts/${id}`)).body.data.contact_emails.length, 1)

  await client.post(undoPath, { seq: await newestOf(client, id) })

  assert.deepEqual((await client.get(`/api-v1-contacts/${id}`)).body.data.contact_emails, before)
})

test('Undoing the completion of a task restores its status, and undoing the reopening restores the time', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'tasks', { title: 'Call', status: 'in_progress' })
  const completed = (await client.patch(`/api-v1-tasks/${id}/complete`, {})).body.data
  assert.equal((await changesOf(client, id)).at(-1)!.type, 'task.completed')

  await client.post(undoPath, { seq: await newestOf(client, id) })
  const reopened = (await client.get(`/api-v1-tasks/${id}`)).body.data
  await client.post(undoPath, { seq: await newestOf(client, id) })
  const again = (await client.get(`/api-v1-tasks/${id}`)).body.data

  assert.deepEqual([reopened.status, reopened.completed_at], ['in_progress', null])
  assert.deepEqual([again.status, again.completed_at], ['completed', completed.completed_at])
})

test('Undoing the request that moved a stage restores the order of all stages', async (t) => {
  const { client } = await openServer(t)
  const order = async () => (await client.get('/api-v1-stages')).body.data.map(({ name }: { name: string }) => name)
  const before = await order()
  const last = (await client.get('/api-v1-stages')).body.data.at(-1)
  await client.patch(`/api-v1-stages/${last.id}`, { position: 0 })
  const moved = await changesOf(client, last.id)
  assert.notDeepEqual(await order(), before)

  const { body } = await client.post(undoPath, { request_id: moved.at(-1)!.request_id })

  assert.deepEqual(await order(), before)
  assert.equal(body.data.reversed.length, before.length)
  const positions = (await client.get('/api-v1-stages')).body.data.map(({ position }: { position: number }) => position)
  assert.deepEqual(positions, [...before.keys()])
})

test('Undoing an import deletes what it created, except records that were edited since', async (t) => {
  const { client } = await openServer(t)
  const records = Array.from({ length: 150 }, (_, n) => ({ name: `Company ${n}` }))
  const { body } = await client.post('/api-v1-bulk/organizations', { records })
  const jobId = body.data.job_id
  await ended(client, `/api-v1-bulk/jobs/${jobId}`)
  const [edited] = (await client.get('/api-v1-organizations?name=Company 7')).body.data
  await client.patch(`/api-v1-organizations/${edited.id}`, { city: 'Bonn' })

  const dry = await client.post(undoPath, { bulk_job_id: jobId, dry_run: true })
  assert.equal((await client.get('/api-v1-organizations')).body.pagination.total, 150)
  const undone = await client.post(undoPath, { bulk_job_id: jobId })

  assert.deepEqual(undone.body, dry.body)
  assert.equal(undone.body.data.reversed.length, 149)
  assert.deepEqual(
    undone.body.data.kept.map(({ record_id }: { record_id: string }) => record_id),
    [edited.id],
  )
  assert.equal((await client.get('/api-v1-organizations')).body.pagination.total, 1)
})

test('Undoing what a key did since a time, its imports included, leaves everything else', async (t) => {
  const { client, server } = await openServer(t)
  const { body } = await client.post('/api-v1-keys', { name: 'Agent', scopes: ['read:all', 'write:all'] })
  const agent = clientFor(server.url, body.data)
  const kept = await create(client, 'organizations', { name: 'Kept', city: 'Kiel' })
  const before = await create(agent, 'organizations', { name: 'Before' })
  server.clock.advance(1)
  const since = new Date(server.clock.now()).toISOString()
  await agent.patch(`/api-v1-organizations/${kept}`, { city: 'Bonn' })
  const created = await create(agent, 'organizations', { name: 'Created' })
  await importAll(agent, 'contacts', [{ first_name: 'Ada' }])

  const refused = await agent.post(undoPath, { key_id: body.data.id, since })
  const { body: report } = await client.post(undoPath, { key_id: body.data.id, since })

  assert.equal(refused.status, 403)
  assert.equal(report.data.reversed.length, 3)
  assert.equal((await client.get(`/api-v1-organizations/${before}`)).status, 200)
  assert.equal((await client.get(`/api-v1-organizations/${kept}`)).body.data.city, 'Kiel')
  assert.equal((await client.get(`/api-v1-organizations/${created}`)).status, 404)
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 0)
})
