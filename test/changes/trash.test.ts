import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { changesOf, create, openServer } from '../support/changes.ts'
import { clientFor } from '../support/client.ts'

const trash = '/api-v1-trash'

test('GET /api-v1-trash lists deleted records, newest first, with who deleted them', async (t) => {
  const { client } = await openServer(t)
  const organization = await create(client, 'organizations', { name: 'Acme' })
  const contact = await create(client, 'contacts', { first_name: 'Ada', last_name: 'Weber' })
  await client.delete(`/api-v1-organizations/${organization}`)
  await client.delete(`/api-v1-contacts/${contact}`)

  const { body } = await client.get(trash)

  const shown = body.data.map(({ id, type, title }: Record<string, string>) => [id, type, title])
  assert.deepEqual(shown, [
    [contact, 'contact', 'Ada Weber'],
    [organization, 'organization', 'Acme'],
  ])
  assert.deepEqual(body.data[0].deleted_by, { type: 'api_key', id: client.keyId, name: 'Administration' })
  assert.equal((await client.get(`${trash}?type=contact`)).body.pagination.total, 1)
  assert.equal((await client.get(`${trash}?deleted_at[gt]=2030-01-01`)).body.pagination.total, 0)
  assert.equal((await client.get(`${trash}?type=user`)).status, 400)
})

test('The trash shows deleted exchange rates to those who see their changes', async (t) => {
  const { client, server } = await openServer(t)
  const id = await create(client, 'exchange-rates', { currency: 'DKK', rate: 0.13, valid_from: '2026-01-01' })
  await client.delete(`/api-v1-exchange-rates/${id}`)
  const { body } = await client.post('/api-v1-keys', { name: 'All', scopes: ['read:all', 'write:all'] })
  const reader = clientFor(server.url, body.data)

  assert.equal((await client.get(trash)).body.pagination.total, 1)
  assert.equal((await reader.get(trash)).body.pagination.total, 0)
  assert.equal((await reader.get(`${trash}?type=exchange_rate`)).body.pagination.total, 0)
})

test('The trash shows only records that the key may read, and none of another company', async (t) => {
  const { client, server } = await openServer(t)
  const other = await server.client()
  const id = await create(client, 'contacts', { first_name: 'Ada' })
  await client.delete(`/api-v1-contacts/${id}`)
  const { body } = await client.post('/api-v1-keys', { name: 'Deals', scopes: ['read:deals', 'write:deals'] })
  const deals = clientFor(server.url, body.data)

  assert.equal((await deals.get(trash)).body.pagination.total, 0)
  assert.equal((await deals.post(`${trash}/${id}/restore`, {})).status, 403)
  assert.equal((await other.get(trash)).body.pagination.total, 0)
  assert.equal((await other.post(`${trash}/${id}/restore`, {})).status, 404)
  assert.equal((await other.delete(`${trash}/${id}`)).status, 404)
})

test('A restored record is as it was, is counted and found again, and has left the trash', async (t) => {
  const { client } = await openServer(t)
  const emails = [{ email: 'ada@navy.example' }]
  const id = await create(client, 'contacts', { first_name: 'Ada', metadata: { a: [1] }, emails })
  const before = (await client.get(`/api-v1-contacts/${id}`)).body.data
  await client.delete(`/api-v1-contacts/${id}`)

  const { status, body, headers } = await client.post(`${trash}/${id}/restore`, {})

  assert.equal(status, 200)
  assert.deepEqual({ ...body.data, updated_at: before.updated_at }, before)
  assert.deepEqual((await client.get(`/api-v1-contacts/${id}`)).headers.get('etag'), headers.get('etag'))
  assert.equal((await client.get('/api-v1-contacts?first_name[like]=ad')).body.pagination.total, 1)
  assert.equal((await client.get('/api-v1-contacts?email=ada@navy.example')).body.pagination.total, 1)
  assert.equal((await client.get(trash)).body.pagination.total, 0)
  assert.equal((await client.post(`${trash}/${id}/restore`, {})).status, 404)
  assert.equal((await changesOf(client, id)).at(-1)!.type, 'contact.restored')
})

test('A restored stage is the last one; a taken name is in its way', async (t) => {
  const { client } = await openServer(t)
  const [first] = (await client.get('/api-v1-stages')).body.data
  await client.delete(`/api-v1-stages/${first.id}`)
  const namesake = await create(client, 'stages', { name: first.name.toUpperCase() })

  const refused = await client.post(`${trash}/${first.id}/restore`, {})
  await client.delete(`/api-v1-stages/${namesake}`)
  const { body } = await client.post(`${trash}/${first.id}/restore`, {})

  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT'])
  assert.equal(refused.body.error.message, 'Stage with this name already exists')
  const positions = (await client.get('/api-v1-stages')).body.data.map(({ position }: { position: number }) => position)
  assert.deepEqual(positions, [...positions.keys()])
  assert.equal(body.data.position, positions.length - 1)
})

test('A deal whose stage is deleted cannot be restored before the stage', async (t) => {
  const { client } = await openServer(t)
  const stage = await create(client, 'stages', { name: 'Demo' })
  const deal = await create(client, 'deals', { title: 'Hampers', stage_id: stage })
  await client.delete(`/api-v1-deals/${deal}`)
  await client.delete(`/api-v1-stages/${stage}`)

  const refused = await client.post(`${trash}/${deal}/restore`, {})
  await client.post(`${trash}/${stage}/restore`, {})
  const restored = await client.post(`${trash}/${deal}/restore`, {})

  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT'])
  assert.match(refused.body.error.message, /stage of this deal is deleted/)
  assert.equal(restored.status, 200)
})

test('A restored contact is primary only if its organization has no other', async (t) => {
  const { client } = await openServer(t)
  const organization_id = await create(client, 'organizations', { name: 'Acme' })
  const first = await create(client, 'contacts', { first_name: 'Ada', organization_id, is_primary: true })
  await client.delete(`/api-v1-contacts/${first}`)
  const second = await create(client, 'contacts', { first_name: 'Grace', organization_id, is_primary: true })

  const beside = await client.post(`${trash}/${first}/restore`, {})
  await client.delete(`/api-v1-contacts/${first}`)
  await client.delete(`/api-v1-contacts/${second}`)
  const alone = await client.post(`${trash}/${second}/restore`, {})

  assert.equal(beside.body.data.is_primary, false)
  assert.equal(alone.body.data.is_primary, true)
})

test('The plan’s limit is in the way of a restore', async (t) => {
  const { server } = await openServer(t)
  const client = await server.client('starter')
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_contacts = 1 WHERE name = 'starter'"))
  const first = await create(client, 'contacts', { first_name: 'Ada' })
  await client.delete(`/api-v1-contacts/${first}`)
  await create(client, 'contacts', { first_name: 'Grace' })

  const { status, body } = await client.post(`${trash}/${first}/restore`, {})

  assert.deepEqual(
    [status, body.error.code, body.error.message],
    [409, 'CONFLICT', 'Your plan allows at most 1 contact'],
  )
})

test('Erasing a record overwrites it everywhere in the database, and keeps the numbers of its changes', async (t) => {
  const { client, server } = await openServer(t)
  const secrets = ['Xylophonist', 'Zanzibarian', 'qwertz@uiop.example', '+99 1234567890123', 'Quetzalcoatl']
  const [first_name, job_title, email, phone_number, note] = secrets
  const key = { 'Idempotency-Key': 'once' }
  const items = { emails: [{ email }], phones: [{ phone_number }] }
  const contact = { first_name, job_title, metadata: { note }, ...items }
  const created = await client.post('/api-v1-contacts', contact, key)
  const { id } = created.body.data
  await client.patch(`/api-v1-contacts/${id}`, { job_title: 'Captain', metadata: {} })
  const deal = await create(client, 'deals', { title: 'Hampers', contact_id: id })
  await client.delete(`/api-v1-contacts/${id}`)
  const before = await changesOf(client, id)

  const { status } = await client.delete(`${trash}/${id}`)

  assert.equal(status, 200)
  const after = await changesOf(client, id)
  assert.deepEqual(
    after.map(({ seq }) => seq).slice(0, before.length),
    before.map(({ seq }) => seq),
  )
  assert.equal(after.at(-1)!.type, 'contact.erased')
  assert.deepEqual(new Set(after.map(({ data }) => data)), new Set([null]))
  assert.equal((await client.get(`/api-v1-deals/${deal}`)).body.data.contact, null)
  assert.equal((await client.post('/api-v1-contacts', contact, key)).status, 409)
  assert.equal((await client.get(`/api-v1-contacts/${id}?as_of=${before[0]!.seq}`)).status, 404)
  assert.equal((await client.post(`${trash}/${id}/restore`, {})).status, 404)
  await server.stop() // folds the log into the file
  const file = readFileSync(server.path)
  for (const secret of secrets) assert.ok(!file.includes(secret!), secret)
})

test('Only admins erase records', async (t) => {
  const { client, server } = await openServer(t)
  const id = await create(client, 'contacts', { first_name: 'Ada' })
  await client.delete(`/api-v1-contacts/${id}`)
  const { body } = await client.post('/api-v1-keys', { name: 'Writer', scopes: ['read:all', 'write:all'] })

  assert.equal((await clientFor(server.url, body.data).delete(`${trash}/${id}`)).status, 403)
  assert.equal((await client.get(trash)).body.pagination.total, 1)
})

test('A record that is not deleted is not in the trash', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'contacts', { first_name: 'Ada' })

  assert.equal((await client.post(`${trash}/${id}/restore`, {})).status, 404)
  assert.equal((await client.delete(`${trash}/${id}`)).status, 404)
  assert.equal((await client.get(`/api-v1-contacts/${id}`)).status, 200)
})
