import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { ConfigError, limitSettings, readConfig, settings } from '../../src/config.ts'
import { assertError } from '../support/client.ts'
import { readResponses, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const path = '/api-v1-organizations'
const ms = 200

describe('Limits of a client', { concurrency: true, timeout: 60_000 }, () => {
  test('A client that sends nothing, or never ends its headers, gets 408 and is disconnected', async (t) => {
    const { url } = await start(t, { limits: { headMs: ms } })

    const received = await Promise.all([sendRaw(url, ''), sendRaw(url, 'GET / HTTP/1.1\r\nHost: x\r\n')])

    for (const response of received.map((each) => readResponses(each)[0])) {
      assert.equal(response?.status, 408)
      assert.equal(JSON.parse(response.body).error.code, 'INVALID_REQUEST')
      assert.ok(response.headers.get('x-ratelimit-remaining'))
    }
  })

  test('A client that does not disconnect after 408 no longer counts as a connection', async (t) => {
    const { url } = await start(t, { limits: { headMs: ms, connectionsMax: 2 } })
    const { hostname: host, port } = new URL(url)
    const held = [1, 2].map(() => connect({ host, port: Number(port), allowHalfOpen: true }))
    t.after(() => held.map((socket) => socket.destroy()))
    await Promise.all(held.map((socket) => once(socket, 'data')))

    const probe = () => sendRaw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await until('the server no longer counts them', probe, { is: (received) => received !== '' })
    assert.ok(
      held.every((socket) => !socket.destroyed),
      'the clients have not disconnected',
    )
  })

  test('A client that never ends its body gets 408 and is disconnected, and nothing is written', async (t) => {
    const server = await start(t, { limits: { requestMs: ms } })
    const { client } = await server.company('Acme')
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json`

    const received = await sendRaw(server.url, `${head}\r\nContent-Length: 100\r\n\r\n{"name":"Acme"}`)

    assert.equal(readResponses(received)[0]?.status, 408)
    assert.equal((await client.get(path)).body.pagination.total, 0)
  })

  test('An idle connection is closed', async (t) => {
    const { url } = await start(t, { limits: { keepAliveMs: ms } })

    const received = await sendRaw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')

    assert.equal(readResponses(received)[0]?.status, 200)
  })

  test('A URL that is too long is rejected with 414, a URL of the maximum length is accepted', async (t) => {
    const server = await start(t, { limits: { urlBytesMax: 1024 } })
    const { client } = await server.company('Acme')
    const ofLength = (length: number) => `${path}?name=`.padEnd(length, 'x')

    const [longest, longer] = [await client.get(ofLength(1024)), await client.get(ofLength(1025))]

    assertError(longer, 414, 'INVALID_REQUEST', 'The URL is longer than 1024 bytes')
    assert.ok(longer.headers.get('x-ratelimit-remaining'))
    assert.equal(longest.status, 200)
  })

  test('Headers that are too large are rejected with 431', async (t) => {
    const { url } = await start(t, { limits: { headBytesMax: 1024 } })

    const received = await sendRaw(url, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Flood: ${'x'.repeat(1024)}\r\n\r\n`)

    assert.equal(readResponses(received)[0]?.status, 431)
  })

  test('JSON that is nested too deeply is rejected with 400; brackets inside strings do not count', async (t) => {
    const server = await start(t, { limits: { jsonDepthMax: 8 } })
    const { client } = await server.company('Acme')
    const nested = (depth: number) => ({
      name: '[[[[[[[[[["\\',
      unknown: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`),
    })

    assert.equal((await client.post(path, nested(7))).status, 201)
    assertError(await client.post(path, nested(8)), 400, 'INVALID_REQUEST', 'The body is nested deeper than 8 levels')
  })
})

for (const name of limitSettings) {
  test(`The limit ${settings[name].env} has a valid default, and rejects invalid values`, () => {
    const { env, flag } = settings[name]

    assert.ok((readConfig([name], {}, {})[name] as number) >= 0)
    for (const invalid of ['-1', 'many', '1.5', '1 year']) {
      assert.throws(
        () => readConfig([name], {}, { [env]: invalid }),
        (error) => error instanceof ConfigError && error.message.includes(env),
        flag,
      )
    }
  })
}
