import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noDurability } from '../../src/store/durability.ts'
import type { Client } from '../support/client.ts'
import { openRaw, type RawResponse, readResponses, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'

const path = '/api-v1-organizations'
const close = 'Connection: close\r\n'

/** The start of a request by this client. Further headers may follow it. */
function head({ key }: Client, method: string, target: string): string {
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`
}

function post(client: Client, body: string, headers = ''): string {
  const length = Buffer.byteLength(body)
  return `${head(client, 'POST', path)}Content-Type: application/json\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`
}

/** Fails unless the response is an error in the usual format, with the request id and rate limit headers (decision B11). */
function assertRefused(response: RawResponse | undefined, status: number): void {
  assert.equal(response?.status, status)
  assert.match(response.headers.get('x-request-id') ?? '', /./)
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit']) {
    assert.ok(response.headers.get(name), name)
  }
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const { error, ...rest } = JSON.parse(response.body)
  assert.deepEqual(rest, {})
  assert.equal(error.code, 'INVALID_REQUEST')
  assert.equal(typeof error.message, 'string')
}

const malformed: Record<string, string> = {
  'is not HTTP': 'hello, world\r\n\r\n',
  'speaks TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'has a broken header': 'GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n',
  'has a length that is not a number': `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n`,
  'has two lengths': `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'has a length and chunks': `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'has no Host': `GET ${path} HTTP/1.1\r\n${close}\r\n`,
}

for (const [what, text] of Object.entries(malformed)) {
  test(`A request that ${what} is rejected with 400 in the usual error format`, async (t) => {
    const server = await start(t)

    const responses = readResponses(await sendRaw(server.url, text))

    assertRefused(responses[0], 400)
    assert.equal(responses.length, 1)
  })
}

test('An unknown Expect header is rejected with 417 in the usual error format', async (t) => {
  const server = await start(t)

  const text = `GET ${path} HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n${close}\r\n`
  const responses = readResponses(await sendRaw(server.url, text))

  assertRefused(responses[0], 417)
})

test('Endless headers are rejected with 431 in the usual error format', async (t) => {
  const server = await start(t)

  const text = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Flood: ${'x'.repeat(100_000)}\r\n\r\n`
  const responses = readResponses(await sendRaw(server.url, text))

  assertRefused(responses[0], 431)
})

test('Requests that are not valid HTTP count for the client’s address', async (t) => {
  const server = await start(t)

  const first = readResponses(await sendRaw(server.url, 'nonsense\r\n\r\n'))
  const second = readResponses(await sendRaw(server.url, 'nonsense\r\n\r\n'))

  const remaining = [first, second].map(([response]) => response?.headers.get('x-ratelimit-remaining'))
  assert.deepEqual(remaining, ['299', '298'])
})

test('Responses to requests in one packet are sent in order', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const requests = [
    post(client, '{"name":"First"}'),
    `${head(client, 'GET', path)}\r\n`,
    post(client, '{"name":"Second"}'),
    `${head(client, 'GET', '/api-v1-nothing')}${close}\r\n`,
  ]

  const responses = readResponses(await sendRaw(server.url, requests.join('')))

  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 200, 201, 404],
  )
  assert.equal(JSON.parse(responses[2]!.body).data.name, 'Second')
})

test('Invalid data after a request in progress does not replace its response', async (t) => {
  let confirm = () => {}
  let hold = false
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve
  })
  const durability = { ...noDurability, sync: async () => (hold ? confirmed : undefined) }
  const server = await start(t, { durability })
  const client = await server.client()
  hold = true
  const connection = openRaw(server.url)

  connection.write(`${post(client, '{"name":"Acme"}')}nonsense\r\n\r\n`)
  await client.get(path)
  confirm()

  const [first] = readResponses(await connection.closed())
  assert.notEqual(first?.status, 400)
})

test('A connection stays usable after a body that was rejected for its size', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const large = post(client, 'x'.repeat(2 ** 20 + 1))

  const received = await sendRaw(server.url, `${large}${head(client, 'GET', path)}${close}\r\n`)

  assert.deepEqual(
    readResponses(received).map(({ status }) => status),
    [413, 200],
  )
})

test('A connection stays usable after a large body with the encoding identity', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const damaged = post(client, 'x'.repeat(2 ** 20 - 1), 'Content-Encoding: gzip\r\n')

  const received = await sendRaw(server.url, `${damaged}${head(client, 'GET', path)}${close}\r\n`)

  assert.deepEqual(
    readResponses(received).map(({ status }) => status),
    [400, 200],
  )
})

test('A client that disconnects in the middle of a body leaves nothing behind, and the server keeps running', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const connection = openRaw(server.url)
  connection.write(post(client, '{"name":"Acme"}', 'Expect: 100-continue\r\n').slice(0, -5))
  await connection.until('100 Continue')

  connection.socket.resetAndDestroy()

  const { status, body } = await client.get(path)
  assert.deepEqual([status, body.pagination.total], [200, 0])
})

for (const target of [path, '/healthz', '/nowhere']) {
  test(`HEAD ${target} responds like GET, without the body`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')

    const got = readResponses(await sendRaw(server.url, `${head(client, 'GET', target)}${close}\r\n`))
    const received = await sendRaw(server.url, `${head(client, 'HEAD', target)}${close}\r\n`)

    const [response] = readResponses(received, { bodies: false })
    assert.equal(response?.status, got[0]?.status)
    assert.deepEqual(response?.headers.get('content-length'), got[0]?.headers.get('content-length'))
    assert.ok(received.endsWith('\r\n\r\n'))
  })
}

test('CONNECT is rejected in the usual error format', async (t) => {
  const { url } = await start(t)

  const [response] = readResponses(await sendRaw(url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'))

  assert.equal(response?.status, 501)
  assert.equal(JSON.parse(response.body).error.code, 'INVALID_REQUEST')
  assert.ok(response.headers.get('x-request-id'))
})
