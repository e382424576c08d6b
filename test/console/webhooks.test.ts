import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updatePlan } from '../../src/access/plan.ts'
import { Receiver } from '../features/webhooks/receiver.ts'
import { webhooksPath } from '../features/webhooks/webhooks.ts'
import { assertError } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

interface Delivery {
  id: string
  type: string
}

const requestOf = (visitor: Visitor, { id }: { id: string }, headers = {}) =>
  visitor.get(`/console/webhook-deliveries/${id}/request`, headers)

/** A company whose changes of organizations are sent to a receiver. */
async function open(t: TestContext) {
  const server = await start(t, { webhooks: 'here' })
  const owner = await newOwner(server)
  const receiver = await Receiver.open(t)
  const made = await owner.post(webhooksPath, { url: receiver.url, events: ['organization.*'] })
  const path = `${webhooksPath}/${made.body.data.id}`
  const read = async () => (await owner.get(`${path}/deliveries?status=succeeded`)).body.data as Delivery[]
  const delivered = (count: number) =>
    until(`${count} deliveries have succeeded`, read, { is: ({ length }) => length === count })
  return { server, owner, receiver, path, delivered }
}

test('The request of a delivery is the body that was sent, also for members', async (t) => {
  const { server, owner, receiver, path, delivered } = await open(t)
  const member = await newColleague(server, 'member')
  await owner.post('/api-v1-organizations', { name: 'Nordwind' })
  await receiver.until(1)
  await owner.post(`${path}/ping`)
  const [ping, created] = await delivered(2)

  assert.deepEqual([ping!.type, created!.type], ['webhook.ping', 'organization.created'])
  const [first, second] = receiver.received
  for (const visitor of [owner, member]) {
    assert.deepEqual((await requestOf(visitor, created!)).body.data, { body: first!.body })
    assert.deepEqual((await requestOf(visitor, ping!)).body.data, { body: second!.body })
  }
})

test('The request of a thin webhook has no data, and that of an erased record nothing of its values', async (t) => {
  const { owner, path, delivered } = await open(t)
  const { id } = (await owner.post('/api-v1-organizations', { name: 'Nordwind' })).body.data
  const [created] = await delivered(1)

  await owner.patch(path, { payload: 'thin' })
  const thin = JSON.parse((await requestOf(owner, created!)).body.data.body)
  await owner.patch(path, { payload: 'full' })
  const full = JSON.parse((await requestOf(owner, created!)).body.data.body)
  await owner.delete(`/api-v1-organizations/${id}`)
  await owner.delete(`/api-v1-trash/${id}`)
  const erased = (await requestOf(owner, created!)).body.data.body

  assert.deepEqual([thin.record_id, 'data' in thin, full.data.name], [id, false, 'Nordwind'])
  assert.ok(erased.includes(id))
  assert.ok(!erased.includes('Nordwind'))
})

test('A request is shown only in its own workspace, and only while the plan includes webhooks', async (t) => {
  const { server, owner, delivered } = await open(t)
  await owner.post('/api-v1-organizations', { name: 'Nordwind' })
  const [created] = await delivered(1)
  const stranger = await newOwner(server)

  assertError(await requestOf(stranger, created!), 404, 'NOT_FOUND')
  assertError(await requestOf(owner, created!, { 'Kontor-Environment': 'test' }), 404, 'NOT_FOUND')
  assertError(await requestOf(owner, { id: unknownId }), 404, 'NOT_FOUND')
  assertError(await requestOf(owner, { id: 'x' }), 404, 'NOT_FOUND')
  await server.store.writeAccess((tx) => updatePlan(tx, 'enterprise', { webhooks: false }))
  assertError(await requestOf(owner, created!), 403, 'FEATURE_NOT_ENABLED')
})
