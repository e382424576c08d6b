import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Tiktoken } from 'js-tiktoken/lite'
import ranks from 'js-tiktoken/ranks/o200k_base'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { agentFor } from './agent.ts'

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
  assert.equal(deal.fields.stage_id, 'id (stage)')
  assert.deepEqual(
    contact.declared_fields.map(({ name, options }: Record<string, unknown>) => [name, options]),
    [['metadata.region', ['north', 'south']]],
  )
  assert.ok(contact.match_on.includes('email') && deal.measures.includes('sum:value'))
})
