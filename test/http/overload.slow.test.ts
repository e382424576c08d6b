import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertError, type Client } from '../support/client.ts'
import { make } from '../support/make.ts'
import { openRaw, type RawConnection, readResponses, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const MiB = 2 ** 20
const path = '/api-v1-organizations'
/** A short limit, so that connections that are held open do not delay the end of a test. */
const drainMsMax = 50

/** Sends the head of a request with a body of this size, but not the body. */
async function holdBack(
  url: string,
  { key }: Client,
  route: string,
  bytes: number,
  from?: string,
): Promise<RawConnection> {
  const connection = openRaw(url, from)
  const head = `POST ${route} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nExpect: 100-continue`
  connection.write(`${head}\r\nContent-Length: ${bytes}\r\n\r\n`)
  await connection.until('HTTP/1.1 ')
  return connection
}

async function errorOf(
  connection: RawConnection,
): Promise<{ status: number; code: string; retryAfter: string | undefined }> {
  const received = (await connection.until('}}')).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
  const [{ status, headers, body } = { status: 0, headers: new Map<string, string>(), body: '' }] =
    readResponses(received)
  return { status, code: JSON.parse(body).error.code, retryAfter: headers.get('retry-after') }
}

describe('Limits of the resources that one client can hold', { concurrency: true, timeout: 60_000 }, () => {
  test('Bodies in progress are limited for each key: beyond the limit, 429 before the body is read; other keys are served', async (t) => {
    const limits = { drainMsMax, bodiesBytesMax: 3 * MiB, bodiesBytesPerClientMax: MiB }
    const server = await start(t, { limits })
    const [acme, globex] = [await server.company('Acme'), await server.company('Globex')]
    const held = await holdBack(server.url, acme.client, path, 600_000, '127.0.0.2')

    const refused = await errorOf(await holdBack(server.url, acme.client, path, 600_000, '127.0.0.3'))
    assert.deepEqual(refused, { status: 429, code: 'RATE_LIMIT_EXCEEDED', retryAfter: '1' })
    const metadata = { large: 'x'.repeat(60_000) }
    assert.equal((await globex.client.post(path, { name: 'Globex', metadata })).status, 201)
    assert.equal((await acme.client.post(path, { name: 'Acme' })).status, 201, 'small bodies are still taken')

    held.socket.destroy()
    const large = { name: 'Acme', unknown: 'x'.repeat(600_000) }
    await until('a large body is taken', async () => (await acme.client.post(path, large)).status, {
      is: (status) => status === 201,
    })
  })

  test('Bodies in progress are limited for each address, whatever keys it uses', async (t) => {
    const server = await start(t, { limits: { drainMsMax, bodiesBytesMax: 3 * MiB, bodiesBytesPerClientMax: MiB } })
    const [acme, globex] = [await server.company('Acme'), await server.company('Globex')]
    await holdBack(server.url, acme.client, path, 600_000, '127.0.0.2')

    const refused = await errorOf(await holdBack(server.url, globex.client, path, 600_000, '127.0.0.2'))

    assert.equal(refused.status, 429)
  })

  test('Bodies in progress are limited in total: beyond the limit, 503 with Retry-After', async (t) => {
    const server = await start(t, { limits: { drainMsMax, bodiesBytesMax: MiB, bodiesBytesPerClientMax: MiB } })
    const [acme, globex] = [await server.company('Acme'), await server.company('Globex')]
    await holdBack(server.url, acme.client, path, 600_000, '127.0.0.2')

    const refused = await errorOf(await holdBack(server.url, globex.client, path, 600_000, '127.0.0.3'))

    assert.deepEqual(refused, { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' })
  })

  test('A compressed body counts as much as the largest body that its route accepts', async (t) => {
    const server = await start(t, { limits: { drainMsMax, bodiesBytesMax: MiB, bodiesBytesPerClientMax: MiB } })
    const { client } = await server.company('Acme')
    await holdBack(server.url, client, path, 600_000)
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nConnection: close`

    const packed = gzipSync('{"name":"Acme"}')
    const connection = openRaw(server.url)
    connection.write(`${head}\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
    connection.socket.write(packed)

    assert.equal((await errorOf(connection)).status, 429)
  })

  test('Requests in progress are limited for each key and in total; /healthz always responds', async (t) => {
    const server = await start(t, { limits: { drainMsMax, requestsPerClientMax: 1, requestsMax: 2 } })
    const [acme, globex, initech] = [await server.company('A'), await server.company('B'), await server.company('C')]
    await holdBack(server.url, acme.client, path, 100, '127.0.0.2')

    assertError(await acme.client.get(path), 429, 'RATE_LIMIT_EXCEEDED')
    assert.equal((await globex.client.get(path)).status, 200)
    await holdBack(server.url, globex.client, path, 100, '127.0.0.3')
    const refused = await initech.client.get(path)
    assertError(refused, 503, 'SERVICE_UNAVAILABLE')
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  })

  test('A route with a small body accepts 16 KiB and no more', async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const deal = await make(client, 'deal')
    const pad = (length: number) => ({
      email: 'a',
      password: 'b',
      stage_id: deal.stage_id,
      unknown: 'x'.repeat(length),
    })
    const signIn = (length: number) =>
      client.request('POST', '/console/session', {
        headers: { 'Content-Type': 'application/json', 'Kontor-Environment': 'live' },
        body: JSON.stringify(pad(length)),
      })

    assertError(await client.patch(`/api-v1-deals/${deal.id}/stage`, pad(16_384)), 413, 'INVALID_REQUEST')
    assert.equal((await client.patch(`/api-v1-deals/${deal.id}/stage`, pad(16_000))).status, 200)
    assertError(await signIn(16_384), 413, 'INVALID_REQUEST')
    assertError(await signIn(16_000), 401, 'UNAUTHORIZED')
  })

  test('Long responses that a key does not read are limited; short ones are still sent', async (t) => {
    const server = await start(t, { limits: { drainMsMax, unreadBytesPerClientMax: 200_000, unreadBytesMax: MiB } })
    const { client } = await server.company('Acme')
    const metadata = { large: 'x'.repeat(60_000) }
    await Promise.all([1, 2].map(() => make(client, 'organization', { metadata })))
    const { id } = await make(client, 'organization')
    const unread = openRaw(server.url, '127.0.0.2')
    unread.socket.pause()
    const list = `GET ${path}?limit=3 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    const read = async () => (await client.get(`${path}?limit=3`)).status
    const fill = () => {
      unread.write(list)
      return read()
    }
    await until('the buffers of the kernel are full', fill, { is: (status) => status === 429 })

    assert.equal((await client.get(`${path}/${id}`)).status, 200)
    unread.socket.destroy()
    await until('the list is served', read, { is: (status) => status === 200 })
  })

  test('Queued requests of a closed connection no longer count', async (t) => {
    const server = await start(t, { limits: { drainMsMax, requestsPerClientMax: 8 } })
    const { client } = await server.company('Acme')
    const { id } = await make(client, 'organization', { metadata: { large: 'x'.repeat(60_000) } })
    const get = `GET ${path}/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n\r\n`
    for (let round = 0; round < 20; round++) {
      const connection = openRaw(server.url)
      connection.write(get.repeat(8))
      await connection.until('200 OK')
      connection.socket.resetAndDestroy()
    }

    await until('a request is served', async () => (await client.get(`${path}/${id}`)).status, {
      is: (status) => status === 200,
    })
  })

  test('A body whose Content-Length is beyond the limit is rejected with 413 before it is read', async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    for (const length of [2 ** 26, 2 ** 32, 2 ** 32 + 13, 2 ** 53]) {
      const head = `POST /api-v1-bulk/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json`

      const received = await sendRaw(server.url, `${head}\r\nContent-Length: ${length}\r\n\r\n{"records":[`)

      assert.equal(readResponses(received)[0]?.status, 413, String(length))
    }
  })

  test('Bodies of unknown length count as they arrive: many small ones are accepted, a large one is rejected while it arrives', async (t) => {
    const server = await start(t, { limits: { drainMsMax, bodiesBytesMax: MiB, bodiesBytesPerClientMax: MiB } })
    const { client } = await server.company('Acme')
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`
    const small = Array.from({ length: 30 }, () => openRaw(server.url))
    for (const each of small) each.write(`${head}\r\n\r\nf\r\n{"name":"Acme"}\r\n`)
    await holdBack(server.url, client, path, 600_000)

    const large = openRaw(server.url)
    large.write(`${head}\r\n\r\n96000\r\n{"name":"Acme","unknown":"${'x'.repeat(600_000)}`)
    assert.equal((await errorOf(large)).status, 429)
    for (const each of small) each.write('0\r\n\r\n')
    for (const each of small) assert.match(await each.until('\r\n\r\n'), /^HTTP\/1.1 201/)
  })

  test('A completed write gets its response however much its client has left unread; its next write is rejected before it starts', async (t) => {
    const server = await start(t, { limits: { unreadBytesPerClientMax: 100_000 } })
    const { client } = await server.company('Acme')
    const description = 'x'.repeat(99_000)
    const unread = [1, 2, 3].map(() => openRaw(server.url))
    for (const { socket } of unread) socket.pause()
    const body = JSON.stringify({ title: 'Unread', description })
    const post = `POST /api-v1-tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const statuses: number[] = []
    const fill = async () => {
      for (const each of unread) each.write(post.repeat(20))
      statuses.push((await client.post('/api-v1-tasks', { title: 'Read', description })).status)
      return statuses
    }
    await until('the buffers of the kernel are full', fill, { is: () => statuses.includes(429) })
    for (const { socket } of unread) socket.destroy()

    const written = () => client.get('/api-v1-tasks?filter[title][eq]=Read&limit=1')
    const list = await until('the list is served', written, { is: ({ status }) => status === 200 })
    assert.equal(list.body.pagination.total, statuses.filter((status) => status === 201).length)
  })

  test('A request that is rejected because of others in progress does not count against the rate limit', async (t) => {
    const server = await start(t, { rateLimits: 'plan', limits: { drainMsMax, requestsPerClientMax: 1 } })
    const { client } = await server.company('Acme')
    const held = await holdBack(server.url, client, path, 100, '127.0.0.2')
    for (let n = 0; n < 5; n++) assertError(await client.get(path), 429, 'RATE_LIMIT_EXCEEDED')
    held.socket.destroy()

    const response = await until('a request is served', () => client.get(path), { is: ({ status }) => status === 200 })

    assert.equal(response.headers.get('x-ratelimit-remaining'), '298')
  })
})
