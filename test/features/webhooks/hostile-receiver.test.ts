import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type AttemptOptions, attempt, type Sent } from '../../../src/features/webhooks/transport/attempt.ts'
import { Destinations } from '../../../src/features/webhooks/transport/destinations.ts'
import { latency } from '../../support/fault-times.ts'

const never = 60_000
const brief = { connectMs: never, totalMs: 300 }
const patient = { connectMs: never, totalMs: never }
const timedOut = 'No response within 0.3 s'
const closed = 'The connection was closed before a response'

/** More than the buffers of a connection hold. */
const body = Buffer.alloc(8 * 2 ** 20)

interface Attempted extends Sent {
  /** How often a connection was made. Each of them has been closed again. */
  connections: number
}

/** Sends to a receiver that does `behave` with each connection. Ends when all connections are closed. */
async function attemptAt(
  t: TestContext,
  behave: (socket: Socket) => unknown,
  options: AttemptOptions = patient,
  scheme = 'http',
): Promise<Attempted> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    behave(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const destinations = new Destinations([], { loopback: true })
  t.after(() => destinations.close())
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`

  const sent = await attempt({ url, headers: {}, body }, destinations, options)
  await Promise.all(sockets.map(closing))
  return { ...sent, connections: sockets.length }
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.resume().on('close', () => resolve())
  })
}

/** Writes as fast as the other side reads, until the connection is closed. Returns how many bytes were written. */
function flood(socket: Socket, chunk: Buffer | string): () => number {
  socket.resume()
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', write)
  write()
  return () => socket.bytesWritten
}

/** Sends byte after byte until the connection is closed. */
async function drip(socket: Socket): Promise<void> {
  for (; !socket.destroyed; await latency(10)) socket.write('a')
}

const head = 'HTTP/1.1 200 OK\r\n'

test('A receiver that accepts the connection and stays silent is given up after the total time', async (t) => {
  const { status, error, connections } = await attemptAt(t, (socket) => socket.resume(), brief)

  assert.deepEqual([status, error, connections], [null, timedOut, 1])
})

test('A receiver that reads nothing of the request is given up after the total time', async (t) => {
  const { error } = await attemptAt(t, (socket) => socket.pause(), brief)

  assert.equal(error, timedOut)
})

test('A receiver that sends its headers byte by byte is given up after the total time', async (t) => {
  const { error } = await attemptAt(
    t,
    (socket) => {
      socket.resume().write(`${head}X-Slow: `)
      void drip(socket)
    },
    brief,
  )

  assert.equal(error, timedOut)
})

test('A receiver that never begins the TLS handshake is given up after the time for the connection', async (t) => {
  const { error } = await attemptAt(t, (socket) => socket.resume(), { connectMs: 200, totalMs: never }, 'https')

  assert.equal(error, 'No connection within 0.2 s')
})

test('A receiver that does not speak TLS is reported', async (t) => {
  const { error } = await attemptAt(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), patient, 'https')

  assert.equal(error, 'The TLS handshake failed')
})

test('A body without an end is cut off, and its beginning is the response', async (t) => {
  for (const framing of ['Connection: close', 'Content-Length: 99999999999', 'Transfer-Encoding: chunked']) {
    let written = () => 0
    const sent = await attemptAt(t, (socket) => {
      socket.write(`${head}${framing}\r\n\r\n`)
      written = flood(socket, framing.startsWith('T') ? `1000\r\n${'a'.repeat(4_096)}\r\n` : 'a'.repeat(4_096))
    })

    assert.deepEqual([sent.status, sent.error, sent.response], [200, null, 'a'.repeat(2_048)], framing)
    assert.ok(written() < 64 * 2 ** 20)
  }
})

test('A body that stops in the middle does not change the status', async (t) => {
  const part = `${head}Content-Length: 100\r\n\r\npart`
  const ends: [end: (socket: Socket) => unknown, options: AttemptOptions][] = [
    [(socket) => socket.resume().write(part), brief],
    [(socket) => socket.resume().end(part), patient],
    [(socket) => socket.resume().write(part, () => socket.destroySoon()), patient],
    [(socket) => socket.resume().write(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\nnonsense`), patient],
  ]
  for (const [end, options] of ends) {
    const { status, error, response } = await attemptAt(t, end, options)
    assert.deepEqual([status, error, response], [200, null, 'part'])
  }
})

test('A connection that is closed or reset before the response is reported', async (t) => {
  const ends: ((socket: Socket) => unknown)[] = [
    (socket) => socket.destroy(),
    (socket) => socket.end(),
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    (socket) => socket.once('data', () => socket.end(head)),
    (socket) => socket.once('data', () => socket.write(head, () => socket.resetAndDestroy())),
  ]
  for (const end of ends) {
    const { status, error, connections } = await attemptAt(t, end)
    assert.deepEqual([status, error, connections], [null, closed, 1], String(end))
  }
})

test('A response that is not HTTP is reported', async (t) => {
  const responses = [
    'nonsense\r\n\r\n',
    'HTTP/1.1 abc\r\n\r\n',
    `${head}Bad Header: x\r\n\r\n`,
    `${head}A: \0\r\n\r\n`,
    '\0\0',
  ]
  for (const response of [...responses, `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`]) {
    const { status, error } = await attemptAt(t, (socket) => socket.resume().write(response))
    assert.deepEqual([status, error], [null, 'The response is not valid HTTP'], response)
  }
})

test('Headers that are too large are reported', async (t) => {
  const one = await attemptAt(t, (socket) => flood(socket, `${head}X: ${'a'.repeat(100_000)}`))
  const many = await attemptAt(t, (socket) => flood(socket, `${head}${'X: a\r\n'.repeat(10_000)}`))

  for (const { error } of [one, many]) assert.equal(error, 'The headers of the response are too large')
})

test('A receiver that sends interim responses without end is cut off', async (t) => {
  for (const interim of ['100 Continue', '102 Processing', '103 Early Hints']) {
    const { status, error } = await attemptAt(t, (socket) => flood(socket, `HTTP/1.1 ${interim}\r\n\r\n`))
    assert.deepEqual([status, error], [null, 'The response does not begin'], interim)
  }
})

test('A receiver that switches to another protocol is cut off', async (t) => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const { status, error } = await attemptAt(t, (socket) => socket.resume().write(upgrade))

  assert.deepEqual([status, error], [null, closed])
})

test('A receiver that responds before it has read the request is given its response, and the connection is closed', async (t) => {
  const { status, error } = await attemptAt(t, (socket) =>
    socket.write(`HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n`),
  )

  assert.deepEqual([status, error], [413, null])
})

test('The response is text: bytes that are not UTF-8 are replaced, and a character that is cut is left out', async (t) => {
  const respond = (body: Buffer) => (socket: Socket) =>
    socket
      .resume()
      .write(Buffer.concat([Buffer.from(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n`), body]))

  const invalid = await attemptAt(t, respond(Buffer.from([0x61, 0xff, 0xc3])))
  const long = await attemptAt(t, respond(Buffer.from(`a${'é'.repeat(2_000)}`)))
  const empty = await attemptAt(t, respond(Buffer.alloc(0)))

  assert.equal(invalid.response, 'a\ufffd\ufffd')
  assert.equal(long.response, `a${'é'.repeat(1_023)}`)
  assert.equal(empty.response, '')
})

test('A port on which nothing listens is reported', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  const destinations = new Destinations([], { loopback: true })
  t.after(() => destinations.close())

  for (const host of ['127.0.0.1', 'localhost']) {
    const { error } = await attempt({ url: `http://${host}:${port}`, headers: {}, body: '' }, destinations)
    assert.equal(error, 'The connection was refused')
  }
})
