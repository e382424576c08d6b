import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, create, newestOf, openServer } from '../support/changes.ts'
import { clientFor } from '../support/client.ts'

const undoPath = '/api-v1-undo'
const since = '2026-01-01T00:00:00Z'

test('An erased record is never restored, not even by a forced undo', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'contacts', { first_name: 'Ada' })
  await client.delete(`/api-v1-contacts/${id}`)
  const deletion = await newestOf(client, id)
  await client.delete(`/api-v1-trash/${id}`)

  const { body } = await client.post(undoPath, { seq: deletion, force: true })

  assert.equal(body.data.kept[0].message, 'The record has been erased')
  assert.equal((await client.get(`/api-v1-contacts/${id}`)).status, 404)
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 0)
})

test('Records that are in the way of one another are undone together', async (t) => {
  const { client, server } = await openServer(t)
  const { body } = await client.post('/api-v1-keys', { name: 'Agent', scopes: ['read:all', 'write:all'] })
  const agent = clientFor(server.url, body.data)
  const organization = await create(client, 'organizations', { name: 'Acme' })
  const contact = await create(client, 'contacts', { first_name: 'Ada', organization_id: organization })
  const stage = await create(agent, 'stages', { name: 'Demo' })
  await create(agent, 'deals', { title: 'In it', stage_id: stage })
  await agent.patch(`/api-v1-stages/${stage}`, { color: '#000000' })
  await agent.patch(`/api-v1-contacts/${contact}`, { organization_id: null })
  await agent.delete(`/api-v1-organizations/${organization}`)
  await agent.patch(`/api-v1-contacts/${contact}`, { job_title: 'CEO' })

  const undone = await client.post(undoPath, { key_id: body.data.id, since })

  assert.deepEqual([undone.body.data.errored, undone.body.data.reversed.length], [[], 4])
  assert.equal((await client.get(`/api-v1-contacts/${contact}`)).body.data.organization.name, 'Acme')
  assert.equal((await client.get(`/api-v1-stages/${stage}`)).status, 404)
})

test('An undo makes one change of a record, whatever it restores', async (t) => {
  const { client } = await openServer(t)
  const headers = { 'X-Request-Id': 'one-visit' }
  const id = await create(client, 'contacts', { first_name: 'Ada', emails: [{ email: 'a@x.example' }] })
  const before = (await client.get(`/api-v1-contacts/${id}`)).body.data
  await client.patch(`/api-v1-contacts/${id}`, { job_title: 'CEO' }, headers)
  await client.post(`/api-v1-contacts/${id}/emails`, { email: 'b@x.example' }, headers)
  await client.post(`/api-v1-contacts/${id}/phones`, { phone_number: '+49 1' }, headers)
  await client.delete(`/api-v1-contacts/${id}`, headers)
  const count = (await changesOf(client, id)).length

  await client.post(undoPath, { request_id: 'one-visit' })

  const made = (await changesOf(client, id)).slice(count)
  assert.deepEqual(
    made.map(({ type, changed }) => [type, changed.toSorted()]),
    [['contact.restored', ['emails', 'job_title', 'phones']]],
  )
  const after = (await client.get(`/api-v1-contacts/${id}`)).body.data
  assert.deepEqual({ ...after, updated_at: '' }, { ...before, updated_at: '' })
})

test('A record that is already as it was before is kept, and nothing is logged', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme', city: 'Kiel' })
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Bonn' })
  const seq = await newestOf(client, id)
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Kiel' })
  const newest = await newestOf(client, id)

  const { body } = await client.post(undoPath, { seq, force: true })

  assert.equal(body.data.kept[0].message, 'It is already as it was before')
  assert.equal(await newestOf(client, id), newest)
})

test('What is never undone is an error with its reason, whatever happened since', async (t) => {
  const { client } = await openServer(t)
  const { body } = await client.post('/api-v1-keys', { name: 'CI', scopes: ['read:all'] })
  const creation = await newestOf(client, body.data.id)
  await client.patch(`/api-v1-keys/${body.data.id}`, { name: 'Nightly' })

  const undone = await client.post(undoPath, { seq: creation })

  assert.match(undone.body.data.errored[0].message, /^Changes of API keys are not undone/)
})

test('A misspelled member of an undo is an error, so nothing is undone by mistake', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme' })

  const { status, body } = await client.post(undoPath, { seq: await newestOf(client, id), dryRun: true })

  assert.equal(status, 400)
  assert.match(body.error.message, /Unknown member "dryRun"; allowed: .*dry_run/)
  assert.equal((await client.get(`/api-v1-organizations/${id}`)).status, 200)
})

test('A response that shows an erased record is not repeated, not even that of another record', async (t) => {
  const { client } = await openServer(t)
  const contact = await create(client, 'contacts', { first_name: 'Zenobia' })
  const key = { 'Idempotency-Key': 'once' }
  const deal = { title: 'Hampers', contact_id: contact }
  await client.post('/api-v1-deals', deal, key)
  await client.delete(`/api-v1-contacts/${contact}`)
  await client.delete(`/api-v1-trash/${contact}`)

  const repeated = await client.post('/api-v1-deals', deal, key)

  assert.deepEqual([repeated.status, repeated.body.error.code], [409, 'CONFLICT'])
  assert.equal((await client.get('/api-v1-deals')).body.pagination.total, 1)
})

test('The trash is empty for a key that may read nothing in it', async (t) => {
  const { client, server } = await openServer(t)
  const { body } = await client.post('/api-v1-keys', { name: 'Activities', scopes: ['read:activities'] })

  const { status, body: list } = await clientFor(server.url, body.data).get('/api-v1-trash')

  assert.deepEqual([status, list.data], [200, []])
})
