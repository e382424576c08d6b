import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../support/client.ts'
import { openRaw, type RawConnection, readResponses } from '../support/raw.ts'
import { type Server, start } from '../support/start.ts'

const body = '{"name":"Acme"}'

/** Sends a POST without its body. Resolves when the server has responded with 100. */
async function beginPost(server: Server): Promise<RawConnection> {
  const { key } = await server.client()
  const connection = openRaw(server.url)
  const lines = [
    'POST /api-v1-organizations HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  connection.write(`${lines.join('\r\n')}\r\n\r\n`)
  await connection.until('100 Continue')
  return connection
}

test('A running server is ready', async (t) => {
  const server = await start(t)

  const [ready, alive] = [await send(`${server.url}/readyz`), await send(`${server.url}/healthz`)]

  assert.deepEqual([ready.status, ready.body], [200, { status: 'ready' }])
  assert.deepEqual([alive.status, alive.body], [200, { status: 'ok' }])
})

test('While the server drains it is alive but not ready, and completes the requests in progress', async (t) => {
  const server = await start(t)
  const connection = await beginPost(server)

  const drained = server.drain()
  const [ready, alive] = [await fetch(`${server.url}/readyz`), await fetch(`${server.url}/healthz`)]
  connection.write(body)
  const [, response] = readResponses(await connection.closed())
  await drained

  assert.deepEqual([ready.status, await ready.json()], [503, { status: 'draining' }])
  assert.equal(alive.status, 200)
  assert.equal(response?.status, 201)
})

test('After draining, no connection is accepted', async (t) => {
  const server = await start(t)

  await server.drain()

  await assert.rejects(fetch(`${server.url}/healthz`))
})

test('An idle keep-alive connection does not delay draining', async (t) => {
  const server = await start(t)
  const connection = openRaw(server.url)
  connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  await connection.until('"ok"')

  await server.drain()

  const [response] = readResponses(await connection.closed())
  assert.equal(response?.status, 200)
})

test('Writes that were acknowledged while draining exist after a restart', async (t) => {
  const server = await start(t)
  const connection = await beginPost(server)

  const stopped = server.stop()
  connection.write(body)
  const [, response] = readResponses(await connection.closed())
  await stopped

  assert.equal(response?.status, 201)
  const directory = server.path.slice(0, server.path.lastIndexOf('/'))
  const next = await start(t, { directory })
  const { id } = JSON.parse(response.body).data
  assert.equal(next.store.access.value('SELECT name FROM organization WHERE id = ?', id), 'Acme')
})

test('With a drain delay, the server accepts requests while load balancers see that it is not ready', async (t) => {
  const server = await start(t, { limits: { drainDelayMs: 2_000 } })
  const client = await server.client()

  const drained = server.drain()
  const ready = await fetch(`${server.url}/readyz`)
  const response = await client.post('/api-v1-organizations', JSON.parse(body))
  await drained

  assert.deepEqual([ready.status, response.status, response.headers.get('connection')], [503, 201, 'close'])
})

test('A request that never ends delays draining by at most the drain timeout', async (t) => {
  const server = await start(t, { limits: { drainMsMax: 100 } })
  const connection = await beginPost(server)

  await server.drain()

  await connection.closed()
})
