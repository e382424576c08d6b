import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ApiResponse, assertError, type Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { openRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'

const path = '/api-v1-organizations'
const MiB = 2 ** 20
const json = { 'Content-Type': 'application/json' }

/** Sends a body unchanged. */
function post(
  client: Client,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = json,
): Promise<ApiResponse> {
  return client.request('POST', path, { body, headers })
}

/** A valid body of exactly this many bytes. */
function bodyOf(bytes: number): string {
  const frame = '{"name":"Acme","unknown":""}'
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
}

for (const type of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  'application/jsonp',
  'application/json; charset=utf-16',
  'application/json; charset=iso-8859-1',
]) {
  test(`A body of the type ${type} is rejected with 415`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    const response = await post(client, '{"name":"Acme"}', { 'Content-Type': type })

    assertError(response, 415, 'INVALID_REQUEST')
  })
}

test('A body without a Content-Type is rejected with 415', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const response = await post(client, Buffer.from('{"name":"Acme"}'), {})

  assertError(response, 415, 'INVALID_REQUEST')
})

for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"']) {
  test(`A body of the type ${type} is accepted`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    const response = await post(client, '{"name":"Müller"}', { 'Content-Type': type })

    assert.equal(response.status, 201)
    assert.equal(response.body.data.name, 'Müller')
  })
}

const invalidBodies: Record<string, string | Buffer> = {
  'is empty': '',
  'is white space': ' \n ',
  'is cut off': '{"name":"Acme"',
  'has a trailing comma': '{"name":"Acme",}',
  'has single quotes': "{'name':'Acme'}",
  'has a comment': '{"name":"Acme"} // ours',
  'is two documents': '{"name":"Acme"}{"name":"Other"}',
  'has a byte that is not UTF-8': Buffer.from('{"name":"M\xfcller"}', 'latin1'),
  'has an overlong encoding': Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')]),
  'has half a surrogate pair in UTF-8': Buffer.from([
    ...Buffer.from('{"name":"'),
    0xed,
    0xa0,
    0x80,
    ...Buffer.from('"}'),
  ]),
  'is UTF-16': Buffer.from('{"name":"Acme"}', 'utf16le'),
  'has a raw line break in a text': '{"name":"A\nB"}',
  'is NaN': 'NaN',
  'is an array': '[{"name":"Acme"}]',
  'is null': 'null',
  'is a text': '"Acme"',
  'is a number': '1',
  'is true': 'true',
  'is nested without end': '['.repeat(200_000),
}

for (const [what, body] of Object.entries(invalidBodies)) {
  test(`A body that ${what} is rejected with 400 INVALID_REQUEST, and the server keeps running`, async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const { id } = await make(client, 'organization')

    const created = await post(client, body)
    const patched = await client.request('PATCH', `${path}/${id}`, { body, headers: json })

    assertError(created, 400, 'INVALID_REQUEST')
    assertError(patched, 400, 'INVALID_REQUEST')
    assert.equal((await client.get(path)).body.pagination.total, 1)
  })
}

test('A POST or PATCH without a body is rejected with a message that it needs one', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await make(client, 'organization')

  const created = await client.request('POST', path)
  const patched = await client.request('PATCH', `${path}/${id}`)

  assertError(created, 400, 'INVALID_REQUEST', 'The request needs a body: a JSON object')
  assertError(patched, 400, 'INVALID_REQUEST', 'The request needs a body: a JSON object')
})

test('A body of 1 MiB is accepted, one more byte is rejected with 413', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const largest = await post(client, bodyOf(MiB))
  const larger = await post(client, bodyOf(MiB + 1))

  assert.equal(largest.status, 201)
  assertError(larger, 413, 'INVALID_REQUEST')
  assert.equal((await client.get(path)).body.pagination.total, 1)
})

test('A body without a Content-Length has the same limit', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const chunked = (bytes: number) =>
    client.request('POST', path, {
      body: new Blob([bodyOf(bytes)]).stream(),
      headers: json,
      duplex: 'half',
    } as RequestInit)

  const largest = await chunked(MiB)
  const larger = await chunked(MiB + 1)

  assert.equal(largest.status, 201)
  assertError(larger, 413, 'INVALID_REQUEST')
})

test('The operator can set the limit of the body size', async (t) => {
  const { client } = await (await start(t, { limits: { bodyBytesMax: 2048 } })).company('Acme')

  const responses = [await post(client, bodyOf(2048)), await post(client, bodyOf(2049))]

  assert.equal(responses[0]!.status, 201)
  assertError(responses[1]!, 413, 'INVALID_REQUEST')
})

test('A body far beyond the limit is rejected, and the server keeps running', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const response = await post(client, bodyOf(8 * MiB))

  assertError(response, 413, 'INVALID_REQUEST')
  assert.equal((await client.get(path)).status, 200)
})

test('If a JSON key is repeated, the last value is used', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const response = await post(client, '{"name":"First","name":"Last"}')

  assert.equal(response.body.data.name, 'Last')
})

test('Nesting thousands of levels deep is rejected in metadata and ignored in unknown fields', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`

  const inMetadata = await post(client, `{"name":"Acme","metadata":{"a":${deep}}}`)
  const unknown = await post(client, `{"name":"Acme","unknown":${deep}}`)

  assertError(inMetadata, 400, 'VALIDATION_ERROR', undefined, ['metadata'])
  assert.equal(unknown.status, 201)
})

test('A body compressed with gzip is read', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const response = await post(client, gzipSync('{"name":"Acme"}'), { ...json, 'Content-Encoding': 'gzip' })

  assert.equal(response.status, 201)
  assert.equal(response.body.data.name, 'Acme')
})

test('A body with an unknown compression is rejected with 415, a damaged one with 400', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const packed = gzipSync('{"name":"Acme"}')

  const unknown = await post(client, packed, { ...json, 'Content-Encoding': 'compress' })
  const damaged = await post(client, packed.subarray(0, 20), { ...json, 'Content-Encoding': 'gzip' })
  const none = await post(client, '{"name":"Acme"}', { ...json, 'Content-Encoding': 'gzip' })

  assertError(unknown, 415, 'INVALID_REQUEST')
  assertError(damaged, 400, 'INVALID_REQUEST')
  assertError(none, 400, 'INVALID_REQUEST')
})

test('A small body that decompresses to a huge one is rejected with 413', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const bomb = gzipSync(Buffer.alloc(64 * MiB, 0x20))

  const response = await post(client, bomb, { ...json, 'Content-Encoding': 'gzip' })

  assert.ok(bomb.length < MiB)
  assertError(response, 413, 'INVALID_REQUEST')
  assert.equal((await client.get(path)).status, 200)
})

test('JSON keys with the names of inherited properties are plain data', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const metadata = '{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}'

  const response = await post(client, `{"name":"Acme","metadata":${metadata}}`)
  const hidden = await post(client, '{"__proto__":{"name":"Acme"}}')
  const patched = await client.request('PATCH', `${path}/${response.body.data.id}`, {
    body: '{"__proto__":{"name":"Other"},"constructor":{"name":"Other"}}',
    headers: json,
  })

  assert.equal(JSON.stringify(response.body.data.metadata), metadata)
  assertError(hidden, 400, 'VALIDATION_ERROR', 'Name is required')
  assertError(patched, 400, 'INVALID_REQUEST', 'No fields to update')
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('A compressed body that is invalid just after the size limit does not end the process', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const valid = gzipSync(Buffer.alloc(2 * MiB), { level: 0 }) // in uncompressed blocks
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nContent-Encoding: gzip`
  for (let round = 0; round < 40; round++) {
    const broken = Buffer.from(valid).fill(0xff, MiB + 2_000 * round)
    const connection = openRaw(server.url)
    connection.write(`${head}\r\nConnection: close\r\nContent-Length: ${broken.length}\r\n\r\n`)
    connection.socket.write(broken)
    await connection.closed()
  }

  assert.equal((await client.get(path)).status, 200)
})
