import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, create, openServer } from '../support/changes.ts'
import { clientFor } from '../support/client.ts'
import { FakeClock } from '../support/clock.ts'
import { start } from '../support/start.ts'

test('The history of a record lists its changes newest first, page by page, also after its deletion', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme' })
  for (const city of ['Kiel', 'Bonn', 'Ulm']) await client.patch(`/api-v1-organizations/${id}`, { city })
  await client.delete(`/api-v1-organizations/${id}`)
  const path = `/api-v1-organizations/${id}/history`

  const first = (await client.get(`${path}?limit=2`)).body
  const second = (await client.get(`${path}?limit=2&cursor=${first.pagination.next_cursor}`)).body
  const third = (await client.get(`${path}?limit=2&cursor=${second.pagination.next_cursor}`)).body

  const pages = [first, second, third].map(({ data }) => data.map(({ type }: { type: string }) => type.split('.')[1]))
  assert.deepEqual(pages, [['deleted', 'updated'], ['updated', 'updated'], ['created']])
  assert.deepEqual(first.data[1].previous, { city: 'Bonn' })
  assert.deepEqual(second.data[0].data.city, 'Bonn')
  assert.deepEqual([third.pagination.has_more, third.pagination.next_cursor], [false, null])
})

test('The history of a record that does not exist, or of another company or resource, is not found', async (t) => {
  const { client, server } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme' })

  assert.equal((await (await server.client()).get(`/api-v1-organizations/${id}/history`)).status, 404)
  assert.equal((await client.get(`/api-v1-contacts/${id}/history`)).status, 404)
  assert.equal((await client.get('/api-v1-contacts/nonsense/history')).status, 404)
  assert.equal((await client.get(`/api-v1-organizations/${id}/history?cursor=x`)).status, 400)
})

test('The history of users and keys needs admin:all', async (t) => {
  const { client, server } = await openServer(t)
  const { body } = await client.post('/api-v1-keys', { name: 'Reader', scopes: ['read:all'] })
  await client.patch(`/api-v1-keys/${body.data.id}`, { name: 'Other', description: 'x' })

  const { data } = (await client.get(`/api-v1-keys/${body.data.id}/history`)).body

  assert.deepEqual(data[0].changed, ['name', 'description'])
  assert.deepEqual(data[0].previous, { name: 'Reader', description: null })
  assert.equal((await clientFor(server.url, body.data).get(`/api-v1-keys/${body.data.id}/history`)).status, 403)
})

test('as_of shows a record as it was after a change and at a time, with the relations as of then', async (t) => {
  const clock = new FakeClock()
  const server = await start(t, { clock })
  const client = await server.client()
  const organization = await create(client, 'organizations', { name: 'Acme', status: 'lead' })
  const id = await create(client, 'contacts', {
    first_name: 'Ada',
    organization_id: organization,
    emails: [{ email: 'a@x.example' }],
  })
  const path = `/api-v1-contacts/${id}`
  const before = new Date(clock.now()).toISOString()
  clock.advance(60_000)
  await client.patch(`/api-v1-organizations/${organization}`, { name: 'Acme Ltd' })
  await client.patch(path, { first_name: 'Grace' })
  await client.post(`${path}/emails`, { email: 'b@x.example' })
  const [creation] = await changesOf(client, id)

  const at = (await client.get(`${path}?as_of=${before}&include=organization`)).body.data
  const after = (await client.get(`${path}?as_of=${creation!.seq}`)).body.data

  assert.deepEqual([at.first_name, at.contact_emails.length], ['Ada', 1])
  assert.deepEqual(at.organization, { id: organization, name: 'Acme', status: 'lead' })
  const { organization: _, ...withoutRelations } = at
  assert.deepEqual(after, withoutRelations)
  const now = (await client.get(`${path}?as_of=${new Date(clock.now()).toISOString()}`)).body.data
  assert.deepEqual([now.first_name, now.contact_emails.length], ['Grace', 2])
})

test('as_of is not found before the record existed and while it was deleted', async (t) => {
  const { client } = await openServer(t)
  const id = await create(client, 'organizations', { name: 'Acme' })
  await client.delete(`/api-v1-organizations/${id}`)
  await client.post(`/api-v1-trash/${id}/restore`, {})
  const [created, deleted, restored] = (await changesOf(client, id)).map(({ seq }) => seq)
  const statusAt = async (moment: number | string) =>
    (await client.get(`/api-v1-organizations/${id}?as_of=${moment}`)).status

  assert.deepEqual(await Promise.all([created! - 1, created!, deleted!, restored!].map(statusAt)), [404, 200, 404, 200])
  assert.equal(await statusAt('2000-01-01'), 404)
  for (const invalid of ['', 'yesterday', restored! + 1, '-1'])
    assert.equal(await statusAt(invalid), 400, String(invalid))
})

test('as_of is not in the future: not even by a millisecond', async (t) => {
  const clock = new FakeClock()
  const client = await (await start(t, { clock })).client()
  const id = await create(client, 'organizations', { name: 'Acme' })
  const statusAt = async (ms: number) => {
    const response = await client.get(`/api-v1-organizations/${id}?as_of=${new Date(ms).toISOString()}`)
    if (response.status === 400) assert.equal(response.body.error.details[0].code, 'OUT_OF_RANGE')
    return response.status
  }

  assert.deepEqual([await statusAt(clock.now()), await statusAt(clock.now() + 1)], [200, 400])
  assert.equal(await statusAt(clock.now() + 366 * 86_400_000), 400)
  clock.jump(-3_600_000)
  assert.equal(await statusAt(clock.now() + 3_600_000), 200, 'the clock was put back: the time of the last change')
})

test('A change of the clock does not change the order of the log', async (t) => {
  const clock = new FakeClock()
  const server = await start(t, { clock })
  const client = await server.client()
  const id = await create(client, 'organizations', { name: 'Acme' })
  clock.jump(-3_600_000)
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Kiel' })
  clock.advance(7_200_000)
  await client.patch(`/api-v1-organizations/${id}`, { city: 'Bonn' })

  const { data } = (await client.get(`/api-v1-changes?record_id=${id}`)).body
  const times = data.map(({ at }: { at: string }) => at)

  assert.deepEqual(times, times.toSorted())
  assert.equal((await client.get(`/api-v1-organizations/${id}?as_of=${times[1]}`)).body.data.city, 'Kiel')
})
