import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stage } from '../../src/crm/stage.ts'
import { operators } from '../../src/engine/records/definition/filter.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert } from '../../src/engine/records/rows/write.ts'
import { ofEachType } from '../support/declare.ts'
import { start } from '../support/start.ts'
import { agentFor, openAgent } from './agent.ts'

/** One of them is a value of any filter but that of a choice. */
const values = ['2026-01-01', '1', 'true', '0198a2b0-0000-7000-8000-000000000001', 'ada@x.example']

test('The operators that describe names for a filter are those that a list takes, also for declared fields', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  for (const field of ofEachType) await client.post('/api-v1-fields', { resource: 'contact', ...field })
  const agent = agentFor({ url, key: client.key })
  const { data: whole } = await agent.use('describe')

  for (const { type } of whole.types) {
    const { data } = await agent.use('describe', { type })
    const takes = async (condition: string) =>
      !(await agent.call('list_records', { type, filter: condition, limit: 1 })).isError
    const declared = data.declared_fields.map((each: Record<string, unknown>) => [each.name, each.operators])
    const filters = [...Object.entries(data.filters), ...declared] as [string, string][]
    for (const [name, named] of filters) {
      const options = data.declared_fields.find((each: Record<string, unknown>) => each.name === name)?.options ?? []
      const chosen = /one of: ([^,;]+)/.exec(data.fields[name])?.[1]
      const candidates = [chosen, ...options, ...values].filter(Boolean)
      const found = await Promise.all(candidates.map((each) => takes(`${name}=${each}`)))
      const value = candidates[found.indexOf(true)]
      assert.ok(value, `${type} ${name}`)
      const taken = await Promise.all(operators.map((each) => takes(`${name}[${each}]=${value}`)))
      assert.deepEqual(named.split(', ').sort(), operators.filter((_, at) => taken[at]).sort(), `${type} ${name}`)
    }
    assert.ok(filters.length > 5)
  }
})

test('The first operator that describe names is the one of a filter without an operator', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const agent = agentFor({ url, key: client.key })
  await client.post('/api-v1-tasks', { title: 'Call Ernst' })
  await client.post('/api-v1-contacts', { first_name: 'Ernst' })
  const first = async (type: string, name: string) => {
    const { data } = await agent.use('describe', { type })
    return data.filters[name].split(', ')[0]
  }
  const found = async (type: string, filter: string) => {
    return (await agent.use('list_records', { type, filter })).pagination.total
  }

  assert.deepEqual([await first('task', 'title'), await found('task', 'title=Ernst')], ['like', 1])
  assert.deepEqual([await first('contact', 'first_name'), await found('contact', 'first_name=Ern')], ['eq', 0])
  assert.equal(await found('contact', 'first_name[like]=Ern'), 1)
})

test('A field of a certain form is described by an example', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')

  const { data } = await agentFor({ url, key: client.key }).use('describe', { type: 'product' })

  assert.equal(data.fields.currency, 'text such as EUR')
})

test('describe shows every user, also of a company that has more than one page of them', async (t) => {
  const { agent, client } = await openAgent(t)
  const users = await Promise.all(Array.from({ length: 101 }, () => client.addUser()))

  const { data } = await agent.use('describe')

  assert.deepEqual(data.users.map(({ id }: { id: string }) => id).sort(), users.sort())
})

test('describe says of which list it shows only the first records, and how many there are', async (t) => {
  const { agent, store } = await openAgent(t)
  const { data: whole } = await agent.use('describe')
  await store.write(1, (tx) => {
    for (let at = 0; at < 1_000; at++) insert(stage, tx, readCreate(stage, tx, { name: `Stage ${at}` }), {})
  })

  const { data } = await agent.use('describe')

  const total = whole.stages.length + 1_000
  assert.deepEqual([whole.incomplete, data.incomplete], [undefined, { stages: `the first 1000 of ${total}` }])
  assert.equal(data.stages.length, 1_000)
})

test('Without a limit, a tool returns as many as the description of its limit says', async (t) => {
  const { agent } = await openAgent(t)
  const { tools } = (await agent.send('tools/list')).body.result

  for (const name of ['list_records', 'summarize']) {
    const { limit } = tools.find((tool: { name: string }) => tool.name === name).inputSchema.properties
    const { pagination } = await agent.use(name, { type: 'deal' })
    assert.equal(limit.description, `Default ${pagination.limit}`, name)
  }
})
