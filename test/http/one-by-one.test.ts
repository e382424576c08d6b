import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { openRaw, readResponses } from '../support/raw.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'

const close = 'Connection: close\r\n'
const stray = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'
/** As many requests as Node.js reads at once. */
const packet = stray.repeat(2_300)

function request({ key }: Client, line: string, headers = '', body = ''): string {
  const own = `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${line} HTTP/1.1\r\n${own}Content-Type: application/json\r\n${headers}\r\n${body}`
}

async function begin(t: TestContext, limits = {}) {
  const server = await start(t, { limits })
  const { client } = await server.company('Acme')
  const open = () => {
    const connection = openRaw(server.url)
    t.after(() => void connection.socket.destroy())
    return connection
  }
  return { client, open }
}

test('Requests that a client sends without waiting are handled one after the other: each sees what the former have written', async (t) => {
  const { client, open } = await begin(t, { requestsPerClientMax: 1 })
  const names = Array.from({ length: 100 }, (_, n) => `Organization ${n}`)
  const create = (name: string) => request(client, 'POST /api-v1-organizations', '', JSON.stringify({ name }))
  const list = request(client, 'GET /api-v1-organizations?limit=1', close)
  const connection = open()

  connection.write([...names.map(create), list].join(''))
  const responses = readResponses(await connection.closed())

  const created = responses.slice(0, -1).map(({ status, body }) => [status, JSON.parse(body).data?.name])
  assert.deepEqual(
    created,
    names.map((name) => [201, name]),
  )
  assert.equal(JSON.parse(responses.at(-1)!.body).pagination.total, 100)
})

test('While a client sends requests without end, another one gets its responses', async (t) => {
  const { client, open } = await begin(t)
  const flood = open()
  flood.write(packet + request(client, 'GET /api-v1-me', close))
  await until('the flood has its first response', () => flood.socket.bytesRead > 0)

  const { status } = await client.get('/api-v1-me')
  const meanwhile = flood.socket.bytesRead
  await flood.closed()

  assert.equal(status, 200)
  assert.ok(meanwhile < flood.socket.bytesRead / 4, `${meanwhile} of ${flood.socket.bytesRead} bytes`)
})

test('Connections are closed whose requests would fill the memory while they wait; others are served', async (t) => {
  const { client, open } = await begin(t)
  const newest = (await client.get('/api-v1-changes?after=now')).body.next_after ?? 'now'
  const held = Array.from({ length: 10 }, open)

  for (const each of held) each.write(request(client, `GET /api-v1-changes?after=${newest}&wait=30`) + packet)
  await until('one is closed', () => held.some(({ socket }) => socket.closed))
  const { status } = await client.get('/api-v1-me')

  assert.equal(status, 200)
  assert.ok(held.some(({ socket }) => !socket.closed))
})

test('Whole requests before data that is not HTTP get their responses, and then the connection is closed', async (t) => {
  const { client, open } = await begin(t)
  const whole = [1, 2, 3].map(() => request(client, 'GET /api-v1-me')).join('')
  const endings = [
    'nonsense\r\n\r\n',
    `${request(client, 'POST /api-v1-organizations', 'Transfer-Encoding: chunked\r\n').replace('Content-Length: 0\r\n', '')}zz\r\n`,
  ]

  for (const ending of endings) {
    const connection = open()
    connection.write(whole + ending)
    const responses = readResponses(await connection.closed())

    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200],
    )
  }
})

test('A long body is read behind other requests', async (t) => {
  const { client, open } = await begin(t)
  const name = 'n'.repeat(200)
  const notes = 'x'.repeat(9_000)
  const records = Array.from({ length: 100 }, () => ({ name, description: notes }))
  const connection = open()

  connection.write(
    stray.repeat(100) + request(client, 'POST /api-v1-bulk/organizations', close, JSON.stringify({ records })),
  )
  const responses = readResponses(await connection.closed())

  assert.equal(responses.length, 101)
  assert.equal(responses.at(-1)!.status, 202, responses.at(-1)!.body)
})

test('A body in thousands of tiny chunks is refused, and nothing of it is written; one in fewer or larger chunks is read', async (t) => {
  const { client, open } = await begin(t)
  const head = `POST /api-v1-organizations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${close}\r\n`
  const chunked = (name: string, blanks: number, length: number) => {
    const chunks = (JSON.stringify({ name }) + ' '.repeat(blanks)).match(new RegExp(`.{1,${length}}`, 'g'))!
    return `${head}${chunks.map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')}0\r\n\r\n`
  }
  const send = async (text: string) => {
    const connection = open()
    connection.write(text)
    return readResponses(await connection.closed())
  }

  const [tiny] = await send(chunked('Tiny', 6_000, 1))
  const behind = await send(request(client, 'GET /api-v1-changes?wait=1') + chunked('Behind', 6_000, 1))
  const [fewer] = await send(chunked('Fewer', 3_000, 1))
  const [larger] = await send(chunked('Larger', 90_000, 16))
  const { body } = await client.get('/api-v1-organizations?sort=name')

  assert.deepEqual([tiny?.status, fewer?.status, larger?.status], [400, 201, 201])
  assert.match(JSON.parse(tiny!.body).error.message, /too small: send at least 16 bytes/)
  assert.ok(behind.length <= 1)
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Fewer', 'Larger'],
  )
})

test('A request behind one that closes the connection, or behind CONNECT, does not take the response of another', async (t) => {
  const { client, open } = await begin(t)
  const create = request(client, 'POST /api-v1-organizations', '', '{"name":"Acme"}')
  const [closing, tunnel] = [open(), open()]

  closing.write(request(client, 'GET /api-v1-me', close) + create)
  tunnel.write(`${request(client, 'GET /api-v1-me')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`)
  const responses = [readResponses(await closing.closed()), readResponses(await tunnel.closed())]
  const { body } = await client.get('/api-v1-organizations')

  assert.deepEqual(
    responses.map((each) => each.map(({ status }) => status)),
    [[200], [200]],
  )
  assert.equal(body.pagination.total, 0)
})
