import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { agentFor } from './agent.ts'

async function open(t: TestContext) {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const { key: secret, keyId } = await key()
  const turn = (mode: 'propose' | 'write') => client.patch(`/api-v1-keys/${keyId}`, { mcp_mode: mode })
  return { ...server, client, secret, turn, agent: agentFor({ url: server.url, key: secret }) }
}

const totalOf = async ({ get }: { get: (path: string) => Promise<{ body: { pagination: { total: number } } }> }) =>
  (await get('/api-v1-tasks')).body.pagination.total

test('A repeated proposal is shown as a proposal when the mode is write by then, and nothing is written', async (t) => {
  const { agent, client, turn } = await open(t)
  const given = { type: 'task', values: { title: 'Call Ada' }, operation_id: 'ada-1' }
  await turn('propose')
  const proposed = await agent.use('save_record', given)

  await turn('write')
  const repeated = await agent.use('save_record', given)
  const another = await agent.use('save_record', { ...given, operation_id: 'ada-2' })

  assert.deepEqual(repeated, proposed)
  assert.deepEqual([repeated.proposal.status, repeated.undo], ['open', undefined])
  assert.equal(another.data.title, 'Call Ada')
  assert.equal(await totalOf(client), 1)
})

test('A repeated write is shown as a write when the mode is propose by then, and nothing is proposed', async (t) => {
  const { agent, client, turn } = await open(t)
  const given = { type: 'task', values: { title: 'Call Ada' }, operation_id: 'ada-1' }
  const written = await agent.use('save_record', given)

  await turn('propose')
  const repeated = await agent.use('save_record', given)

  assert.deepEqual(repeated, written)
  assert.equal((await client.get('/api-v1-proposals')).body.pagination.total, 0)
})

test('An operation_id has at most 200 characters', async (t) => {
  const { agent, client } = await open(t)
  const save = (operation_id: string) =>
    agent.call('save_record', { type: 'task', values: { title: 'Call Ada' }, operation_id })

  assert.equal((await save('x'.repeat(201))).error.code, 'VALIDATION_ERROR')
  assert.equal((await save('x'.repeat(200))).isError, false)
  assert.equal(await totalOf(client), 1)
})

test('A confirmed deletion whose operation_id has been proposed is shown as the proposal', async (t) => {
  const { agent, client, turn } = await open(t)
  const { id } = await make(client, 'contact')
  const given = { type: 'contact', id, operation_id: 'delete-1' }
  await turn('propose')
  const proposed = await agent.use('delete_record', given)

  await turn('write')
  const { confirm_token } = await agent.use('delete_record', given)
  const repeated = await agent.use('delete_record', { ...given, confirm_token })

  assert.deepEqual(repeated, proposed)
  assert.equal((await client.get(`/api-v1-contacts/${id}`)).status, 200)
})

test('An operation_id never stands for a request to the API, whatever the Idempotency-Key of that is', async (t) => {
  const { agent, secret, url, client } = await open(t)
  const post = (key: string) =>
    fetch(`${url}/api-v1-tasks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ title: 'Call' }),
    })
  const posted = [await post('mcp:save_record:x9'), await post('mcp save_record x9')]

  const { data, undo } = await agent.use('save_record', {
    type: 'task',
    values: { title: 'Call' },
    operation_id: 'x9',
  })
  await agent.use('undo', undo)

  assert.deepEqual(
    posted.map(({ status }) => status),
    [201, 400],
  )
  assert.equal((await client.get(`/api-v1-tasks/${data.id}`)).status, 404)
  assert.equal(await totalOf(client), 1)
})

test('A repeated call does not conflict with its own change', async (t) => {
  const { agent, client, clock } = await open(t)
  const { id, updated_at } = await make(client, 'task')
  clock.advance(1_000)
  const given = { type: 'task', id, values: { priority: 'high' }, if_unchanged_since: updated_at, operation_id: 'x3' }

  const saved = await agent.use('save_record', given)

  assert.deepEqual(await agent.use('save_record', given), saved)
  assert.equal((await agent.call('save_record', { ...given, operation_id: 'x4' })).error.code, 'CONFLICT')
})
