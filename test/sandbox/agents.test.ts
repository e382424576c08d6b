import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { agentFor } from '../support/agent.ts'
import { control, forkOf, freeze, openSandbox } from '../support/sandbox.ts'

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
