import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRaw, readResponses } from '../support/raw.ts'
import { start } from '../support/start.ts'

const MiB = 2 ** 20

test('A client that sends all of a body that is too large before it reads gets the 413', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const head = `POST /api-v1-organizations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json`
  const connection = openRaw(server.url)
  const { socket } = connection
  socket.pause()

  connection.write(`${head}\r\nContent-Length: ${12 * MiB}\r\n\r\n`)
  for (let sent = 0; sent < 12 * MiB && !socket.destroyed; sent += 65_536) {
    await new Promise((written) => socket.write(Buffer.alloc(65_536, ' '), written))
  }
  socket.resume()
  const received = await connection.closed()

  const [response] = readResponses(received)
  assert.equal(response?.status, 413, received)
  assert.equal(response.headers.get('connection'), 'close')
})
