import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProposing, proposals } from '../mcp/proposing.ts'
import { createUnder, people } from './under-request.ts'

const some = 60

test('An agent proposes to undo many changes, and a user applies the proposal', async (t) => {
  const { store, client, propose, user } = await openProposing(t)
  await createUnder(store, client, 'nightly', people(some))

  const proposal = await propose('undo', { request_id: 'nightly' })
  assert.equal(proposal.changes_total, some)
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, some)
  const applied = await user.post(`${proposals}/${proposal.id}/apply`)

  assert.equal(applied.body.data.status, 'applied', JSON.stringify(applied.body))
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 0)
})

test('A large proposal that is applied again with the same Idempotency-Key gives the first response', async (t) => {
  const { store, client, propose, user } = await openProposing(t)
  await createUnder(store, client, 'nightly', people(some))
  const { id } = await propose('undo', { request_id: 'nightly' })
  const apply = () => user.post(`${proposals}/${id}/apply`, undefined, { 'Idempotency-Key': 'one' })

  const first = await apply()
  const again = await apply()

  assert.equal(first.status, 200)
  assert.deepEqual([again.status, again.body], [200, first.body])
})

test('A proposal to undo many changes is refused once one of its records has changed', async (t) => {
  const { store, client, propose, user } = await openProposing(t)
  const [id] = await createUnder(store, client, 'nightly', people(some))
  const proposal = await propose('undo', { request_id: 'nightly' })
  await client.patch(`/api-v1-contacts/${id}`, { job_title: 'CEO' })

  const { status, body } = await user.post(`${proposals}/${proposal.id}/apply`)

  assert.deepEqual([status, body.error.code], [409, 'CONFLICT'])
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, some)
})

test('What an agent undoes in several steps cannot be proposed, but is predicted and undone', async (t) => {
  const { store, client, agent, keyId } = await openProposing(t)
  await createUnder(store, client, 'nightly', people(1_100))

  const { error } = await agent.call('undo', { request_id: 'nightly' })
  assert.match(error.message, /can be neither tried out nor proposed/)
  const dry = await agent.use('undo', { request_id: 'nightly', dry_run: true })
  assert.deepEqual([dry.dry_run, dry.data.reversed.length], [true, 1_100])
  assert.equal((await client.get('/api-v1-contacts')).body.pagination.total, 1_100)
  await client.patch(`/api-v1-keys/${keyId}`, { mcp_mode: 'write' })
  const { data, undo } = await agent.use('undo', { request_id: 'nightly' })

  assert.equal(data.reversed.length, 1_100)
  const back = await agent.use('undo', undo)
  assert.equal(back.data.reversed.length, 1_100)
})
