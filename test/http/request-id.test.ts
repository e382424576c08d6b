import assert from 'node:assert/strict'
import { test } from 'node:test'
import { send } from '../support/client.ts'
import { openRaw, readResponses } from '../support/raw.ts'
import { start } from '../support/start.ts'

const path = '/api-v1-organizations'
const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

for (const given of ['1', 'req-42', 'a.b:c/d+e=f@g_h', crypto.randomUUID(), 'x'.repeat(128)]) {
  test(`The request id ${given.slice(0, 40)} of ${given.length} characters is echoed`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    const { headers } = await client.get(path, { 'X-Request-Id': given })

    assert.equal(headers.get('x-request-id'), given)
  })
}

const insane = { empty: '', long: 'x'.repeat(129), spaced: 'a b', quoted: 'a"b', tagged: '<script>', accented: 'é' }

for (const [what, given] of Object.entries(insane)) {
  test(`A request id that is ${what} is replaced by a new UUID`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    const { headers } = await client.get(path, { 'X-Request-Id': given })

    assert.match(headers.get('x-request-id')!, uuid)
  })
}

test('A repeated X-Request-Id header is replaced', async (t) => {
  const server = await start(t)
  const connection = openRaw(server.url)

  connection.write(
    'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n',
  )

  const [response] = readResponses(await connection.closed())
  assert.match(response!.headers.get('x-request-id')!, uuid)
})

test('Every request without an id gets a generated one', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const responses = await Promise.all(Array.from({ length: 20 }, () => client.get(path)))

  const ids = responses.map(({ headers }) => headers.get('x-request-id')!)
  for (const id of ids) assert.match(id, uuid)
  assert.equal(new Set(ids).size, 20)
})

test('All errors and health checks echo the request id', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const headers = { 'X-Request-Id': 'req-42' }

  const responses = [
    await send(`${server.url}${path}`, { headers }),
    await send(`${server.url}/nothing`, { headers }),
    await client.get('/api-v1-nothing', headers),
    await client.request('DELETE', path, { headers }),
    await client.post(path, {}, headers),
    await client.request('POST', path, { body: 'x', headers }),
    await send(`${server.url}/healthz`, { headers }),
    await send(`${server.url}/readyz`, { headers }),
  ]

  assert.deepEqual(
    responses.map((response) => response.status),
    [401, 404, 404, 405, 400, 415, 200, 200],
  )
  for (const response of responses) assert.equal(response.headers.get('x-request-id'), 'req-42')
})
