import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { openRaw, sendRaw } from '../support/raw.ts'
import { start } from '../support/start.ts'

/**
 * A client in another thread. It opens a connection, tells its port when it has a response, and waits. Then it resets the connection, opens another
 * one from the same port, and wakes the waiting thread.
 */
const client = `
  const { parentPort, workerData: { port, localAddress, done } } = require('node:worker_threads')
  const { connect } = require('node:net')
  const wake = (outcome) => Atomics.store(done, 0, outcome)
  const first = connect({ port, localAddress })
  first.on('error', () => {}).write('GET /healthz HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
  first.once('data', () => parentPort.postMessage('open'))
  parentPort.once('message', () => {
    const { localPort } = first
    first.once('close', () => {
      const second = connect({ port, localAddress, localPort }).on('error', () => wake(2)).on('connect', () => wake(1))
      parentPort.once('message', () => second.end(() => parentPort.close()))
    })
    first.resetAndDestroy()
  })
`

const localAddress = '127.0.0.5'

/** Connects twice from one port, the second time before this thread, which is that of the server, learns that the first connection has ended. */
async function connectTwice(t: TestContext, url: string): Promise<void> {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { port: Number(new URL(url).port), localAddress, done }
  const worker = new Worker(client, { eval: true, workerData })
  t.after(() => worker.terminate())
  await once(worker, 'message')
  worker.postMessage('again')
  while (Atomics.load(done, 0) === 0); // the event loop must not run meanwhile
  assert.equal(done[0], 1)
  worker.postMessage('end')
  await once(worker, 'exit')
}

test('A connection whose port is used again at once does not count for ever', async (t) => {
  const { url } = await start(t, { limits: { drainMsMax: 50, connectionsPerAddressMax: 3 } })
  for (let at = 0; at < 3; at++) await connectTwice(t, url)
  const busy = openRaw(url, localAddress)
  busy.write(
    'POST /console/session HTTP/1.1\r\nHost: x\r\nKontor-Environment: live\r\nContent-Type: application/json\r\n',
  )
  busy.write('Content-Length: 9\r\nExpect: 100-continue\r\n\r\n')
  await busy.until('100 Continue')

  assert.match(
    await sendRaw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', localAddress),
    /"ok"/,
  )
  assert.equal(busy.socket.destroyed, false)
})
