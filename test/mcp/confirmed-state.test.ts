import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openMailbox } from '../support/mailbox.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { type AgentOptions, agentFor, type ToolResult } from './agent.ts'

const contacts = '/api-v1-contacts'

async function open(t: TestContext) {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const agent = (options: Partial<AgentOptions> = {}) => agentFor({ url: server.url, key: client.key, ...options })
  const of = (given: JsonRecord) => make(client, 'contact', given)
  return { ...server, client, agent, of }
}

function assertChanged({ isError, error }: ToolResult): void {
  assert.equal(isError, true)
  assert.deepEqual([error.code, /changed.*call again/.test(error.message)], ['CONFLICT', true], error.message)
}

test('A deletion that was confirmed is refused once the record has changed, and the next call shows the change', async (t) => {
  const { client, agent, of } = await open(t)
  const { id } = await of({ first_name: 'Ada', job_title: 'CTO' })
  const given = { type: 'contact', id }
  const { confirm_token } = await agent().use('delete_record', given)

  await client.patch(`${contacts}/${id}`, { job_title: 'CEO' })
  assertChanged(await agent().call('delete_record', { ...given, confirm_token }))
  await client.patch(`${contacts}/${id}`, { job_title: 'CTO' })
  assertChanged(await agent().call('delete_record', { ...given, confirm_token }))
  assert.equal((await client.get(`${contacts}/${id}`)).status, 200)

  const again = await agent().use('delete_record', given)
  await agent().use('delete_record', { ...given, confirm_token: again.confirm_token })
  assert.equal((await client.get(`${contacts}/${id}`)).status, 404)
})

test('A deletion to which a user has agreed is refused if the record has changed while the client asked', async (t) => {
  const { client, agent, of } = await open(t)
  const { id } = await of({ first_name: 'Ada' })
  const asking = agent({ capabilities: { elicitation: {} } })
  const given = { type: 'contact', id }
  const { requestState } = await asking.call('delete_record', given)

  await client.post(`${contacts}/${id}/emails`, { email: 'ada@example.com' })

  const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
  assertChanged(await asking.call('delete_record', given, { inputResponses, requestState }))
  assert.equal((await client.get(`${contacts}/${id}`)).status, 200)
})

for (const [what, change] of [
  ['a field of the survivor that stays', ({ client, one }) => client.patch(`${contacts}/${one}`, { job_title: 'CEO' })],
  ['a field of another record', ({ client, two }) => client.patch(`${contacts}/${two}`, { job_title: 'CEO' })],
  ['a task that would move', ({ client, task }) => client.patch(`/api-v1-tasks/${task}`, { title: 'Other' })],
  ['which tasks would move', ({ client, two }) => make(client, 'task', { contact_id: two })],
  ['that a task moves', ({ client, task }) => client.patch(`/api-v1-tasks/${task}`, { contact_id: null })],
] as [string, (of: JsonRecord) => Promise<unknown>][]) {
  test(`A merge that was confirmed is refused once somebody changes ${what}`, async (t) => {
    const { client, agent, of } = await open(t)
    const { id: one } = await of({ first_name: 'Ada', job_title: 'CTO' })
    const { id: two } = await of({ first_name: 'Ada' })
    const { id: task } = await make(client, 'task', { contact_id: two })
    const given = { type: 'contact', id: one, with: [two] }
    const { confirm_token } = await agent().use('merge_records', given)

    await change({ client, one, two, task })

    assertChanged(await agent().call('merge_records', { ...given, confirm_token }))
    assert.equal((await client.get(`${contacts}/${two}`)).status, 200)
  })
}

test('A confirmed merge happens although other records have changed since', async (t) => {
  const { client, agent, of } = await open(t)
  const [one, two, other] = [await of({}), await of({}), await of({})]
  await make(client, 'task', { contact_id: two.id })
  const given = { type: 'contact', id: one.id, with: [two.id] }
  const { confirm_token } = await agent().use('merge_records', given)

  await client.patch(`${contacts}/${other.id}`, { job_title: 'CEO' })
  await make(client, 'task', { contact_id: one.id })

  const { moved } = await agent().use('merge_records', { ...given, confirm_token })
  assert.equal(moved.tasks, 1)
})

test('A confirmation holds although a file of a message changes that the agent does not see', async (t) => {
  const { server, ada, shared, personal } = await openMailbox(t)
  const names = ['A', 'B']
  const [one, two] = await Promise.all(names.map((name) => make(shared, 'organization', { name })))
  await personal({ attachments: [{ name: 'a.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }] })
  const file = `/api-v1-files/${(await ada.get('/api-v1-files')).body.data[0].id}`
  assert.equal((await ada.patch(file, { organization_id: two.id })).status, 200)
  const agent = agentFor({ url: server.url, key: shared.key })
  const given = { type: 'organization', id: one.id, with: [two.id] }
  const { confirm_token } = await agent.use('merge_records', given)

  await ada.patch(file, { name: 'b.pdf' })

  await agent.use('merge_records', { ...given, confirm_token })
  assert.equal((await ada.get(file)).body.data.organization_id, one.id)
})

test('A change that is written while a confirmed deletion waits for its turn prevents it', async (t) => {
  const { client, agent, of, store } = await open(t)
  const { id } = await of({ job_title: 'CTO' })
  const given = { type: 'contact', id }
  const { confirm_token } = await agent().use('delete_record', given)

  const held = store.write(1, () => undefined)
  const changing = client.patch(`${contacts}/${id}`, { job_title: 'CEO' })
  const deleting = agent().call('delete_record', { ...given, confirm_token })
  const [{ status }, deleted] = await Promise.all([changing, deleting, held])

  if (status === 200) assertChanged(deleted)
  else assert.deepEqual([status, deleted.isError], [404, false])
})
