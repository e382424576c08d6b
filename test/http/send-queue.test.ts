import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { unacknowledgedBytes } from '../../src/http/send-queue.ts'
import { hasRead } from '../../src/http/watch-reading.ts'
import { turn, until } from '../support/wait.ts'

/** A queue that is the same for so many looks and so long is full; acknowledgements are late by 40 ms at most. */
const [stillLooks, stillMs] = [50, 200]

const options = { skip: process.platform !== 'linux' && 'only Linux reports unacknowledged bytes' }

for (const host of ['127.0.0.1', '::1']) {
  test(
    `The kernel reports that a client at ${host} is reading, long before everything is delivered`,
    options,
    async (t) => {
      const { server, client } = await connected(t, host)
      client.pause()
      server.write(Buffer.alloc(50 * 2 ** 20))
      await until('the kernel has bytes to send', () => unacknowledgedBytes(server) !== 0)
      assert.ok(hasRead(server), 'at first, that is assumed')
      untilFull(server)
      hasRead(server)
      assert.equal(hasRead(server), false)

      let isSeen = false
      const look = () => {
        const endMs = performance.now() + stillMs // what the kernel has said is used for a while
        while (!isSeen && performance.now() < endMs) isSeen = hasRead(server)
      }
      // The server fills the queue again at once, so it is looked at after each part, and again in the next turn.
      client.on('data', () => {
        client.pause()
        look()
        void turn()
          .then(look)
          .then(() => isSeen || client.resume())
      })
      client.resume()

      await until('the client has read', () => isSeen)
      assert.ok(server.writableLength > 0, 'there is more to deliver')
    },
  )
}

test('However many clients are watched, the kernel is seldom asked what they have read', options, async (t) => {
  const { server } = await connected(t, '127.0.0.1')
  const read = t.mock.method(fs, 'readFileSync')
  syncBuiltinESMExports()
  t.after(() => {
    read.mock.restore()
    syncBuiltinESMExports()
  })

  for (let at = 0; at < 200; at++) assert.equal(unacknowledgedBytes(server), 0)

  assert.ok(read.mock.callCount() <= 20, `${read.mock.callCount()} files were read`)
})

/** Returns when the kernel takes and delivers nothing more: its answer costs it 5 ms, so not much more often than it must be asked. */
function untilFull(server: Socket): void {
  let [full, since, looks] = [unacknowledgedBytes(server), performance.now(), 0]
  while (looks < stillLooks || performance.now() - since < stillMs) {
    const now = unacknowledgedBytes(server)
    looks++
    if (now !== full) [full, since, looks] = [now, performance.now(), 0]
  }
}

async function connected(t: TestContext, host: string): Promise<{ server: Socket; client: Socket }> {
  const listener = createServer().listen(0, host)
  await once(listener, 'listening')
  const client = connect((listener.address() as { port: number }).port, host)
  const [server] = (await once(listener, 'connection')) as [Socket]
  for (const socket of [client, server]) socket.on('error', () => {})
  t.after(() => {
    client.destroy()
    server.destroy()
    listener.close()
  })
  return { server, client }
}
