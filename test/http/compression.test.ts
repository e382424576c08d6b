import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { openRaw, readResponses } from '../support/raw.ts'
import { type Server, start } from '../support/start.ts'
import { newOwner } from '../support/visitor.ts'
import { ask, type Encoded, textOf } from './encoded.ts'

const gzip = { 'Accept-Encoding': 'gzip' }
const list = '/api-v1-organizations?sort=name'

interface Asking {
  server: Server
  client: Client
  get(path: string, headers?: Record<string, string>, method?: string): Promise<Encoded>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Encoded>
}

async function begin(t: TestContext, options: Parameters<typeof start>[1] = {}): Promise<Asking> {
  const server = await start(t, options)
  const { client } = await server.company('Acme')
  const withKey = (headers = {}) => ({ Authorization: `Bearer ${client.key}`, ...headers })
  return {
    server,
    client,
    get: (path, headers, method = 'GET') => ask(`${server.url}${path}`, withKey(headers), { method }),
    post: (path, body, headers) => ask(`${server.url}${path}`, withKey(headers), { method: 'POST', body }),
  }
}

/** Enough for a list of more than 2 KiB. */
async function makeTen(client: Client, name = 'Nordwind'): Promise<void> {
  for (let number = 0; number < 10; number++) await make(client, 'organization', { name: `${name} ${number}` })
}

function assertCompressed(response: Encoded): void {
  assert.equal(response.headers['content-encoding'], 'gzip', textOf(response))
  assert.equal(response.headers.vary, 'Accept-Encoding')
  assert.equal(response.headers['content-length'], String(response.bytes.length))
}

function assertPlain({ headers, bytes }: Encoded): void {
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['content-length'], String(bytes.length))
}

test('A list is compressed for a client that accepts gzip, with the same content', async (t) => {
  const { get, client } = await begin(t)
  await makeTen(client)

  const [plain, packed] = [await get(list), await get(list, gzip)]

  assertPlain(plain)
  assertCompressed(packed)
  assert.equal(textOf(packed), textOf(plain))
  assert.ok(packed.bytes.length < plain.bytes.length / 2)
  assert.equal(packed.headers['content-type'], plain.headers['content-type'])
})

test('A response is compressed from 2,048 bytes; a shorter one has no Vary header', async (t) => {
  const { get, client } = await begin(t)
  const { id } = await make(client, 'organization', { metadata: { pad: '' } })
  const path = `/api-v1-organizations/${id}`
  const padding = 2_048 - (await get(path)).bytes.length

  await client.patch(path, { metadata: { pad: 'x'.repeat(padding - 1) } })
  const short = await get(path, gzip)
  await client.patch(path, { metadata: { pad: 'x'.repeat(padding) } })
  const [long, plain] = [await get(path, gzip), await get(path)]

  assertPlain(short)
  assert.deepEqual([short.bytes.length, short.headers.vary], [2_047, undefined])
  assertCompressed(long)
  assertPlain(plain)
  assert.deepEqual([plain.bytes.length, plain.headers.vary], [2_048, 'Accept-Encoding'])
})

test('Weights, wildcards and identity in Accept-Encoding are respected', async (t) => {
  const { get, client } = await begin(t)
  await makeTen(client)
  const compressed = ['gzip', 'GZIP', 'x-gzip', '*', 'br, gzip;q=0.5', 'gzip;q=1.0, identity;q=0.5', 'deflate, *;q=0.1']
  const plain = [
    '',
    'identity',
    'br',
    'gzip;q=0',
    'gzip; q=0.000, *',
    '*;q=0',
    'gzip;q=0.2, identity',
    'gzip;q=nonsense',
  ]

  for (const accepted of compressed) assertCompressed(await get(list, { 'Accept-Encoding': accepted }))
  for (const accepted of plain) assertPlain(await get(list, { 'Accept-Encoding': accepted }))
})

test('HEAD has the headers of the compressed GET, and no body', async (t) => {
  const { get, client } = await begin(t)
  await makeTen(client)

  const [asked, head] = [await get(list, gzip), await get(list, gzip, 'HEAD')]

  assertCompressed(asked)
  assert.equal(head.bytes.length, 0)
  for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) {
    assert.equal(head.headers[name], asked.headers[name], name)
  }
})

test('The ETag of a compressed record is weak; it is accepted in If-None-Match, and in If-Match while it is current', async (t) => {
  const { get, client } = await begin(t)
  const { id } = await make(client, 'organization', { metadata: { pad: 'x'.repeat(3_000) } })
  const path = `/api-v1-organizations/${id}`
  const strong = (await get(path)).headers.etag!

  const packed = await get(path, gzip)
  const tags = [packed.headers.etag!, strong]
  const known = await Promise.all(tags.map((tag) => get(path, { ...gzip, 'If-None-Match': tag })))
  const patched = await client.patch(path, { city: 'Kiel' }, { 'If-Match': packed.headers.etag! })
  const late = await client.patch(path, { city: 'Bonn' }, { 'If-Match': packed.headers.etag! })

  assert.equal(packed.headers.etag, `W/${strong}`)
  for (const { status, headers, bytes } of known) {
    assert.deepEqual([status, bytes.length, headers.etag, headers.vary], [304, 0, `W/${strong}`, 'Accept-Encoding'])
    assert.equal(headers['content-encoding'], undefined)
  }
  assert.deepEqual([patched.status, late.status], [200, 412])
})

test('If-Match accepts the ETags as Caddy and Apache change them when they compress', async (t) => {
  const { get, client } = await begin(t)
  const { id } = await make(client, 'organization')
  const path = `/api-v1-organizations/${id}`

  for (const change of ['-gzip"', '-zstd"', '-br"']) {
    const etag = (await get(path)).headers.etag!.replace(/"$/, change)
    assert.equal((await client.patch(path, { city: `Kiel${change}` }, { 'If-Match': etag })).status, 200, etag)
    assert.equal((await client.patch(path, { city: 'Bonn' }, { 'If-Match': etag })).status, 412, etag)
  }
})

test('A compressed response has the current state of the caller’s own workspace', async (t) => {
  const { server, get, client } = await begin(t)
  const other = await server.company('Globex')
  await makeTen(client)
  await makeTen(other.client, 'Globex')
  const asOther = { ...gzip, Authorization: `Bearer ${other.client.key}` }
  for (let turn = 0; turn < 3; turn++) {
    const [own, others] = await Promise.all([get(list, gzip), get(list, asOther)])
    for (const response of [own, others]) assertCompressed(response)
    assert.ok(textOf(own).includes('Nordwind') && !textOf(own).includes('Globex'))
    assert.ok(textOf(others).includes('Globex') && !textOf(others).includes('Nordwind'))
  }

  await make(client, 'organization', { name: 'Added' })

  assert.ok(textOf(await get(list, gzip)).includes('Added'))
})

test('With compression off, nothing is compressed', async (t) => {
  const { get, client } = await begin(t, { limits: { compression: 'off' } })
  await makeTen(client)

  const response = await get(list, gzip)

  assertPlain(response)
  assert.equal(response.headers.vary, undefined)
  assertPlain(await get('/openapi.json', gzip))
})

test('A repeated POST gets the first response byte for byte, compressed or not', async (t) => {
  const { post } = await begin(t)
  const body = { title: 'Call', description: 'x'.repeat(3_000) }
  const [first, again, plain] = [
    await post('/api-v1-tasks', body, { ...gzip, 'Idempotency-Key': 'one' }),
    await post('/api-v1-tasks', body, { ...gzip, 'Idempotency-Key': 'one' }),
    await post('/api-v1-tasks', body, { 'Idempotency-Key': 'one' }),
  ]

  for (const response of [first, again]) assertCompressed(response)
  assertPlain(plain)
  assert.deepEqual([textOf(again), textOf(plain)], [textOf(first), textOf(first)])
  assert.deepEqual(
    [again, plain].map(({ headers }) => headers['idempotent-replayed']),
    ['true', 'true'],
  )
})

test('A response that shows a secret is not compressed, even when it is repeated', async (t) => {
  const { post } = await begin(t)
  const body = { name: 'Sync', scopes: ['read:all'], description: 'x'.repeat(3_000) }

  for (let turn = 0; turn < 2; turn++) {
    const made = await post('/api-v1-keys', body, { ...gzip, 'Idempotency-Key': 'key' })

    assertPlain(made)
    assert.match(JSON.parse(textOf(made)).data.key, /^svc_live_/)
    assert.equal(made.headers['cache-control'], 'no-store, no-transform') // proxies must not compress it either
  }
})

test('Errors and the console’s own responses are compressed, too', async (t) => {
  const { server, post } = await begin(t)
  const { cookie } = await newOwner(server)
  const emails = Array.from({ length: 50 }, () => ({ email: 'nonsense' }))

  const refused = await post('/api-v1-contacts', { first_name: 'Ada', emails }, gzip)
  const headers = { ...gzip, Cookie: cookie!, 'Kontor-Environment': 'live' }
  const description = await ask(`${server.url}/console/description`, headers)

  for (const response of [refused, description]) assertCompressed(response)
  assert.deepEqual([refused.status, JSON.parse(textOf(refused)).error.details.length], [400, 50])
  assert.ok(JSON.parse(textOf(description)).data.resources.length > 0)
})

test('Responses to pipelined requests are sent in order, compressed or not', async (t) => {
  const { server, client } = await begin(t)
  await makeTen(client)
  const { id } = await make(client, 'organization')
  const paths = [list, `/api-v1-organizations/${id}`, '/api-v1-organizations?sort=-name', '/api-v1-me']
  const requests = paths.map((path, at) => {
    const close = at === paths.length - 1 ? 'Connection: close\r\n' : ''
    const own = `X-Request-Id: ${at}\r\nAuthorization: Bearer ${client.key}\r\n${close}`
    return `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n${own}\r\n`
  })
  const connection = openRaw(server.url)
  connection.socket.setEncoding('latin1') // one character for each byte

  connection.write(requests.join(''))
  const responses = readResponses(await connection.closed())

  assert.deepEqual(
    responses.map(({ headers }) => headers.get('x-request-id')),
    ['0', '1', '2', '3'],
  )
  const codings = responses.map(({ headers }) => headers.get('content-encoding'))
  assert.deepEqual(codings, ['gzip', undefined, 'gzip', undefined])
})
