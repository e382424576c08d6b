import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, create, newestOf, openServer } from '../support/changes.ts'
import { clientFor } from '../support/client.ts'

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
    ['CONFLICT', 'Organization not found: it is deleted'],
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
