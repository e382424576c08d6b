import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const eras = [
  ['newest', { versionNegotiation: { mode: 'auto' as const } }],
  ['older', {}],
] as const

async function connect(t: TestContext, url: string, key: string, options: object): Promise<Client> {
  const client = new Client(
    { name: 'official', version: '1.0.0' },
    { ...options, capabilities: { elicitation: { form: {} } } },
  )
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  t.after(() => client.close())
  return client
}

for (const [era, options] of eras) {
  test(`The official client lists and calls tools in the ${era} generation of the protocol`, async (t) => {
    const { url, company } = await start(t)
    const { client: owner } = await company('Acme')
    const client = await connect(t, url, owner.key, options)

    const { tools } = await client.listTools()
    const made = await client.callTool({ name: 'save_record', arguments: { type: 'task', values: { title: 'Call' } } })
    const listed = await client.callTool({ name: 'list_records', arguments: { type: 'task' } })
    const failed = await client.callTool({ name: 'get_record', arguments: { type: 'task', id: 'none' } })

    const { data } = listed.structuredContent as { data: { title: string }[] }
    assert.equal(tools.length, 13)
    assert.deepEqual([made.isError, data.map(({ title }) => title), failed.isError], [false, ['Call'], true])
    assert.equal(client.getNegotiatedProtocolVersion(), era === 'newest' ? '2026-07-28' : '2025-11-25')
  })
}

for (const [era, options] of eras) {
  test(`The official client shows an unknown tool as an error of the protocol in the ${era} generation`, async (t) => {
    const { url, company } = await start(t)
    const { client: owner } = await company('Acme')
    const client = await connect(t, url, owner.key, options)

    await assert.rejects(client.callTool({ name: 'nope' }), { code: -32602, message: /Unknown tool: nope/ })
  })
}

test('The official client asks its user before a deletion, and sends the answer by itself', async (t) => {
  const { url, company } = await start(t)
  const { client: owner } = await company('Acme')
  const contact = await make(owner, 'contact', { first_name: 'Ada' })
  const client = await connect(t, url, owner.key, eras[0][1])
  const asked: string[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { confirm: asked.length > 1 } }
  })
  const given = { name: 'delete_record', arguments: { type: 'contact', id: contact.id } }

  const declined = await client.callTool(given)
  const agreed = await client.callTool(given)

  assert.deepEqual([declined.isError, agreed.isError], [true, false])
  assert.match(asked[0]!, /Delete contact Ada/)
  assert.equal((await owner.get(`/api-v1-contacts/${contact.id}`)).status, 404)
})
