import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openAgent, post } from './agent.ts'

/** A text of 99,000 characters, each of which has six in JSON. */
const description = '\u0001'.repeat(99_000)
const replyBytes = 6_000_000

/** A company with tasks of 600 KB each. */
async function open(t: TestContext, count: number) {
  const opened = await openAgent(t)
  const { client, url } = opened
  for (let n = 0; n < count; n++) {
    assert.equal((await client.post('/api-v1-tasks', { title: `Large ${n}`, description })).status, 201)
  }
  const headers = { Authorization: `Bearer ${client.key}` }
  return { ...opened, headers, mcp: `${url}/mcp` }
}

let id = 0
const call = (name: string, given: object) => ({
  ...{ jsonrpc: '2.0', id: ++id, method: 'tools/call' },
  params: { name, arguments: given },
})
const list = () => call('list_records', { type: 'task', limit: 5 })

test('A result that would be too long says how to get less, and one record is never too long', async (t) => {
  const { agent, client } = await open(t, 8)

  const { error } = await agent.call('list_records', { type: 'task', limit: 8 })
  const { data } = await agent.use('list_records', { type: 'task', limit: 1 })
  const one = await agent.use('get_record', { type: 'task', id: data[0].id })
  await client.patch(`/api-v1-tasks/${data[0].id}`, { description: description.replaceAll('\u0001', '\u0002') })
  const history = await agent.use('list_changes', { type: 'task', record_id: data[0].id, limit: 1 })

  assert.equal(error.code, 'INVALID_REQUEST')
  assert.match(error.message, /ask for fewer at a time \(limit\)/)
  assert.equal(one.data.description, description)
  assert.equal(history.data[0].previous.description, description)
})

test('A message of a batch is not processed if the replies before are so long that it could get none', async (t) => {
  const { client, headers, mcp } = await open(t, 5)
  const save = call('save_record', { type: 'task', values: { title: 'Small' } })
  const first = call('save_record', { type: 'task', values: { title: 'First' } })

  const { status, body } = await post(mcp, [first, list(), list(), save, list()], headers)

  assert.equal(status, 200)
  const errors = body.map(({ result }: { result: { structuredContent: { error?: { code: string } } } }) => {
    return result.structuredContent.error?.code
  })
  assert.deepEqual(errors, [undefined, undefined, undefined, 'RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED'])
  const found = (title: string) => client.get(`/api-v1-tasks?title=${title}`)
  assert.deepEqual([(await found('First')).body.pagination.total, (await found('Small')).body.pagination.total], [1, 0])
  const again = await post(mcp, save, headers)
  assert.equal(again.body.result.structuredContent.data.title, 'Small')
})

test('Of messages that are sent at once, those get no long reply for which there is no memory', async (t) => {
  const { headers, mcp } = await open(t, 5)
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }

  const responses = await Promise.all(
    Array.from({ length: 8 }, () => fetch(mcp, { ...init, body: JSON.stringify(list()) })),
  )

  const long = responses.filter((each) => Number(each.headers.get('content-length')) > replyBytes)
  assert.equal(long.length, 2)
  await Promise.all(responses.map(({ body }) => body!.cancel()))
})
