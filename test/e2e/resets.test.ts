import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { newCertificate } from '../support/certificate.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { withoutOpenssl } from '../support/needs.ts'
import { bundle, launch, type Process } from '../support/program.ts'

const concurrency = 20
const json = 'Content-Type: application/json\r\n'
const key = `Authorization: Bearer svc_live_${'x'.repeat(32)}\r\n`
const host = 'HTTP/1.1\r\nHost: a\r\n'

/** A request of each kind that the server processes in a different way. */
const requests = {
  'a tunnel': 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'an upgrade': `GET / ${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'a read': `GET /api-v1-organizations ${host}${key}\r\n`,
  'a write': `POST /api-v1-organizations ${host}${key}${json}Content-Length: 15\r\n\r\n{"name":"Acme"}`,
  'a chunked write': `POST /api-v1-contacts ${host}${key}${json}Transfer-Encoding: chunked\r\n\r\nf\r\n{"name":"Acme"}\r\n0\r\n\r\n`,
  'an expectation': `POST /api-v1-deals ${host}${key}${json}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  'a sign-in': `POST /console/session ${host}${json}Kontor-Environment: live\r\nContent-Length: 2\r\n\r\n{}`,
  'a page': `GET / ${host}Accept-Encoding: gzip\r\n\r\nGET /docs ${host}\r\n`,
  'two requests at once': `GET /healthz ${host}\r\nHEAD /readyz ${host}\r\n`,
  nonsense: 'hello, world\r\n\r\n',
}

test('A client that resets its connection at any byte of any request does not end the process', async (t) => {
  const server = await launch(t, bundle, ['serve', '--data', temporaryDirectory(t), '--port', '0'])
  const port = Number(new URL(server.first.url!).port)

  await resetEverywhere(port, false, Object.values(requests))

  assert.equal((await fetch(`${server.first.url}/healthz`)).status, 200)
  assert.equal(server.child.exitCode, null)
})

test('A client that resets its TLS connection, during the handshake or after it, does not end the process', {
  skip: withoutOpenssl,
}, async (t) => {
  const { server, port } = await launchTls(t)
  const hello = await captureHello()

  await resetEverywhere(port, false, [hello.toString('latin1')])
  await resetEverywhere(port, true, [requests['a tunnel'], requests['a write'], requests.nonsense])

  const probe = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  probe.write(`GET /healthz ${host}Connection: close\r\n\r\n`)
  const [response] = await once(probe, 'data')
  assert.match(String(response), /200 OK/)
  assert.equal(server.child.exitCode, null)
})

async function launchTls(t: TestContext): Promise<{ server: Process; port: number }> {
  const directory = temporaryDirectory(t)
  const { tlsCert, tlsKey } = newCertificate(directory, 'localhost')
  const files = ['--tls-cert', tlsCert, '--tls-key', tlsKey]
  const server = await launch(t, bundle, ['serve', '--data', join(directory, 'data'), '--port', '0', ...files])
  return { server, port: Number(new URL(server.first.url!).port) }
}

/** Sends the first n bytes of each text and resets the connection, for every n. */
async function resetEverywhere(port: number, withTls: boolean, texts: string[]): Promise<void> {
  const parts = texts.flatMap((text) => Array.from(text, (_, at) => text.slice(0, at + 1)))
  const next = async () => {
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) await resetAfter(port, withTls, part)
  }
  await Promise.all(Array.from({ length: concurrency }, next))
}

async function resetAfter(port: number, withTls: boolean, part: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const stream = withTls ? connectTls({ socket, rejectUnauthorized: false }) : socket
  for (const each of [socket, stream]) each.on('error', () => {}) // the server may close it first
  const closed = once(socket, 'close')
  stream.write(part, 'latin1', () => socket.resetAndDestroy())
  await closed
}

/** Returns the first message of a TLS client. */
async function captureHello(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const client = connectTls({ port, host: '127.0.0.1' })
  client.on('error', () => {})
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [hello] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  server.close()
  return hello
}
