import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUnder, people } from '../long-requests/under-request.ts'
import { make } from '../support/make.ts'
import { openAgent, post } from './agent.ts'

test('An id that is no UUID is not found, also if it is the name of another path or no valid text', async (t) => {
  const { agent, client } = await openAgent(t)
  const { id } = await make(client, 'contact')
  const codeOf = async (tool: string, given: object) => (await agent.call(tool, given)).error.code

  for (const odd of ['summary', 'duplicates', `${id}/history`, `${id}?x=1`, '..', '', '%zz', '\ud800', '\0']) {
    assert.equal(await codeOf('get_record', { type: 'contact', id: odd }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('fetch', { id: `contact:${odd}` }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('list_changes', { type: 'contact', record_id: odd }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('delete_record', { type: 'contact', id: odd }), 'NOT_FOUND', odd)
    assert.equal(await codeOf('save_record', { type: 'contact', id: odd, values: {} }), 'NOT_FOUND', odd)
  }
  for (const odd of ['', id, `\ud800:${id}`, `constructor:${id}`]) {
    assert.equal(await codeOf('fetch', { id: odd }), 'VALIDATION_ERROR', odd)
  }
  const { data } = await agent.use('get_record', { type: 'contact', id: id.toUpperCase() })
  assert.equal(data.id, id)
})

test('An argument that no tool has is refused with those that it has, also if its name is that of every object', async (t) => {
  const { agent } = await openAgent(t)

  for (const name of ['constructor', 'toString', '__proto__', 'nope']) {
    const { error } = await agent.call('describe', JSON.parse(`{"${name}": 1}`))
    assert.equal(error.message, `There is no argument "${name}"; allowed: type`)
    assert.equal(error.details[0].field, name)
  }
})

test('A number out of its range is refused with the bounds that it has', async (t) => {
  const { agent } = await openAgent(t)
  const messageOf = async (tool: string, given: object) => (await agent.call(tool, given)).error.message

  assert.equal(await messageOf('undo', { seq: 0 }), 'seq must be at least 1')
  assert.equal(await messageOf('list_records', { type: 'task', limit: 51 }), 'limit must be from 1 to 50')
})

test('An argument that would have no effect is refused by its name', async (t) => {
  const { agent, client } = await openAgent(t)
  const { id: record_id } = await make(client, 'contact')
  const refused = async (tool: string, given: object) => {
    const { error } = await agent.call(tool, given)
    return error.details.map(({ field }: { field: string }) => field)
  }

  assert.deepEqual(await refused('list_changes', { type: 'contact' }), ['type'])
  assert.deepEqual(await refused('list_changes', { type: 'contact', record_id, types: 'contact.*' }), ['types'])
  assert.deepEqual(await refused('list_changes', { type: 'contact', record_id, request_id: 'x' }), ['request_id'])
  assert.deepEqual(await refused('list_records', { type: 'contact', duplicates: true, sort: 'first_name' }), ['sort'])
  const { data } = await agent.use('list_changes', { record_id, types: 'contact.*' })
  assert.equal(data.length, 1)
})

test('No text that an agent gives to a tool makes it fail with an internal error', async (t) => {
  const { agent } = await openAgent(t)
  const { tools } = (await agent.send('tools/list')).body.result
  const odd = ['', '\ud800', '\0', '%', '%zz', '#', '../x', '__proto__', 'a=b&c[d]=\ud800', 'x'.repeat(10_000)]

  for (const { name, inputSchema } of tools) {
    const { required = [], properties } = inputSchema
    const needed = Object.fromEntries(required.map((each: string) => [each, exampleOf(properties[each])]))
    // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema
    for (const [argument, { type }] of Object.entries<any>(properties)) {
      for (const text of type === 'string' ? odd : []) {
        const { error } = await agent.call(name, { ...needed, [argument]: text })
        assert.notEqual(error?.code, 'INTERNAL_ERROR', `${name} ${argument} ${JSON.stringify(text.slice(0, 20))}`)
      }
    }
  }
})

test('Values that are nested too deep are refused as those of the API are, and those that are just deep enough are not', async (t) => {
  const { client, url, store } = await openAgent(t)
  const [id, other] = [(await make(client, 'contact')).id, (await make(client, 'contact')).id]
  await createUnder(store, client, 'nightly', people(60))
  const sendNested = async (levels: number, params: object) => {
    const deep = `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }).replace(
      ':"deep"',
      `:${deep}`,
    )
    return (await post(`${url}/mcp`, message, { Authorization: `Bearer ${client.key}` })).body
  }
  const metadata = 'deep'
  const calls: [string, object][] = [
    ['save_record', { type: 'contact', values: { first_name: 'Ada', metadata } }],
    ['merge_records', { type: 'contact', id, with: [other], fields: { metadata } }],
    ['log_activity', { type: 'note', contact_id: id, metadata }],
  ]

  for (const [name, given] of calls) {
    for (const levels of [33, 34, 40_000]) {
      const { result } = await sendNested(levels, { name, arguments: given })
      assert.equal(result.structuredContent.error.code, 'VALIDATION_ERROR', `${name} ${levels}`)
      assert.match(result.structuredContent.error.message, /nested at most 32 levels deep/)
    }
    assert.equal((await sendNested(32, { name, arguments: given })).result.isError, false)
  }
  const undo = { name: 'undo', arguments: { request_id: 'nightly' } }
  const { error } = await sendNested(40_000, { ...undo, _meta: { deep: 'deep' } })
  assert.deepEqual([error.code, error.message], [-32600, 'A message must be nested at most 36 levels deep'])
})

function exampleOf({ type, enum: options }: { type: string; enum?: string[] }): unknown {
  if (type === 'object') return {}
  if (type === 'array') return ['0198a2b0-0000-7000-8000-000000000001']
  return options?.[0] ?? '0198a2b0-0000-7000-8000-000000000001'
}

test('What an error repeats of a name is never cut within a character', async (t) => {
  const { url, client } = await openAgent(t)
  const odd = `${'x'.repeat(99)}😀`

  for (const [method, params] of [
    ['tools/call', { name: odd }],
    [odd, {}],
  ] as const) {
    const { text } = await post(
      `${url}/mcp`,
      { jsonrpc: '2.0', id: 1, method, params },
      { Authorization: `Bearer ${client.key}` },
    )
    assert.match(text, /x{99}"/)
  }
})
