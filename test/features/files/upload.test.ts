import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { storedIn, upload, uploaded } from './files.ts'

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

test('An upload stores the bytes as sent under their SHA-256 and returns the record', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const organization = await make(client, 'organization')
  const body = Buffer.from([0, 255, 10, 13, 200])

  const response = await upload(client, body, {
    name: 'Angebot für Ida.pdf',
    organization_id: organization.id,
    metadata: '{"a":1}',
  })

  assert.equal(response.status, 201, JSON.stringify(response.body))
  const { id, created_at, updated_at, ...data } = response.body.data
  assert.equal(response.headers.get('location'), `/api-v1-files/${id}`)
  assert.deepEqual(data, {
    name: 'Angebot für Ida.pdf',
    media_type: 'application/pdf',
    bytes: 5,
    sha256: sha256(body),
    ...{ organization_id: organization.id, contact_id: null, deal_id: null, task_id: null, message_id: null },
    metadata: { a: 1 },
  })
  const [path, ...others] = storedIn(server.directory)
  assert.match(path!, new RegExp(`^\\d+/${data.sha256.slice(0, 2)}/${data.sha256}$`))
  assert.deepEqual(others, [])
  assert.deepEqual(readFileSync(join(server.directory, 'files', path!)), body)
  assert.deepEqual((await client.get(`/api-v1-files/${id}`)).body.data, response.body.data)
})

test('Equal content of a workspace is stored once, and that of two companies twice', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await uploaded(client, 'same')
  await uploaded(client, 'same', { name: 'other.pdf' })

  assert.equal(storedIn(server.directory).length, 1)
  await uploaded((await server.company('Globex')).client, 'same')
  assert.equal(storedIn(server.directory).length, 2)
})

test('The media type is that of Content-Type without parameters, and unknown for none and for forms of curl', async (t) => {
  const client = await (await start(t)).client()

  const types = ['Text/Plain; charset=utf-8', 'application/x-www-form-urlencoded']
  const records = await Promise.all(types.map((type) => uploaded(client, 'text', { type })))

  assert.deepEqual(
    records.map((each) => (each as unknown as { media_type: string }).media_type),
    ['text/plain', 'application/octet-stream'],
  )
})

test('A file without a reference, with an unusable name, with message_id or with invalid metadata is 400 with all reasons', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const post = (query: string) =>
    client.request('POST', `/api-v1-files?${query}`, { body: 'x', headers: { 'Content-Type': 'a/b' } })

  assertError(await post('name=a'), 400, 'VALIDATION_ERROR', undefined, ['organization_id'])
  assertError(await post('metadata=x'), 400, 'VALIDATION_ERROR', undefined, ['metadata', 'name'])
  const organization = await make(client, 'organization')
  for (const metadata of ['{"a":9007199254740993}', '{"a":[{"b":1e-400}]}', '{},"b":{}']) {
    const query = `name=a&organization_id=${organization.id}&metadata=${encodeURIComponent(metadata)}`
    assertError(await post(query), 400, 'VALIDATION_ERROR', undefined, ['metadata'])
  }
  for (const name of ['a/b', 'a\\b', 'a\nb', 'a\u202eb', '..', 'ü'.repeat(128)]) {
    assertError(await upload(client, 'x', { name }), 400, 'VALIDATION_ERROR', undefined, ['name'])
  }
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  assertError(await upload(client, 'x', { message_id: id }), 400, 'VALIDATION_ERROR', undefined, [
    'message_id',
    'organization_id',
  ])
  const foreign = await make((await server.company('Globex')).client, 'deal', { title: 'Hampers' })
  for (const deal_id of [id, foreign.id]) {
    assertError(await upload(client, 'x', { deal_id }), 400, 'VALIDATION_ERROR', undefined, ['deal_id'])
  }
  assert.deepEqual(storedIn(server.directory), [])
})

test('A form, a Content-Encoding and an empty body are refused with a word why', async (t) => {
  const client = await (await start(t)).client()

  assertError(await upload(client, 'x', { type: 'multipart/form-data; boundary=x' }), 415, 'INVALID_REQUEST')
  assertError(await upload(client, 'x', { headers: { 'Content-Encoding': 'gzip' } }), 415, 'INVALID_REQUEST')
  assertError(await upload(client, 'x', { type: 'nonsense' }), 415, 'INVALID_REQUEST')
  assertError(await upload(client, ''), 400, 'INVALID_REQUEST')
})

test('A file above the limit is 413, by Content-Length and as it arrives, and nothing of it stays', async (t) => {
  const server = await start(t, { limits: { fileBytesMax: 100_000 } })
  const client = await server.client()
  const tooLong = Buffer.alloc(100_001)

  assertError(await upload(client, tooLong), 413, 'INVALID_REQUEST')
  const streamed = new Blob([tooLong]).stream() as unknown as Buffer
  assertError(await upload(client, streamed), 413, 'INVALID_REQUEST')
  assert.equal((await upload(client, tooLong.subarray(1))).status, 201)
  assert.equal(storedIn(server.directory).length, 1)
})

test('Missing permission is answered before the body arrives', async (t) => {
  const server = await start(t, { limits: { fileBytesMax: 1_000 } })
  const { client, newKey } = await withKeys(server)
  const query = `name=a&organization_id=${(await make(client, 'organization')).id}`
  const cases: [key: string | undefined, bytes: number, status: number][] = [
    [undefined, 500, 401],
    [await newKey(['read:all']), 500, 403],
    [client.key, 5_000, 413],
  ]
  for (const [key, bytes, status] of cases) {
    assert.equal(await statusBeforeBody(`${server.url}/api-v1-files?${query}`, { key, bytes }), status)
  }
})

test('An upload that breaks off leaves no record and no bytes', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const organization = await make(client, 'organization')
  const headers = { Authorization: `Bearer ${client.key}`, 'Content-Type': 'a/b', 'Content-Length': '1000000' }
  const sent = request(`${server.url}/api-v1-files?name=a&organization_id=${organization.id}`, {
    method: 'POST',
    headers,
  })
  sent.on('error', () => {})
  sent.write(Buffer.alloc(200_000))
  await until('the first bytes are stored', () => storedIn(server.directory).length === 1)

  sent.destroy()

  await until('the bytes are gone', () => storedIn(server.directory).length === 0)
  assert.equal((await client.get('/api-v1-files')).body.pagination.total, 0)
})

test('A body of another request may take no longer than the request timeout, and a file may', async (t) => {
  const server = await start(t, { limits: { requestMs: 300, headMs: 300, stallMs: 60_000 } })
  const client = await server.client()
  const organization = await make(client, 'organization')
  const begin = (path: string, type: string) => {
    const headers = { Authorization: `Bearer ${client.key}`, 'Content-Type': type, 'Content-Length': '4' }
    const sent = request(`${server.url}${path}`, { method: 'POST', headers })
    sent.write('{}')
    return sent
  }
  const file = begin(`/api-v1-files?name=a&organization_id=${organization.id}`, 'a/b')
  const record = begin('/api-v1-organizations', 'application/json')

  assert.equal(await statusOf(record), 408)
  file.end('{}')
  assert.equal(await statusOf(file), 201)
})

test('A repeated upload with the same Idempotency-Key returns the same file, and other bytes are a conflict', async (t) => {
  const client = await (await start(t)).client()
  const { id } = await make(client, 'organization')
  const send = (body: string, name = 'a') =>
    upload(client, body, { name, organization_id: id, headers: { 'Idempotency-Key': 'k1' } })
  const first = await send('bytes')

  const again = await send('bytes')

  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assertError(await send('other'), 409, 'CONFLICT')
  assertError(await send('bytes', 'b'), 409, 'CONFLICT')
  assert.equal((await client.get('/api-v1-files')).body.pagination.total, 1)
})

test('Equal uploads at the same time under one request id are all stored', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const { id } = await make(client, 'organization')
  const headers = { 'X-Request-Id': 'one' }

  const all = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => upload(client, Buffer.alloc(1_000_000), { name, organization_id: id, headers })),
  )

  assert.deepEqual(
    all.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal(storedIn(server.directory).length, 1)
})

function statusOf(sent: ReturnType<typeof request>): Promise<number> {
  return new Promise((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
  })
}

/** Sends the head of an upload and no body. */
async function statusBeforeBody(
  url: string,
  { key, bytes }: { key: string | undefined; bytes: number },
): Promise<number> {
  const headers = {
    ...(key && { Authorization: `Bearer ${key}` }),
    'Content-Type': 'a/b',
    'Content-Length': String(bytes),
  }
  const sent = request(url, { method: 'POST', headers })
  sent.flushHeaders()
  try {
    return await statusOf(sent)
  } finally {
    sent.on('error', () => {}).destroy()
  }
}

async function withKeys(server: Awaited<ReturnType<typeof start>>) {
  const { client } = await server.company('Acme')
  const newKey = async (scopes: string[]) =>
    (await make(client, 'api_key', { scopes })) &&
    String((await client.post('/api-v1-keys', { name: 'k', scopes })).body.data.key)
  return { client, newKey }
}
