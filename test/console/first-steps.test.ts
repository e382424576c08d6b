import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { assertError } from '../support/client.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'

const path = '/console/sample-data'
const lists = ['organizations', 'contacts', 'deals', 'tasks'] as const

const steps = async (visitor: Visitor, environment = 'live') =>
  (await visitor.get('/console/first-steps', { 'Kontor-Environment': environment })).body.data

async function totals(visitor: Visitor, environment = 'live'): Promise<number[]> {
  const read = (name: string) => visitor.get(`/api-v1-${name}`, { 'Kontor-Environment': environment })
  return (await Promise.all(lists.map(read))).map(({ body }) => body.pagination.total)
}

test('Each first step is done by what it asks for, and by nothing else', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const expected = { contacts: false, stages: false, colleagues: false, deals: false, samples: 'possible' }
  assert.deepEqual(await steps(owner), expected)

  const [stage] = (await owner.get('/api-v1-stages')).body.data
  server.clock.advance(1_000)
  await owner.patch(`/api-v1-stages/${stage.id}`, { name: 'Request' })
  assert.deepEqual(await steps(owner), { ...expected, stages: true })
  await owner.post('/api-v1-deals', { title: 'Hampers' })
  assert.deepEqual(await steps(owner), { ...expected, stages: true, deals: true, samples: 'none' })
  await owner.post('/api-v1-contacts', { first_name: 'Grace' })
  await newColleague(server, 'member')
  const done = { contacts: true, stages: true, colleagues: true, deals: true, samples: 'none' }
  assert.deepEqual(await steps(owner), done)
  assert.deepEqual(await steps(owner, 'test'), { ...expected, colleagues: true })
})

test('A workspace that has only products is not empty', async (t) => {
  const owner = await newOwner(await start(t))
  await owner.post('/api-v1-products', { name: 'Hamper' })

  assert.equal((await steps(owner)).samples, 'none')
  assertError(await owner.post(path), 409, 'CONFLICT')
})

test('Sample data is added once, to an empty workspace, and is not counted as a first step', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)

  const answers = await Promise.all([owner.post(path), owner.post(path)])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  assert.deepEqual(await totals(owner), [5, 10, 8, 4])
  assert.deepEqual(await totals(owner, 'test'), [0, 0, 0, 0])
  const expected = { contacts: false, stages: false, colleagues: false, deals: false, samples: 'present' }
  assert.deepEqual(await steps(owner), expected)
  const stages = (await owner.get('/api-v1-deals/summary?group_by=stage_id')).body.data
  assert.equal(stages.length, 6, 'the deals are in all stages')
  const { body } = await owner.get('/api-v1-changes?limit=100')
  const requests = body.data.filter(({ actor }: { actor: { type: string } }) => actor.type === 'user')
  assert.equal(new Set(requests.map(({ request_id }: { request_id: string }) => request_id)).size, 1)
})

test('Sample data is removed completely by any owner or admin, days later too, except what was changed since', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const admin = await newColleague(server, 'admin')
  assert.equal((await owner.post(path)).status, 201)
  server.clock.advance(3 * dayMs)
  const own = (await owner.post('/api-v1-organizations', { name: 'A customer' })).body.data
  const [deal] = (await owner.get('/api-v1-deals?title=Staff hampers')).body.data
  await owner.patch(`/api-v1-deals/${deal.id}`, { value: 10_000 })

  const { status, body } = await admin.delete(path)

  assert.equal(status, 200)
  assert.equal(body.data.reversed.length, 26)
  assert.deepEqual(
    [...body.data.kept, ...body.data.errored].map(({ record_id }: { record_id: string }) => record_id),
    [deal.id],
  )
  assert.deepEqual(await totals(owner), [1, 0, 1, 0])
  assert.equal((await owner.get(`/api-v1-organizations/${own.id}`)).status, 200)
  assert.equal((await steps(owner)).samples, 'none')
  assertError(await owner.delete(path), 404, 'NOT_FOUND')
  assertError(await owner.post(path), 409, 'CONFLICT')
})

test('Sample data can be added again after it was removed, and each workspace has its own', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server)
  const other = await newOwner(server)
  const inTest = { 'Kontor-Environment': 'test' }
  await other.post(path)
  await owner.post(path)
  await owner.post(path, {}, inTest)

  assert.equal((await owner.delete(path)).status, 200)

  assert.deepEqual(await totals(owner), [0, 0, 0, 0])
  assert.deepEqual(await totals(owner, 'test'), [5, 10, 8, 4])
  assert.deepEqual(await totals(other), [5, 10, 8, 4])
  assert.equal((await owner.post(path)).status, 201)
  assert.deepEqual(await totals(owner), [5, 10, 8, 4])
})

test('Sample data respects the plan, is refused to members, and cannot be added from another site', async (t) => {
  const server = await start(t)
  const owner = await newOwner(server, 'free')
  const member = await newColleague(server, 'member')

  assertError(await member.get('/console/first-steps'), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await member.post(path), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await member.delete(path), 403, 'INSUFFICIENT_PERMISSIONS')
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' }
  assertError(await owner.post(path, {}, crossSite), 403, 'INSUFFICIENT_PERMISSIONS')
  assertError(await owner.delete(path, crossSite), 403, 'INSUFFICIENT_PERMISSIONS')
  await server.store.writeAccess((tx) => updatePlan(tx, 'free', { max_deals: 7 }))
  assertError(await owner.post(path), 403, 'PLAN_LIMIT_EXCEEDED')
  assert.deepEqual(await totals(owner), [0, 0, 0, 0])
  assert.equal((await steps(owner)).samples, 'possible')
})
