import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { updateKey } from '../../src/access/key.ts'
import { serveOvertaken } from '../access/overtake.ts'
import { readChanges } from '../support/changes.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { type AgentOptions, agentFor } from './agent.ts'

async function open(t: TestContext, mcpMode?: 'read' | 'propose' | 'write') {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const keyClient = await key()
  if (mcpMode) await client.patch(`/api-v1-keys/${keyClient.keyId}`, { mcp_mode: mcpMode })
  const agent = (options: Partial<AgentOptions> = {}) => agentFor({ url: server.url, key: keyClient.key, ...options })
  return { ...server, client, keyId: keyClient.keyId, agent }
}

const elicits = { capabilities: { elicitation: {} } }
const opensLinks = { capabilities: { elicitation: { url: {} } } }
const toolNames = async (agent: ReturnType<typeof agentFor>) =>
  (await agent.send('tools/list')).body.result.tools.map(({ name }: { name: string }) => name)

test('A read-only connection has no tool that writes, whether the path, the header or the key says so', async (t) => {
  const { agent, client, keyId } = await open(t)
  const readers = [agent({ path: '/mcp/readonly' }), agent({ headers: { 'Kontor-Mcp-Mode': 'read' } })]

  for (const reader of readers) {
    const names = await toolNames(reader)
    assert.equal(names.length, 7)
    const { error } = await reader.call('save_record', { type: 'task', values: { title: 'x' } })
    assert.match(error.message, /only reads/)
  }
  await client.patch(`/api-v1-keys/${keyId}`, { mcp_mode: 'read' })
  assert.equal((await toolNames(agent({ headers: { 'Kontor-Mcp-Mode': 'write' } }))).length, 7)
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 0)
})

test('The header can only narrow the mode of the key, and an unknown mode is refused', async (t) => {
  const { agent, client } = await open(t, 'propose')

  const { proposal } = await agent({ headers: { 'Kontor-Mcp-Mode': 'write' } }).use('save_record', {
    type: 'task',
    values: { title: 'Call' },
  })
  const { status, body } = await agent({ headers: { 'Kontor-Mcp-Mode': 'all' } }).send('tools/list')

  assert.equal(proposal.status, 'open')
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 0)
  assert.deepEqual([status, body.error.details[0].field], [400, 'Kontor-Mcp-Mode'])
})

test('The log names the key as the author, and the client and the tool as the cause, also of merges and undos', async (t) => {
  const { agent, client, keyId } = await open(t)
  const [one, two] = [await make(client, 'contact'), await make(client, 'contact')]

  const { data, undo } = await agent().use('save_record', { type: 'task', values: { title: 'Call' } })
  await agent().use('undo', undo)
  const { confirm_token } = await agent().use('merge_records', { type: 'contact', id: one.id, with: [two.id] })
  await agent().use('merge_records', { type: 'contact', id: one.id, with: [two.id], confirm_token })

  const changes = await readChanges(client)
  const of = (type: string) => changes.filter((change) => change.type === type).at(-1)
  const mcp = (tool: string) => ({ client: 'test-agent 1.0', tool })
  const created = of('task.created')
  assert.deepEqual([created.record_id, created.actor.type, created.actor.id], [data.id, 'api_key', keyId])
  assert.deepEqual([created.request_id, created.cause], [undo.request_id, { mcp: mcp('save_record') }])
  assert.deepEqual(of('task.deleted').cause, { mcp: mcp('undo'), reverts: [created.seq] })
  assert.deepEqual(of('contact.merged').cause, { mcp: mcp('merge_records'), merge: one.id })
})

test('A dry run shows every field before and after, and changes nothing', async (t) => {
  const { agent, client } = await open(t)
  const contact = await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber', job_title: 'CTO' })
  const other = await make(client, 'contact', { first_name: 'Ada' })
  const task = await make(client, 'task', { contact_id: other.id })
  const before = (await readChanges(client)).length
  const shown = async (tool: string, given: object) => {
    const { dry_run, changes, changes_total } = await agent().use(tool, {
      ...given,
      dry_run: true,
      operation_id: 'same',
    })
    assert.deepEqual([dry_run, changes_total], [true, changes.length])
    return changes
  }

  const [saved] = await shown('save_record', {
    type: 'contact',
    id: contact.id,
    values: { job_title: 'CEO', first_name: 'Ada' },
  })
  const [made] = await shown('save_record', { type: 'task', values: { title: 'Call' } })
  const [deleted] = await shown('delete_record', { type: 'contact', id: contact.id })
  const [completed] = await shown('complete_task', { id: task.id })
  const merged = await shown('merge_records', { type: 'contact', id: contact.id, with: [other.id] })
  const [undone] = await shown('undo', { seq: (await readChanges(client)).at(-1).seq })
  await shown('log_activity', { type: 'note', contact_id: contact.id })

  assert.deepEqual(saved, {
    ...{ type: 'contact.updated', record_id: contact.id, title: 'Ada Weber' },
    fields: { job_title: { before: 'CTO', after: 'CEO' } },
  })
  assert.deepEqual([made.type, made.fields.title], ['task.created', { before: null, after: 'Call' }])
  assert.deepEqual([deleted.type, deleted.fields.job_title], ['contact.deleted', { before: 'CTO', after: null }])
  assert.deepEqual(completed.fields.status, { before: task.status, after: 'completed' })
  assert.ok(merged.some(({ type }: { type: string }) => type === 'contact.deleted'))
  assert.equal(undone.type, 'task.deleted')
  assert.equal((await readChanges(client)).length, before)
  assert.deepEqual((await client.get(`/api-v1-contacts/${contact.id}`)).body.data, contact)
})

test('A call that is repeated with its operation_id is processed once and returns the same handle, also after a restart of the client', async (t) => {
  const { agent, client } = await open(t)
  const given = { type: 'task', values: { title: 'Call' }, operation_id: 'op-1' }

  const [first, again] = [await agent().use('save_record', given), await agent().use('save_record', given)]
  const other = await agent().call('save_record', { ...given, values: { title: 'Write' } })
  const completed = [0, 1].map(() => agent().call('complete_task', { id: first.data.id, operation_id: 'op-2' }))
  const results = await Promise.all(completed)

  assert.deepEqual(again, first)
  assert.equal(other.error.code, 'CONFLICT')
  assert.match(other.error.message, /operation_id/)
  assert.ok(results.some(({ isError }) => !isError))
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 1)
  assert.equal((await readChanges(client)).filter(({ type }) => type.startsWith('task.')).length, 2)
})

test('A deletion needs the token of its first call, once, within ten minutes, with the same arguments and the same key', async (t) => {
  const { agent, client, clock, url, company } = await open(t)
  const contact = await make(client, 'contact', { first_name: 'Ada' })
  const given = { type: 'contact', id: contact.id }
  const deleteWith = (confirm_token: string, by = agent()) => by.call('delete_record', { ...given, confirm_token })
  const stranger = agentFor({ url, key: (await company('Acme 2')).client.key })

  const asked = await agent().use('delete_record', given)
  const foreign = await deleteWith(asked.confirm_token, stranger)
  const another = await agent().call('delete_record', { ...given, type: 'task', confirm_token: asked.confirm_token })
  const forged = await deleteWith(asked.confirm_token.replace(/.$/, (end: string) => (end === 'A' ? 'E' : 'A')))
  const still = await client.get(`/api-v1-contacts/${contact.id}`)
  const done = await deleteWith(asked.confirm_token)
  await agent().use('undo', done.undo)
  const reused = await deleteWith(asked.confirm_token)
  const late = (await agent().use('delete_record', given)).confirm_token
  clock.advance(600_000)
  const expired = await deleteWith(late)

  assert.deepEqual([asked.expires_in, asked.changes[0].type], [600, 'contact.deleted'])
  for (const refused of [foreign, another, forged]) assert.equal(refused.error.details[0].field, 'confirm_token')
  assert.equal(still.status, 200)
  assert.equal(done.isError, false)
  assert.deepEqual([reused.error.code, expired.error.code], ['CONFLICT', 'VALIDATION_ERROR'])
  assert.match(expired.error.message, /expired/)
  assert.equal((await client.get(`/api-v1-contacts/${contact.id}`)).status, 200)
})

test('A client that can ask its user is asked, and nothing is deleted unless the user agrees to this call', async (t) => {
  const { agent, client } = await open(t)
  const [contact, other] = [await make(client, 'contact', { first_name: 'Ada' }), await make(client, 'contact')]
  const given = { type: 'contact', id: contact.id }
  const answer = (action: string, confirm: boolean, requestState: string, of = given) =>
    agent(elicits).call('delete_record', of, {
      inputResponses: { confirm: { action, content: { confirm } } },
      requestState,
    })

  const asked = await agent(elicits).call('delete_record', given)
  const cannotAsk = await agent(opensLinks).use('delete_record', given)
  const declined = await answer('decline', true, asked.requestState)
  const unchecked = await answer('accept', false, asked.requestState)
  const other2 = await answer('accept', true, asked.requestState, { ...given, id: other.id })
  const agreed = await answer('accept', true, asked.requestState)
  const again = await answer('accept', true, asked.requestState)

  assert.equal(asked.resultType, 'input_required')
  assert.ok(cannotAsk.confirm_token)
  const [[name, { method, params }]] = Object.entries(asked.inputRequests) as [[string, Record<string, never>]]
  assert.deepEqual([name, method], ['confirm', 'elicitation/create'])
  assert.match((params as unknown as { message: string }).message, /Delete contact Ada/)
  assert.deepEqual(
    [declined.error.code, unchecked.error.code, other2.error.code],
    ['CONFLICT', 'CONFLICT', 'VALIDATION_ERROR'],
  )
  assert.equal(agreed.isError, false)
  assert.equal(again.isError, true)
  assert.equal((await client.get(`/api-v1-contacts/${contact.id}`)).status, 404)
})

test('A key whose mode becomes narrower right before its call writes, writes nothing', async (t) => {
  const server = await serveOvertaken(t)
  const client = await server.client()
  const agent = agentFor({ url: server.url, key: client.key })

  const { error } = await server.overtake(
    () => agent.call('save_record', { type: 'task', values: { title: 'Late' } }),
    (tx) => updateKey(tx, client.keyId, { mcp_mode: 'read' }),
  )

  assert.equal(error.code, 'INSUFFICIENT_PERMISSIONS')
  assert.equal((await client.get('/api-v1-tasks')).body.pagination.total, 0)
})

test('A trial, a question and a proposal tell a key that only writes nothing of the records that it would change', async (t) => {
  const server = await start(t)
  const { client, key } = await server.company('Acme')
  const secret = { first_name: 'Ada', last_name: 'Weber', emails: [{ email: 'ada@acme.example' }] }
  const contact = await make(client, 'contact', secret)
  const writer = await key({ scopes: ['write:contacts'] })
  const agent = (mode: string) => agentFor({ url: server.url, key: writer.key, headers: { 'Kontor-Mcp-Mode': mode } })
  const saved = { type: 'contact', match_on: 'email', values: { ...secret, first_name: 'X', last_name: 'Y' } }
  const removed = { type: 'contact', id: contact.id }

  const trials = [
    await agent('write').use('save_record', { ...saved, dry_run: true }),
    await agent('write').use('delete_record', { ...removed, dry_run: true }),
    await agent('write').use('delete_record', removed),
    (await agent('propose').use('save_record', saved)).proposal,
    (await agent('propose').use('delete_record', removed)).proposal,
  ]

  const types = ['updated', 'deleted', 'deleted', 'updated', 'deleted'].map((verb) => `contact.${verb}`)
  for (const [at, { changes }] of trials.entries())
    assert.deepEqual(changes, [{ type: types[at], record_id: contact.id, title: '', fields: {} }])
  assert.match(trials[2].note, new RegExp(`Delete contact ${contact.id}\\?`))
  const { data } = (await client.get('/api-v1-proposals')).body
  assert.deepEqual(data[1].changes[0].fields.last_name, { before: 'Weber', after: 'Y' })
})
