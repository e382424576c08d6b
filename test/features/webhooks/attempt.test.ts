import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { attempt, retryAfter } from '../../../src/features/webhooks/transport/attempt.ts'
import { type DestinationOptions, Destinations } from '../../../src/features/webhooks/transport/destinations.ts'
import { newCertificate } from '../../support/certificate.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { withoutOpenssl } from '../../support/needs.ts'

const delivery = { headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, body: '{"type":"ping"}' }

function destinationsOf(t: TestContext, options: DestinationOptions = { loopback: true }): Destinations {
  const destinations = new Destinations([], options)
  t.after(() => destinations.close())
  return destinations
}

async function portOf(t: TestContext, server: Server & { closeAllConnections?(): void }, host = '127.0.0.1') {
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections?.()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function receiver(t: TestContext, receive: RequestListener, host?: string): Promise<string> {
  const port = await portOf(t, createServer(receive), host)
  return `http://127.0.0.1:${port}`
}

async function secureReceiver(t: TestContext, name: string, receive: RequestListener) {
  const { tlsCert, tlsKey } = newCertificate(temporaryDirectory(t), name)
  const [cert, key] = [readFileSync(tlsCert, 'utf8'), readFileSync(tlsKey, 'utf8')]
  return { port: await portOf(t, createSecureServer({ cert, key }, receive)), cert }
}

/** Trusts a certificate until the test ends. */
function trust(t: TestContext, cert: string): void {
  const usual = getCACertificates('default')
  t.after(() => setDefaultCACertificates(usual))
  setDefaultCACertificates([...usual, cert])
}

test('An attempt posts the body with the headers, and returns the status and the response', async (t) => {
  let received: unknown
  const url = await receiver(t, async (request, response) => {
    const { method, url: path, headers } = request
    received = { method, path, id: headers['webhook-id'], host: headers.host, body: await text(request) }
    response.writeHead(201, { 'Retry-After': '7' }).end('thanks')
  })

  const { ms, ...sent } = await attempt({ ...delivery, url: `${url}/hook?key=1` }, destinationsOf(t))

  assert.deepEqual(sent, { status: 201, response: 'thanks', error: null, retryAfterMs: 7_000 })
  assert.ok(Number.isInteger(ms))
  const host = url.slice('http://'.length)
  assert.deepEqual(received, { method: 'POST', path: '/hook?key=1', id: 'msg_1', host, body: delivery.body })
})

test('Redirects are not followed', async (t) => {
  let count = 0
  const url = await receiver(t, (_, response) => {
    count++
    response.writeHead(307, { Location: '/elsewhere' }).end()
  })

  assert.equal((await attempt({ ...delivery, url }, destinationsOf(t))).status, 307)
  assert.equal(count, 1)
})

test('A refused URL causes no request, and the attempt says why', async (t) => {
  const url = await receiver(t, () => assert.fail('it was requested'))

  const sent = await attempt({ ...delivery, url }, destinationsOf(t, {}))

  assert.deepEqual(
    [sent.status, sent.error],
    [null, 'Url must not lead to a private, loopback or otherwise reserved address'],
  )
})

test('A name that leads to a reserved address causes no connection', { skip: withoutOpenssl }, async (t) => {
  const { port } = await secureReceiver(t, 'rebind.example', () => assert.fail('it was requested'))
  const resolver = { resolve: async () => ['127.0.0.1', '::ffff:127.0.0.1'] }

  const sent = await attempt({ ...delivery, url: `https://rebind.example:${port}` }, destinationsOf(t, { resolver }))

  assert.equal(sent.error, 'rebind.example has no address that webhooks may be sent to')
})

test('The connection uses the address that was checked, and the name is resolved once', {
  skip: withoutOpenssl,
}, async (t) => {
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  let asked = 0
  const resolver = { resolve: async () => answers[asked++] ?? [] }
  const { port, cert } = await secureReceiver(t, 'rebind.example', (request, response) => {
    response.end(`${request.headers.host}`)
  })
  trust(t, cert)
  const destinations = destinationsOf(t, { loopback: true, resolver })
  const url = `https://rebind.example:${port}`

  const { response, error } = await attempt({ ...delivery, url }, destinations)

  assert.deepEqual([response, error, asked], [`rebind.example:${port}`, null, 1])
})

test('After a rebind, a new connection is checked again', { skip: withoutOpenssl }, async (t) => {
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const resolver = { resolve: async () => answers.shift()! }
  const { port, cert } = await secureReceiver(t, 'rebind.example', (_, response) => {
    response.writeHead(200, { Connection: 'close' }).end()
  })
  trust(t, cert)
  const destinations = destinationsOf(t, { loopback: true, resolver })
  const deliver = () => attempt({ ...delivery, url: `https://rebind.example:${port}` }, destinations)

  assert.equal((await deliver()).status, 200)
  assert.equal((await deliver()).error, 'rebind.example has no address that webhooks may be sent to')
})

test('Of several addresses, the next one is used if one does not accept the connection', {
  skip: withoutOpenssl,
}, async (t) => {
  const { port, cert } = await secureReceiver(t, 'several.example', (_, response) => response.end('here'))
  trust(t, cert)
  const resolver = { resolve: async () => ['::1', '127.0.0.2', '127.0.0.1', '10.0.0.1'] }

  const sent = await attempt(
    { ...delivery, url: `https://several.example:${port}` },
    destinationsOf(t, { loopback: true, resolver }),
  )

  assert.deepEqual([sent.response, sent.error], ['here', null])
})

test('A connection is used again, for the same name only', async (t) => {
  const ports: unknown[] = []
  const url = await receiver(t, (request, response) => {
    ports.push(request.socket.remotePort)
    response.end()
  })
  const destinations = destinationsOf(t)
  const deliver = (to: string) => attempt({ ...delivery, url: to }, destinations)

  for (const to of [url, url, url.replace('127.0.0.1', 'localhost')]) assert.equal((await deliver(to)).status, 200)
  assert.equal(ports[0], ports[1])
  assert.notEqual(ports[1], ports[2])
})

test('A receiver that closes an open connection when it is used again gets the request on a new one', async (t) => {
  let count = 0
  const used = new WeakSet<IncomingMessage['socket']>()
  const url = await receiver(t, ({ socket }, response) => {
    count++
    if (used.has(socket)) socket.resetAndDestroy()
    else response.end('fresh')
    used.add(socket)
  })
  const destinations = destinationsOf(t)

  for (const _ of [1, 2]) assert.equal((await attempt({ ...delivery, url }, destinations)).response, 'fresh')
  assert.equal(count, 3)
})

test('The time for the connection does not limit the response, on a new connection or an open one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const url = await receiver(t, (_, response) => {
    t.mock.timers.tick(600)
    response.end()
  })
  const destinations = destinationsOf(t)

  for (const _ of ['new', 'open']) {
    assert.equal((await attempt({ ...delivery, url }, destinations, { connectMs: 400 })).error, null)
  }
})

test('A certificate that is self-signed or for another name is refused', { skip: withoutOpenssl }, async (t) => {
  const destinations = destinationsOf(t)
  const { port, cert } = await secureReceiver(t, 'other.example', () => assert.fail('it was requested'))
  const errorOf = async () => (await attempt({ ...delivery, url: `https://localhost:${port}` }, destinations)).error

  assert.equal(await errorOf(), 'The certificate is not valid: it is self-signed')
  trust(t, cert)
  assert.equal(await errorOf(), 'The certificate is not valid: it is for another name')
})

test('An attempt ends when its signal does, also before it begins', async (t) => {
  const stop = new AbortController()
  const url = await receiver(t, () => stop.abort())
  const destinations = destinationsOf(t)

  for (const _ of ['under way', 'not begun']) {
    const sent = await attempt({ ...delivery, url }, destinations, { signal: stop.signal })
    assert.deepEqual([sent.status, sent.error], [null, 'The server stopped during the attempt'])
  }
})

test('Retry-After is read as seconds or as a date, up to 24 hours', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const cases: [header: string | undefined, ms: number | null][] = [
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['0', 0],
    ['120', 120_000],
    ['999999999999', 86_400_000],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun Mar  1 12:00:30 2026', 30_000],
    ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
    ['2026-03-01 12:00:30', null],
    ['Sun, 01 Mar 2099 11:00:00 GMT', 86_400_000],
    ['not a date GMT', null],
  ]
  for (const [header, ms] of cases) assert.equal(retryAfter(header, now), ms, String(header))
})
