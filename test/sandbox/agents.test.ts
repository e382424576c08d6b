import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentFor } from '../mcp/agent.ts'
import { assertError } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'
import { control, forkOf, freeze, openSandbox } from './sandbox.ts'

/** Asks whether a record may be deleted, and deletes it. Returns both results and what the agent then finds. */
async function deleteOne(t: TestContext) {
  const sandbox = await openSandbox(t)
  await freeze(sandbox.client)
  const agent = agentFor({ url: sandbox.url, key: sandbox.client.key })
  const { data } = await agent.use('save_record', { type: 'organization', values: { name: 'Acme' } })
  const given = { type: 'organization', id: data.id }
  const asked = await agent.use('delete_record', given)
  const deleted = await agent.use('delete_record', { ...given, confirm_token: asked.confirm_token })
  return { asked, deleted, left: await agent.use('list_records', { type: 'organization' }) }
}

test('Agents get the same results in every sandbox whose clock stands still', async (t) => {
  const [one, two] = [await deleteOne(t), await deleteOne(t)]

  assert.deepEqual(one, two)
  assert.match(one.asked.confirm_token, /^\d{13}\./)
  assert.deepEqual(one.left.data, [])
})

test('An agent with the key of a fork works in the fork, and a reset takes back what it did', async (t) => {
  const sandbox = await openSandbox(t)
  const fork = await forkOf(sandbox)
  const [main, other] = [sandbox.client, fork].map(({ key }) => agentFor({ url: sandbox.url, key }))
  const total = async (agent = main!) => (await agent.use('list_records', { type: 'task' })).pagination.total

  await other!.use('save_record', { type: 'task', values: { title: 'Call' } })

  assert.deepEqual([await total(), await total(other)], [0, 1])
  await fork.post(`${control}/reset`, {})
  assert.equal(await total(other), 0)
})

test('Faults apply to the requests of agents, and the journal shows them with their messages', async (t) => {
  const { url, client } = await openSandbox(t)
  const agentWith = (headers = {}) => agentFor({ url, key: client.key, headers })
  const save = { name: 'save_record', arguments: { type: 'task', values: { title: 'Call' } } }
  const total = async () => (await client.get('/api-v1-tasks')).body.pagination.total

  const failed = await agentWith({ 'Kontor-Fault': 'status=503' }).send('tools/call', save)
  await client.put(`${control}/faults`, [{ match: { path: '/mcp*' }, do: { reset_after_commit: true }, times: 1 }])
  await assert.rejects(agentWith().send('tools/call', save))
  const after = await total()
  const done = await agentWith().send('tools/call', save)
  const foreign = await agentFor({ url, key: 'nothing', headers: { 'Kontor-Fault': 'status=503' } }).send('ping')

  assertError(failed, 503, 'SERVICE_UNAVAILABLE', 'This failure was requested: status 503')
  assert.deepEqual([after, done.status, await total(), foreign.status], [1, 200, 2, 401])
  const { data } = (await client.get(`${control}/requests?path=/mcp`)).body
  const shown = data.map(({ status, fault, body }: JsonRecord) => [status, fault, body.method])
  assert.deepEqual(shown, [
    [503, 'status=503', 'tools/call'],
    [200, 'reset-after-commit', 'tools/call'],
    [200, null, 'tools/call'],
    [401, null, 'ping'],
  ])
})
