import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeBeside } from '../support/beside.ts'
import { ManualDisk } from '../support/disk.ts'
import { make } from '../support/make.ts'
import { agentFor, openAgent, post, type ToolResult } from './agent.ts'

test('The advice after saving an outdated record is to read it again, and after other conflicts to do what the message says', async (t) => {
  const { agent, client } = await openAgent(t)
  const task = await make(client, 'task')
  const given = { type: 'task', id: task.id }
  const since = '2020-01-01T00:00:00.000Z'
  const values = { priority: 'low' }
  const stale = await agent.call('save_record', { ...given, values, if_unchanged_since: since })
  await agent.use('save_record', { ...given, values: { priority: 'high' }, operation_id: 'one' })
  const { confirm_token } = await agent.use('delete_record', given)
  const { undo } = await agent.use('delete_record', { ...given, confirm_token })
  await agent.use('undo', undo)

  const reused = await agent.call('delete_record', { ...given, confirm_token })
  const other = await agent.call('save_record', { ...given, values, operation_id: 'one' })

  assert.deepEqual(
    [stale, reused, other].map(({ error }) => error.code),
    Array(3).fill('CONFLICT'),
  )
  assert.match(stale.error.advice, /Read the record again/)
  for (const { error } of [reused, other]) assert.match(error.advice, /Do what the message says/)
})

test('The advice after reading a record that was merged names the one that survives', async (t) => {
  const { agent, client } = await openAgent(t)
  const [kept, merged] = [await make(client, 'contact'), await make(client, 'contact')]
  await client.post(`/api-v1-contacts/${kept.id}/merge`, { with: [merged.id] })

  const got = await agent.call('get_record', { type: 'contact', id: merged.id })
  const fetched = await agent.call('fetch', { id: `contact:${merged.id}` })

  for (const { error } of [got, fetched]) {
    assert.deepEqual([error.code, error.advice], ['NOT_FOUND', `It was merged into ${kept.id}: read that record.`])
  }
})

test('The advice for a repeated call is to wait while the first one is running', async (t) => {
  const disk = new ManualDisk()
  const { agent } = await openAgent(t, { durability: disk })
  const given = { type: 'task', values: { title: 'Call' }, operation_id: 'one' }
  disk.held = true
  const syncing = disk.syncing()

  const first = agent.call('save_record', given)
  await syncing
  const { error } = await agent.call('save_record', given)
  disk.held = false
  disk.confirm()

  assert.equal(error.message, 'A request with this operation_id is still running')
  assert.match(error.advice, /^Wait some seconds, then call again with the same operation_id/)
  assert.equal((await first).isError, false)
})

test('The advice after an undo that finds no changes is where to find them', async (t) => {
  const { agent } = await openAgent(t)

  for (const given of [{ seq: 99 }, { request_id: 'none' }]) {
    const { error } = await agent.call('undo', given)
    assert.deepEqual(
      [error.code, error.advice.slice(0, 42)],
      ['NOT_FOUND', 'Find request_id and seq with list_changes.'],
    )
  }
  assert.match((await agent.call('complete_task', { id: 'none' })).error.advice, /^Find the id with search/)
})

test('An error names the argument of the tool, not what the API calls it', async (t) => {
  const { agent, client } = await openAgent(t)
  const { id: record_id } = await make(client, 'contact')
  const faultOf = async (tool: string, given: object) => {
    const { message, details } = (await agent.call(tool, given)).error
    return [message.split(' ')[0], details[0].field, details[0].message.split(' ')[0]]
  }

  assert.deepEqual(await faultOf('search', { query: '' }), Array(3).fill('query'))
  assert.deepEqual(await faultOf('search', {}), Array(3).fill('query'))
  assert.deepEqual(await faultOf('list_changes', { type: 'contact', record_id, after: 'x' }), Array(3).fill('after'))
  assert.deepEqual(await faultOf('list_changes', { after: 'x' }), Array(3).fill('after'))
})

test('undo asks for the arguments that it has', async (t) => {
  const { agent } = await openAgent(t)

  for (const given of [{}, { seq: 1, request_id: 'x' }]) {
    const { error } = await agent.call('undo', given)
    assert.deepEqual([error.code, error.message], ['VALIDATION_ERROR', 'Give either request_id or seq'])
  }
})

test('The result of a call that failed by a bug has the id of the request, which the agent can tell its user', async (t) => {
  const { url, client, path } = await openAgent(t)
  const agent = agentFor({ url, key: client.key, headers: { 'X-Request-Id': 'the-one' } })
  changeBeside({ path }, (db) => void db.exec('ALTER TABLE activity RENAME TO gone'))

  const { error } = await agent.call('list_records', { type: 'activity' })

  assert.deepEqual([error.code, error.request_id], ['INTERNAL_ERROR', 'the-one'])
  assert.match(error.advice, /request_id/)
})

test('The advice to wait names operation_id only where the call has one, and where a change may have been made how to see that', async (t) => {
  const { url, client } = await openAgent(t, { limits: { unreadBytesPerClientMax: 100_000 } })
  await make(client, 'task', { description: 'x'.repeat(90_000) })
  const list = ['list_records', { type: 'task' }] as const
  const save = (more: object) => ['save_record', { type: 'task', values: { title: 'Call' }, ...more }] as const
  const calls = [list, list, save({}), save({ dry_run: true }), save({ operation_id: 'one' })]
  const batch = calls.map(([name, given], id) => {
    return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }
  })

  const { body } = await post(`${url}/mcp`, batch, { Authorization: `Bearer ${client.key}` })

  const [, ...advice] = body.map(({ result }: { result: ToolResult }) => result.structuredContent.error?.advice)
  assert.deepEqual(advice, [
    'Wait some seconds, then call again.',
    'Wait some seconds, find out with list_changes whether it has changed something, and call again if not.',
    'Wait some seconds, then call again.',
    'Wait some seconds, then call again with the same operation_id.',
  ])
})

test('The advice after a repeated call whose change was made, but whose result is gone, does not say that nothing has changed', async (t) => {
  const { agent, client } = await openAgent(t)
  const given = { type: 'task', values: { title: 'Call' }, operation_id: 'one' }
  const { data } = await agent.use('save_record', given)
  await client.delete(`/api-v1-tasks/${data.id}`)
  await client.delete(`/api-v1-trash/${data.id}`)

  const { error } = await agent.call('save_record', given)

  assert.match(error.message, /^This request has been processed/)
  assert.doesNotMatch(error.advice, /nothing/)
})
