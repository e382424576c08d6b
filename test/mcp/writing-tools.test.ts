import assert from 'node:assert/strict'
import { test } from 'node:test'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { agentFor, openAgent, post } from './agent.ts'

test('save_record creates, changes and matches records, and every write can be undone by its handle', async (t) => {
  const { agent, client } = await openAgent(t)
  const values = { first_name: 'Ada', emails: [{ email: 'ada@example.com' }] }

  const made = await agent.use('save_record', { type: 'contact', values })
  const changed = await agent.use('save_record', { type: 'contact', id: made.data.id, values: { job_title: 'CEO' } })
  const matched = await agent.use('save_record', {
    type: 'contact',
    match_on: 'email',
    values: { ...values, last_name: 'Weber' },
  })
  await agent.use('undo', changed.undo)

  const { data } = (await client.get(`/api-v1-contacts/${made.data.id}`)).body
  assert.equal(matched.data.id, made.data.id)
  assert.deepEqual([data.first_name, data.last_name, data.job_title], ['Ada', 'Weber', null])
  await agent.use('undo', matched.undo)
  await agent.use('undo', { ...made.undo, force: true })
  assert.equal((await client.get(`/api-v1-contacts/${made.data.id}`)).status, 404)
})

test('save_record refuses a record that has changed since the agent read it', async (t) => {
  const { agent, client } = await openAgent(t)
  const { id, updated_at } = await make(client, 'task', { title: 'Call' })
  const save = (since: string) => ({ type: 'task', id, values: { priority: 'high' }, if_unchanged_since: since })

  const stale = await agent.call('save_record', save('2020-01-01T00:00:00.000Z'))
  const fresh = await agent.use('save_record', save(updated_at))

  assert.equal(stale.error.code, 'CONFLICT')
  assert.equal(fresh.data.priority, 'high')
})

test('save_record compares the moment that the agent read, however it is written, and refuses what is none', async (t) => {
  const { agent, client } = await openAgent(t)
  const { id, updated_at } = await make(client, 'task', { title: 'Call' })
  const save = (since: string) => ({
    type: 'task',
    id,
    values: { title: since },
    if_unchanged_since: since,
    dry_run: true,
  })

  for (const since of [updated_at.replace('Z', '+00:00'), updated_at.replace('Z', '000z')]) {
    assert.equal((await agent.use('save_record', save(since))).data.title, since)
  }
  const { error } = await agent.call('save_record', save('just now'))
  assert.deepEqual([error.code, error.message], ['VALIDATION_ERROR', 'if_unchanged_since must be a timestamp'])
})

test('save_record refuses values that the record cannot store, instead of leaving them out', async (t) => {
  const { agent, client } = await openAgent(t)
  const { id } = await make(client, 'contact', { first_name: 'Ada' })
  const faultsOf = async (given: object) => {
    const { error } = await agent.call('save_record', { type: 'contact', ...given })
    return error?.details.map(({ message }: { message: string }) => message.replace(/(allowed: first_name).*/, '$1'))
  }

  const values = { first_name: 'Bo', email: 'bo@example.com', 'metadata.tier': 'gold', created_at: '2020-01-01' }
  assert.deepEqual(await faultsOf({ values }), [
    '"email" cannot be set; allowed: first_name',
    '"metadata.tier" cannot be set; allowed: first_name',
    '"created_at" cannot be set; allowed: first_name',
  ])
  assert.deepEqual(await faultsOf({ id, values: { job_title: 'CEO', emails: [] } }), [
    '"emails" cannot be set; allowed: first_name',
  ])
  assert.deepEqual(
    (await client.get('/api-v1-contacts')).body.data.map((each: { first_name: string; job_title: string }) => [
      each.first_name,
      each.job_title,
    ]),
    [['Ada', null]],
  )
})

test('log_activity and complete_task do what they say', async (t) => {
  const { agent, client } = await openAgent(t)
  const [contact, task] = [await make(client, 'contact'), await make(client, 'task')]

  const logged = await agent.use('log_activity', {
    type: 'call',
    subject: 'Asked for an offer',
    contact_id: contact.id,
  })
  const completed = await agent.use('complete_task', { id: task.id })

  assert.deepEqual([logged.data.type, logged.data.contact_id], ['call', contact.id])
  assert.equal(completed.data.status, 'completed')
})

test('Wrong arguments are results that name each of them, and what is allowed', async (t) => {
  const { agent } = await openAgent(t)
  const faultsOf = async (tool: string, given: object) => {
    const { error, isError } = await agent.call(tool, given)
    assert.equal(isError, true)
    return [error.code, error.details?.map(({ field }: { field: string }) => field), error.advice]
  }
  const advice = 'Correct the named values and call again. describe shows the fields of a type.'

  assert.deepEqual(await faultsOf('save_record', { type: 'robot', color: 1 }), [
    'VALIDATION_ERROR',
    ['type', 'color', 'values'],
    advice,
  ])
  assert.deepEqual(await faultsOf('merge_records', { type: 'contact', id: 1, with: 'x' }), [
    'VALIDATION_ERROR',
    ['id', 'with'],
    advice,
  ])
  assert.deepEqual(await faultsOf('save_record', { type: 'deal', values: { value: 'many' } }), [
    'VALIDATION_ERROR',
    ['title', 'value'],
    advice,
  ])
  assert.deepEqual(await faultsOf('fetch', { id: 'robot:1' }), ['VALIDATION_ERROR', ['id'], advice])
  assert.deepEqual((await faultsOf('get_record', { type: 'deal', id: '../api-v1-keys' }))[0], 'NOT_FOUND')
  assert.deepEqual((await faultsOf('list_records', { type: 'deal', filter: 'colour=red' }))[0], 'VALIDATION_ERROR')
})

test('Metadata with a number that cannot be stored exactly is refused, as by the API', async (t) => {
  const { url, client } = await openAgent(t)
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = {
    name: 'save_record',
    arguments: { type: 'task', values: { title: 'x', metadata: { id: 'N' } } },
    _meta: meta,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }).replace(
    '"N"',
    '12345678901234567890',
  )
  const headers = {
    ...{ Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' },
    ...{ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'save_record' },
  }

  const { result } = (await post(`${url}/mcp`, body, headers)).body

  assert.equal(result.structuredContent.error.code, 'VALIDATION_ERROR')
  assert.match(result.structuredContent.error.message, /12345678901234567890/)
})

test('An agent of one company sees and changes nothing of another one', async (t) => {
  const { url, company } = await start(t)
  const [acme, other] = [await company('Acme'), await company('Other')]
  const agent = agentFor({ url, key: other.client.key })
  const contact = await make(acme.client, 'contact', { first_name: 'Ada' })

  const { results } = await agent.use('search', { query: 'ada' })
  const codes = [
    await agent.call('get_record', { type: 'contact', id: contact.id }),
    await agent.call('fetch', { id: `contact:${contact.id}` }),
    await agent.call('save_record', { type: 'contact', id: contact.id, values: { first_name: 'Eve' } }),
    await agent.call('delete_record', { type: 'contact', id: contact.id }),
  ].map(({ error }) => error.code)

  assert.deepEqual(results, [])
  assert.deepEqual(codes, ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
})
