import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readChanges } from '../support/changes.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'

const [program, script] = bundle as unknown as [string, string]

for (const era of ['newest', 'older'] as const) {
  test(`kontor mcp connects the official client with a server in the ${era} generation of the protocol`, async (t) => {
    const { url, company } = await start(t)
    const { client: owner } = await company('Acme')
    const negotiation = era === 'newest' ? { versionNegotiation: { mode: 'auto' as const } } : {}
    const client = new Client({ name: 'désk', version: '2.0' }, negotiation)
    const args = [script, 'mcp', '--url', url]
    await client.connect(new StdioClientTransport({ command: program, args, env: { KONTOR_KEY: owner.key } }))
    t.after(() => client.close())

    const { tools } = await client.listTools()
    const given = { type: 'task', values: { title: 'Größe' } }
    const results = await Promise.all(
      Array.from({ length: 20 }, () => client.callTool({ name: 'save_record', arguments: given })),
    )

    assert.equal(tools.length, 13)
    assert.ok(results.every(({ isError }) => isError === false))
    const { cause, data } = (await readChanges(owner)).at(-1)
    assert.equal(data.title, 'Größe')
    assert.equal(cause.mcp.client, era === 'newest' ? 'désk 2.0' : 'dsk 2.0')
  })
}

test('kontor mcp narrows the mode, and passes on what the server refuses, with the id of the message', async (t) => {
  const { url, company } = await start(t)
  const { client: owner } = await company('Acme')
  const message = { jsonrpc: '2.0', id: 'a', method: 'tools/list' }
  const odd = { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: { toString: 1 } } }
  const bridge = (args: string[], input: string) => run(bundle, ['mcp', ...args], { input })
  const lines = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  const read = await bridge(['--url', url, '--key', owner.key, '--mode', 'read'], JSON.stringify(message))
  const wrong = await bridge(['--url', url, '--key', 'svc_live_wrong'], `${JSON.stringify(message)}\n`)
  const gone = await bridge(['--url', 'http://127.0.0.1:1', '--key', owner.key], `${JSON.stringify(message)}\n`)
  const others = await bridge(
    ['--url', url, '--key', owner.key],
    `${JSON.stringify(odd)}\n${JSON.stringify([message, odd])}\n`,
  )
  const broken = await bridge(
    ['--url', url, '--key', owner.key],
    `no json\n\n${'x'.repeat(2_000_000)}\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n${JSON.stringify(message)}\n`,
  )

  assert.equal(lines(read.stdout)[0].result.tools.length, 7)
  assert.deepEqual([lines(wrong.stdout)[0].id, lines(wrong.stdout)[0].error.code], ['a', -32603])
  assert.match(lines(wrong.stdout)[0].error.message, /401.*Invalid API key/)
  assert.match(lines(gone.stdout)[0].error.message, /does not respond/)
  const refused = lines(others.stdout).find(({ id }) => id === 'b')
  const batch = lines(others.stdout).find((reply) => Array.isArray(reply))
  assert.equal(refused.error.code, -32602)
  assert.deepEqual([batch?.[0].id, batch?.[1].error], ['a', refused.error])
  const [first, second, last] = lines(broken.stdout)
  assert.deepEqual([first.error.code, second.error.code, last.result.tools.length], [-32700, -32700, 13])
  assert.equal(broken.code, 0)
})

test('kontor mcp passes on all digits of numbers, in both directions', async (t) => {
  const { url, company } = await start(t)
  const { client: owner } = await company('Acme')
  const price = '123456789012.345678'
  const values = `{"name":"Hamper","price":${price}}`
  const params = `{"name":"save_record","arguments":{"type":"product","values":${values}}}`
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`

  const { stdout } = await run(bundle, ['mcp', '--url', url, '--key', owner.key], { input: message })

  assert.match(stdout, new RegExp(`"price":${price}`))
  const response = await fetch(`${url}/api-v1-products`, { headers: { Authorization: `Bearer ${owner.key}` } })
  assert.match(await response.text(), new RegExp(`"price":${price}`))
})

test('kontor mcp answers each request of a batch that the server refuses', async (t) => {
  const { url } = await start(t)
  const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
  const batch = [request(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, request(2)]

  const { stdout } = await run(bundle, ['mcp', '--url', url, '--key', 'svc_live_wrong'], {
    input: JSON.stringify(batch),
  })

  const replies = JSON.parse(stdout).map(({ id, error }: { id: number; error: { code: number } }) => [id, error.code])
  assert.deepEqual(replies, [
    [1, -32603],
    [2, -32603],
  ])
})

test('kontor mcp prints no control characters that a server sends', async (t) => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(500).end(JSON.stringify({ error: { message: 'a\x1b[2Jb\u009b2Jc' } }))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const { stderr } = await run(bundle, ['mcp', '--url', url, '--key', 'svc_live_x'], {
    input: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
  })

  assert.equal(stderr, `kontor: HTTP 500 from ${url}/mcp: a\\u001b[2Jb\\u009b2Jc\n`)
})

test('kontor mcp sends the key only to a URL that says where it goes', async () => {
  for (const url of [
    'http:127.0.0.1:1',
    'http://127.0.0.1:1\\@a.example',
    'http://ada:x@127.0.0.1:1',
    'ftp://a',
    'http://a b',
  ]) {
    const { code, stderr } = await run(bundle, ['mcp', '--url', url, '--key', 'svc_live_x'], {})

    assert.equal(code, 2, url)
    assert.match(stderr, /--url must be an http or https URL/)
  }
})

test('kontor mcp without a key says how to give one', async () => {
  const { code, stderr } = await run(bundle, ['mcp'], { env: { KONTOR_KEY: '' } })

  assert.equal(code, 2)
  assert.match(stderr, /--key or in KONTOR_KEY/)
})
