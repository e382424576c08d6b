import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { bundle, launch } from '../support/program.ts'
import { openRaw, type RawConnection } from '../support/raw.ts'
import { until, within } from '../support/wait.ts'

const chunked = 'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

/** What a client sends first, and then again and again. */
const floods: Record<string, [first: string, again: string]> = {
  'GETs, without waiting for responses': ['', 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'],
  'POSTs, without waiting for responses': ['', 'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'],
  'bodies in tiny chunks': [chunked, '1\r\n[\r\n'],
  'short bodies in tiny chunks': ['', `${chunked}${'1\r\n[\r\n'.repeat(4_000)}0\r\n\r\n`],
}

for (const [what, [first, again]] of Object.entries(floods)) {
  test(`While twenty connections send ${what}, another client gets its responses`, async (t) => {
    const directory = temporaryDirectory(t)
    const { first: started } = await launch(t, bundle, ['serve', '--data', directory, '--port', '0'])
    const url = started.url!
    const packet = again.repeat(Math.floor(65_536 / again.length))
    const connections = Array.from({ length: 20 }, () => flood(t, url, first, packet))
    const received = () => connections.some(({ socket }) => socket.bytesRead > 0 || socket.closed)
    await until('the flood is handled', received)

    for (let n = 0; n < 20; n++) {
      const { status } = await within('another client has its response', fetch(`${url}/healthz`))
      assert.equal(status, 200)
    }
  })
}

/** Sends the packet again and again until the connection is closed. */
function flood(t: TestContext, url: string, first: string, packet: string): RawConnection {
  const connection = openRaw(url, '127.0.0.2')
  const { socket } = connection
  const send = () => {
    while (socket.writable && socket.write(packet));
  }
  socket.on('drain', send)
  socket.write(first, send)
  t.after(() => void socket.destroy())
  return connection
}
