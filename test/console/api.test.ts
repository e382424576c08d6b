import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const inTest = { 'Kontor-Environment': 'test' }

test('A session writes to one workspace at a time: a record created in test is not in live', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)

  const { id } = (await owner.post('/api-v1-organizations', { name: 'Trial' }, inTest)).body.data

  assertError(await owner.get(`/api-v1-organizations/${id}`), 404, 'NOT_FOUND')
  assertError(await owner.patch(`/api-v1-organizations/${id}`, { name: 'Live' }), 404, 'NOT_FOUND')
  assertError(
    await owner.post('/api-v1-contacts', { first_name: 'Grace', organization_id: id }),
    400,
    'VALIDATION_ERROR',
    'Organization not found',
  )
  assert.equal((await owner.get(`/api-v1-organizations/${id}`, inTest)).status, 200)
})

test('Activities of the console have a user; those of a key have none', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const key = (await owner.post('/api-v1-keys', { name: 'CI', scopes: ['write:all', 'read:all'] })).body.data.key

  const logged = await member.post('/api-v1-activities', { type: 'call', user_id: 'somebody', metadata: { a: 1 } })
  const byKey = await member.post('/api-v1-activities', { type: 'call' }, { Authorization: `Bearer ${key}` })
  const task = await member.post('/api-v1-tasks', { title: 'Call back' })

  assert.equal(logged.body.data.user_id, member.id)
  assert.equal(logged.body.data.user.full_name, 'The member')
  assert.deepEqual(logged.body.data.metadata, { a: 1, created_via: 'console' })
  assert.deepEqual([byKey.body.data.user_id, byKey.body.data.metadata.created_via], [null, 'api'])
  assert.equal(task.body.data.metadata.created_via, 'console')
})

test('The console gets the same validation errors as an API key', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)

  const response = await owner.post('/api-v1-deals', { value: 'much', currency: 'euro' })

  assertError(response, 400, 'VALIDATION_ERROR', 'Title is required', ['title', 'value', 'currency'])
  assertError(await owner.get('/api-v1-deals?colour=red'), 400, 'VALIDATION_ERROR')
})

test('The pipeline’s sums are by stage and currency, for one workspace, without deleted deals', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const [lead, won] = (await owner.get('/api-v1-stages')).body.data
  const deal = (title: string, value: number, more: object = {}, headers?: Record<string, string>) =>
    owner.post('/api-v1-deals', { title, value, ...more }, headers)
  await deal('a', 100)
  await deal('b', 50.5)
  await deal('c', 7, { currency: 'CHF' })
  await deal('d', 9, { stage_id: won.id })
  await deal('test', 1, {}, inTest)
  const { id } = (await deal('gone', 1_000)).body.data
  await owner.delete(`/api-v1-deals/${id}`)

  const { body } = await owner.get('/api-v1-deals/summary?group_by=stage_id,currency&measure=sum:value')

  assert.deepEqual(
    body.data.sort((a: { 'sum:value': number }, b: { 'sum:value': number }) => b['sum:value'] - a['sum:value']),
    [
      { group: { stage_id: lead.id, currency: 'EUR' }, count: 2, 'sum:value': 150.5 },
      { group: { stage_id: won.id, currency: 'EUR' }, count: 1, 'sum:value': 9 },
      { group: { stage_id: lead.id, currency: 'CHF' }, count: 1, 'sum:value': 7 },
    ],
  )
})

test("The console's requests have a high limit and do not count against any key", async (t) => {
  const server = await start(t, { rateLimits: 'plan' })
  const owner = await newOwner(server)

  const { headers } = await owner.get('/api-v1-deals')

  assert.equal(headers.get('x-ratelimit-limit'), '1000')
  await server.usage.flush()
  assert.equal(server.store.access.value('SELECT count(*) FROM api_key_usage'), 0)
})

test('A session is not an API key: /api-v1-me is not available to it', async (t) => {
  const owner = await newOwner(await start(t))

  assertError(await owner.get('/api-v1-me'), 404, 'NOT_FOUND', 'API key not found')
})

/** decision B15 */
test('A POST of a session with an Idempotency-Key is processed once for its user, in every session', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const member = await newColleague(server, 'member')
  const once = (by: Visitor, name = 'Nordwind', headers = {}) =>
    by.post('/api-v1-organizations', { name }, { 'Idempotency-Key': 'one', ...headers })

  const [first, again] = [await once(owner), await once(owner)]
  const others = [await once(member), await once(owner, 'Nordwind', inTest)]

  assert.deepEqual([first.status, again.body], [201, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  for (const each of others) assert.equal(each.headers.get('idempotent-replayed'), null)
  assertError(await once(owner, 'Other'), 409, 'CONFLICT', 'This Idempotency-Key was used for another request')
  server.clock.advance(86_400_001)
  assert.equal((await once(owner)).headers.get('idempotent-replayed'), null)
  const stored = server.store.access.value('SELECT count(*) FROM idempotent_user_answer')
  assert.equal(stored, 2, 'the new one, and that of the test data, where nothing was sent since')
})

test('Responses to a user are stored sealed: the text of a new key is not in the database', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const create = () => owner.post('/api-v1-keys', { name: 'CI', scopes: ['read:all'] }, { 'Idempotency-Key': 'one' })

  const { key } = (await create()).body.data

  assert.equal((await create()).body.data.key, key)
  const stored = server.store.access.values<string>('SELECT answer FROM idempotent_user_answer')
  assert.equal(stored.length, 1)
  assert.ok(!stored[0]!.includes(key) && !Buffer.from(stored[0]!, 'base64').includes(key))
})

test('A response that shows an erased record is not repeated to the user who created it', async (t) => {
  const owner = await newOwner(await start(t))
  const create = () => owner.post('/api-v1-contacts', { first_name: 'Grace' }, { 'Idempotency-Key': 'one' })
  const { id } = (await create()).body.data

  await owner.delete(`/api-v1-contacts/${id}`)
  assert.equal((await owner.delete(`/api-v1-trash/${id}`)).status, 200)

  assertError(await create(), 409, 'CONFLICT')
})
