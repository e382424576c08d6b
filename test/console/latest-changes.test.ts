import assert from 'node:assert/strict'
import { test } from 'node:test'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const path = '/console/latest-changes'

interface Latest {
  type: string
  record_id: string
  actor: { type: string; name: string }
  data: { name?: string } | null
  count: number
}

const show = async (visitor: Visitor, environment = 'live'): Promise<Latest[]> => {
  const { status, body } = await visitor.get(path, { 'Kontor-Environment': environment })
  assert.equal(status, 200)
  return body.data
}

test('Members see the latest changes of all records with their authors, newest first, but not those of activities and keys', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const { id } = (await owner.post('/api-v1-organizations', { name: 'Nordwind' })).body.data
  await member.post('/api-v1-activities', { type: 'call', organization_id: id })
  await owner.post('/api-v1-keys', { name: 'Sync', scopes: ['read:all'] })
  await member.patch(`/api-v1-organizations/${id}`, { name: 'Südwind' })

  const changes = await show(member)

  const [newest, before] = changes

  assert.deepEqual(
    [newest!.type, newest!.actor.name, newest!.data!.name],
    ['organization.updated', 'The member', 'Südwind'],
  )
  assert.deepEqual([before!.type, before!.data!.name], ['organization.created', 'Nordwind'])
  assert.ok(changes.every(({ type }) => !/^(activity|api_key)\./.test(type)))
  assert.ok(!('seq' in newest!))
})

test('Members see no changes of webhooks, as in the feed', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const { body } = await owner.post('/api-v1-webhooks', { url: 'https://hooks.example.com/former', events: ['*'] })
  await owner.patch(`/api-v1-webhooks/${body.data.id}`, { url: 'https://hooks.example.com/current' })

  assert.deepEqual(await show(member), [])
  assert.deepEqual(
    (await show(owner)).map(({ type }) => type),
    ['webhook.updated', 'webhook.created'],
  )
})

test('Changes of other companies and of the other workspace are not shown', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const { client } = await server.company('Globex')
  const other = await make(client, 'organization')
  const headers = { 'Kontor-Environment': 'test' }
  const inTest = (await owner.post('/api-v1-organizations', { name: 'Probe' }, headers)).body.data

  const ids = (changes: Latest[]) => changes.map(({ record_id }) => record_id)
  assert.ok(!ids(await show(owner)).some((id) => [other.id, inTest.id].includes(id)))
  assert.equal(ids(await show(owner, 'test'))[0], inTest.id)
  assert.ok(!ids(await show(owner, 'test')).includes(other.id))
})

test('At most eight entries are shown; changes of one type by one request are one entry with their number', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  for (let n = 0; n < 9; n++) await owner.post('/api-v1-organizations', { name: `Nordwind ${n}` })
  const stages = (await owner.get('/api-v1-stages')).body.data
  await owner.patch(`/api-v1-stages/${stages[0].id}`, { position: stages.length })

  const changes = await show(owner)

  assert.equal(changes.length, 8)
  assert.deepEqual([changes[0]!.type, changes[0]!.count], ['stage.updated', stages.length])
  assert.deepEqual(
    changes.slice(1).map(({ data, count }) => [data!.name, count]),
    [8, 7, 6, 5, 4, 3, 2].map((n) => [`Nordwind ${n}`, 1]),
  )
})

test('The latest changes are for signed-in users only', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  owner.cookie = undefined

  assert.equal((await owner.get(path)).status, 401)
})
