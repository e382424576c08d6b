import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Tiktoken } from 'js-tiktoken/lite'
import ranks from 'js-tiktoken/ranks/o200k_base'
import { agentFor, post } from '../support/agent.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const names = [
  ...['search', 'fetch', 'describe', 'list_records', 'get_record', 'summarize', 'list_changes'],
  ...['save_record', 'log_activity', 'complete_task', 'delete_record', 'merge_records', 'undo'],
]

async function open(t: TestContext, scopes?: string[]) {
  const { url, company } = await start(t)
  const acme = await company('Acme')
  const key = scopes ? await acme.key({ scopes }) : acme.client
  return { url, ...acme, agent: agentFor({ url, key: key.key }) }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into every part of a tool
const toolsOf = async (agent: ReturnType<typeof agentFor>): Promise<any[]> =>
  (await agent.send('tools/list')).body.result.tools

test('The 13 tools come in a fixed order, with all hints and with flat schemas that every client understands', async (t) => {
  const { agent } = await open(t)

  const tools = await toolsOf(agent)

  assert.deepEqual(
    tools.map(({ name }) => name),
    names,
  )
  for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
    assert.ok(title && description && outputSchema.type === 'object', name)
    const hints = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
    assert.deepEqual(Object.keys(annotations), hints, name)
    assert.equal(annotations.openWorldHint, false)
    assert.equal(inputSchema.additionalProperties, false)
    for (const schema of [inputSchema, outputSchema]) {
      new Ajv({ strict: false }).compile(schema)
      new Ajv2020({ strict: false }).compile(schema)
    }
    // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
    for (const [argument, property] of Object.entries<any>(inputSchema.properties)) {
      assert.ok(typeof property.type === 'string', `${name} ${argument}`)
      assert.ok(
        !property.properties && (property.type !== 'array' || property.items.type === 'string'),
        `${name} ${argument}`,
      )
    }
  }
  const hinted = (hint: string) => tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name)
  assert.deepEqual(hinted('readOnlyHint'), names.slice(0, 7))
  assert.deepEqual(hinted('destructiveHint'), ['save_record', 'delete_record', 'merge_records', 'undo'])
})

test('The list of tools has fewer than 6,000 tokens', async (t) => {
  const { agent } = await open(t)

  const tokens = new Tiktoken(ranks).encode(JSON.stringify(await toolsOf(agent))).length

  assert.ok(tokens < 6_000, `${tokens} tokens`)
  assert.ok(tokens > 1_000, `${tokens} tokens: the count is wrong`)
})

test('A key gets the tools that its scopes allow, for the types that they allow', async (t) => {
  const { key, url } = await open(t)
  const listed = async (...scopes: string[]) => {
    const tools = await toolsOf(agentFor({ url, key: (await key({ scopes })).key }))
    return tools.map(({ name, inputSchema }) => [name, inputSchema.properties.type?.enum])
  }

  assert.deepEqual(await listed('read:contacts'), [
    ...[
      ['search', undefined],
      ['fetch', undefined],
      ['describe', ['contact']],
    ],
    ...[
      ['list_records', ['contact']],
      ['get_record', ['contact']],
      ['summarize', ['contact']],
      ['list_changes', ['contact']],
    ],
  ])
  assert.deepEqual(await listed('write:tasks'), [
    ...[
      ['describe', ['task']],
      ['save_record', ['task']],
      ['complete_task', undefined],
    ],
    ...[
      ['delete_record', ['task']],
      ['undo', undefined],
    ],
  ])
  assert.deepEqual(
    (await listed('write:activities')).map(([name]) => name),
    ['describe', 'log_activity', 'undo'],
  )
})

test('A tool that the key may not use says so, and a tool that does not exist is an error of the protocol', async (t) => {
  const { agent } = await open(t, ['read:contacts'])

  const refused = await agent.call('save_record', { type: 'contact', values: {} })
  const { status, body } = await agent.send('tools/call', { name: 'drop_table', arguments: {} })

  assert.equal(refused.isError, true)
  assert.equal(refused.error.code, 'INSUFFICIENT_PERMISSIONS')
  assert.match(refused.error.advice, /Tell the user/)
  assert.deepEqual([status, body.error.code], [400, -32602])
})

test('search finds records and fetch reads one, in the form that ChatGPT expects', async (t) => {
  const { agent, client, url } = await open(t)
  const contact = await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber' })

  const { results } = await agent.use('search', { query: 'weber' })
  const fetched = await agent.use('fetch', { id: results[0].id })

  assert.deepEqual(
    results.map(({ id, title }: Record<string, string>) => [id, title]),
    [[`contact:${contact.id}`, 'Ada Weber']],
  )
  assert.deepEqual(Object.keys(fetched), ['id', 'title', 'text', 'url', 'metadata'])
  assert.equal(JSON.parse(fetched.text).id, contact.id)
  assert.equal(fetched.url, `${url}/contacts/${contact.id}`)
})

test('Lists, records, sums and changes have the JSON of the API', async (t) => {
  const { agent, client } = await open(t)
  const deals = [
    await make(client, 'deal', { title: 'A', value: 1000 }),
    await make(client, 'deal', { title: 'B', value: 5000 }),
  ]

  const listed = await agent.use('list_records', { type: 'deal', filter: 'value[gte]=2000', sort: '-value' })
  const got = await agent.use('get_record', { type: 'deal', id: deals[1].id })
  const sums = await agent.use('summarize', { type: 'deal', group_by: 'stage_id', measure: 'count,sum:value' })
  const changes = await agent.use('list_changes', { types: 'deal.*' })
  const history = await agent.use('list_changes', { type: 'deal', record_id: deals[0].id })

  assert.deepEqual(listed, (await client.get('/api-v1-deals?value[gte]=2000&sort=-value&limit=20')).body)
  assert.deepEqual(got, (await client.get(`/api-v1-deals/${deals[1].id}`)).body)
  assert.deepEqual(
    sums,
    (await client.get('/api-v1-deals/summary?group_by=stage_id&measure=count,sum:value&limit=50')).body,
  )
  assert.deepEqual(changes, (await client.get('/api-v1-changes?types=deal.*&limit=20')).body)
  assert.deepEqual(history, (await client.get(`/api-v1-deals/${deals[0].id}/history?limit=20`)).body)
})

test('A page has at most 50 records, and the next one continues it', async (t) => {
  const { agent, client } = await open(t)
  for (let at = 0; at < 53; at++) await make(client, 'organization', { name: `Company ${at}` })

  const tooMany = await agent.call('list_records', { type: 'organization', limit: 51 })
  const hidden = await agent.call('list_records', { type: 'organization', filter: 'limit=1000' })
  const first = await agent.use('list_records', { type: 'organization', limit: 50, sort: 'name' })
  const cursor = first.pagination.next_cursor
  const second = await agent.use('list_records', { type: 'organization', limit: 50, sort: 'name', cursor })

  assert.deepEqual([tooMany.error.details[0].field, hidden.error.details[0].field], ['limit', 'filter'])
  assert.deepEqual([first.data.length, second.data.length, second.pagination.next_cursor], [50, 3, null])
})

test('describe shows what an agent needs: types, stages, users, limits, and of a type its fields, also declared ones', async (t) => {
  const { agent, client } = await open(t)
  await client.post('/api-v1-fields', {
    resource: 'contact',
    key: 'region',
    type: 'choice',
    options: ['north', 'south'],
  })
  await client.addUser({ full_name: 'Grace Hopper' })

  const { data: whole } = await agent.use('describe')
  const { data: contact } = await agent.use('describe', { type: 'contact' })
  const { data: deal } = await agent.use('describe', { type: 'deal' })

  assert.deepEqual([whole.mode, whole.company.name, whole.stages.length], ['write', 'Acme', 6])
  assert.ok(whole.users.some((user: Record<string, string>) => Object.values(user).includes('Grace Hopper')))
  assert.deepEqual(
    whole.types.find(({ type }: { type: string }) => type === 'activity'),
    { type: 'activity', read: true, write: false, merge: false },
  )
  assert.match(contact.fields.first_name, /text; required/)
  assert.equal(deal.fields.stage_id, 'id of a stage')
  assert.deepEqual(
    contact.declared_fields.map(({ name, options }: Record<string, unknown>) => [name, options]),
    [['metadata.region', ['north', 'south']]],
  )
  assert.ok(contact.match_on.includes('email') && deal.measures.includes('sum:value'))
})

test('save_record creates, changes and matches records, and every write can be undone by its handle', async (t) => {
  const { agent, client } = await open(t)
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
  const { agent, client } = await open(t)
  const { id, updated_at } = await make(client, 'task', { title: 'Call' })
  const save = (since: string) => ({ type: 'task', id, values: { priority: 'high' }, if_unchanged_since: since })

  const stale = await agent.call('save_record', save('2020-01-01T00:00:00.000Z'))
  const fresh = await agent.use('save_record', save(updated_at))

  assert.equal(stale.error.code, 'CONFLICT')
  assert.equal(fresh.data.priority, 'high')
})

test('log_activity and complete_task do what they say', async (t) => {
  const { agent, client } = await open(t)
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
  const { agent } = await open(t)
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
  const { url, client } = await open(t)
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
