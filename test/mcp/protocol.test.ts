import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError, send } from '../support/client.ts'
import { start } from '../support/start.ts'
import { agentFor, modern, post } from './agent.ts'

const supported = [modern, '2025-11-25', '2025-06-18', '2025-03-26']

async function open(t: TestContext) {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  const authorized = { Authorization: `Bearer ${client.key}` }
  return {
    ...{ url, client, mcp: `${url}/mcp`, agent: agentFor({ url, key: client.key }) },
    legacy: (message: object, headers = {}) =>
      post(`${url}/mcp`, { jsonrpc: '2.0', ...message }, { ...authorized, ...headers }),
    raw: (body: unknown, headers = {}) => post(`${url}/mcp`, body, { ...authorized, ...headers }),
  }
}

test('A client of the newest revision discovers the server without a handshake', async (t) => {
  const { agent } = await open(t)

  const { status, body } = await agent.send('server/discover')

  const { instructions, _meta, ...result } = body.result
  assert.equal(status, 200)
  assert.deepEqual(result, {
    resultType: 'complete',
    supportedVersions: supported,
    capabilities: { tools: {} },
    ttlMs: 300_000,
    cacheScope: 'private',
  })
  assert.match(instructions, /undo/)
  assert.equal(_meta['io.modelcontextprotocol/serverInfo'].name, 'kontor')
})

for (const version of supported.slice(1)) {
  test(`A client of the revision ${version} initializes, then lists and calls tools without a session`, async (t) => {
    const { legacy } = await open(t)
    const headers = { 'MCP-Protocol-Version': version }

    const begun = await legacy({ id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {} } })
    const noted = await legacy({ method: 'notifications/initialized' }, headers)
    const ping = await legacy({ id: 2, method: 'ping' }, headers)
    const listed = await legacy({ id: 'a', method: 'tools/list' }, headers)
    const called = await legacy({ id: 3, method: 'tools/call', params: { name: 'describe', arguments: {} } }, headers)

    assert.equal(begun.body.result.protocolVersion, version)
    assert.equal(begun.headers.get('mcp-session-id'), null)
    assert.deepEqual([noted.status, noted.body], [202, undefined])
    assert.deepEqual(ping.body, { jsonrpc: '2.0', id: 2, result: {} })
    assert.deepEqual([listed.body.id, listed.body.result.tools.length], ['a', 13])
    assert.equal('ttlMs' in listed.body.result, false)
    assert.equal(called.body.result.structuredContent.data.mode, 'write')
  })
}

test('A client that asks for an unknown revision in initialize gets the newest with a handshake, and later a missing header means the oldest', async (t) => {
  const { legacy } = await open(t)

  const begun = await legacy({ id: 1, method: 'initialize', params: { protocolVersion: '2020-01-01' } })
  const listed = await legacy({ id: 2, method: 'tools/list' })

  assert.equal(begun.body.result.protocolVersion, '2025-11-25')
  assert.equal(listed.body.result.tools.length, 13)
})

test('A request whose headers do not agree with its body is refused', async (t) => {
  const { url, client } = await open(t)
  const codeWith = async (headers: Record<string, string>) => {
    const { status, body } = await agentFor({ url, key: client.key, headers }).send('tools/call', { name: 'describe' })
    return [status, body.error?.code]
  }

  assert.deepEqual(await codeWith({ 'Mcp-Method': 'tools/list' }), [400, -32020])
  assert.deepEqual(await codeWith({ 'Mcp-Method': 'TOOLS/CALL' }), [400, -32020])
  assert.deepEqual(await codeWith({ 'Mcp-Name': 'search' }), [400, -32020])
  assert.deepEqual(await codeWith({ 'MCP-Protocol-Version': '2025-11-25' }), [400, -32020])
  assert.deepEqual(await codeWith({ 'Mcp-Name': '=?base64?ZGVzY3JpYmU=?=' }), [200, undefined])
  assert.deepEqual(await codeWith({ 'Mcp-Name': '  describe ' }), [200, undefined])
})

test('A request without what the newest revision requires is refused, and a revision that does not exist with those that do', async (t) => {
  const { raw } = await open(t)
  const meta = (version: string, rest: object) => ({ 'io.modelcontextprotocol/protocolVersion': version, ...rest })
  const message = (_meta: object) => ({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta } })
  const headers = { 'MCP-Protocol-Version': modern, 'Mcp-Method': 'tools/list' }
  const capable = { 'io.modelcontextprotocol/clientCapabilities': {} }

  const bare = await raw(message(meta(modern, {})), headers)
  const empty = await raw(message({}), headers)
  const headless = await raw(message(meta(modern, capable)))
  const unknown = await raw(message(meta('2030-01-01', capable)), { ...headers, 'MCP-Protocol-Version': '2030-01-01' })

  assert.deepEqual([bare.status, bare.body.error.code, bare.body.id], [400, -32602, 7])
  assert.deepEqual([empty.status, empty.body.error.code], [400, -32602])
  assert.deepEqual([headless.status, headless.body.error.code], [400, -32020])
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, -32022])
  assert.deepEqual(unknown.body.error.data, { supported, requested: '2030-01-01' })
})

test('In the older revisions an error of JSON-RPC is a response with HTTP 200, so that clients show it', async (t) => {
  const { legacy } = await open(t)
  const codeOf = async (method: string, params: object) => {
    const { status, body } = await legacy({ id: 1, method, params }, { 'MCP-Protocol-Version': '2025-11-25' })
    return [status, body.error.code]
  }

  assert.deepEqual(await codeOf('tools/call', { name: 'nope' }), [200, -32602])
  assert.deepEqual(await codeOf('tools/list', { cursor: 'x' }), [200, -32602])
  assert.deepEqual(await codeOf('nope', {}), [200, -32601])
})

test('A tool whose name is no text is refused', async (t) => {
  const { raw } = await open(t)
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`

  for (const name of ['{"toString":1}', '7', 'null', deep]) {
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name}}}`
    const { status, body } = await raw(message)
    assert.deepEqual([status, body.id, body.error.code], [200, 1, -32602], name.slice(0, 20))
  }
})

test('An unknown method is 404 in the newest revision, which has neither initialize nor ping', async (t) => {
  const { agent } = await open(t)

  for (const method of ['initialize', 'ping', 'resources/list', 'logging/setLevel']) {
    const { status, body } = await agent.send(method)
    assert.deepEqual([status, body.error.code], [404, -32601], method)
  }
})

test('A message that is no single JSON-RPC 2.0 message is refused, and a response from a client is accepted and ignored', async (t) => {
  const { raw } = await open(t)
  const refused = async (body: unknown) => {
    const reply = await raw(body)
    return [reply.status, reply.body.error.code, reply.body.id]
  }

  assert.deepEqual(await refused('{"jsonrpc"'), [400, -32700, null])
  assert.deepEqual(await refused({ id: 1, method: 'ping' }), [400, -32600, 1])
  assert.deepEqual(await refused({ jsonrpc: '2.0', id: null, method: 'ping' }), [400, -32600, null])
  assert.deepEqual(await refused({ jsonrpc: '2.0', id: 1 }), [400, -32600, 1])
  assert.deepEqual(await refused({ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }), [400, -32602, 1])
  assert.equal((await raw({ jsonrpc: '2.0', id: 1, result: {} })).status, 202)
})

test('Only POST is allowed, and a body beyond the limit is refused before it is read', async (t) => {
  const { mcp, client } = await open(t)

  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await send(mcp, { method, headers: { Authorization: `Bearer ${client.key}` } })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
  }
  const large = await post(mcp, { padding: 'x'.repeat(1_100_000) }, { Authorization: `Bearer ${client.key}` })
  assertError(large, 413, 'INVALID_REQUEST')
})

test('Without a valid key the response is 401 with a plain challenge, and nothing can be discovered about OAuth', async (t) => {
  const { mcp, url, client } = await open(t)
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' }

  const missing = await post(mcp, message)
  const wrong = await post(mcp, message, { Authorization: `Bearer ${client.key.slice(0, -1)}!` })
  const cookie = await post(mcp, message, { Cookie: 'kontor_session=x', 'Kontor-Environment': 'live' })

  for (const reply of [missing, wrong, cookie]) {
    assert.deepEqual([reply.status, reply.headers.get('www-authenticate')], [401, 'Bearer'])
  }
  assert.equal(wrong.body.error.code, 'INVALID_API_KEY')
  const places = [
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
    'oauth-authorization-server',
    'openid-configuration',
  ]
  for (const place of places) assert.equal((await send(`${url}/.well-known/${place}`)).status, 404, place)
})

test('A signed-in user of the console is not let in without a key', async (t) => {
  const { mcp } = await open(t)
  const headers = { 'Kontor-Environment': 'live', Cookie: `kontor_session=${'a'.repeat(43)}` }

  assert.equal((await post(mcp, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).status, 401)
})

test('A page of another origin is refused, also one whose name leads to this server, unless the operator allows it', async (t) => {
  const { url, company } = await start(t, { limits: { mcpOrigins: ['https://inspector.example'] } })
  const { client } = await company('Acme')
  const { host } = new URL(url)
  const statusOf = async (Origin: string) => {
    const headers = { Authorization: `Bearer ${client.key}`, Origin }
    return (await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).status
  }

  assert.equal(await statusOf(`http://${host}`), 200)
  assert.equal(await statusOf('https://inspector.example'), 200)
  assert.equal(await statusOf('https://evil.example'), 403)
  assert.equal(await statusOf('null'), 403)
  const preflight = {
    method: 'OPTIONS',
    headers: { Origin: 'https://inspector.example', 'Access-Control-Request-Method': 'POST' },
  }
  const { status, headers } = await fetch(`${url}/mcp`, preflight)
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, 'https://inspector.example'])
  assert.match(headers.get('access-control-allow-headers')!, /MCP-Protocol-Version/)
})

test('A request counts once against the limits of its key, however many records its tool reads', async (t) => {
  const { url, company } = await start(t, { rateLimits: 'plan' })
  const { client } = await company('Acme', 'free')
  const agent = agentFor({ url, key: client.key })
  const remaining = (reply: { headers: Headers }) => Number(reply.headers.get('x-ratelimit-remaining'))

  const first = await agent.send('tools/call', { name: 'describe', arguments: {} })
  const second = await agent.send('tools/call', { name: 'describe', arguments: {} })
  let last = second
  while (last.status === 200) last = await agent.send('tools/call', { name: 'describe', arguments: {} })

  assert.equal(remaining(first) - remaining(second), 1)
  assertError(last, 429, 'RATE_LIMIT_EXCEEDED')
  assert.ok(Number(last.headers.get('retry-after')) > 0)
})
