import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { start } from '../../../support/start.ts'
import { mailboxes, newSource, untilFailing } from './sources.ts'

const mailboxPauses = { firstMs: 1, lastMs: 20, longMs: 20, answerMs: 300 }

/** A mail server whose answers to one command never end. Returns its port. */
async function startSlow(t: TestContext, slowCommand: string, say: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.write('* OK ready\r\n')
    const lines = createInterface({ input: socket }).on('line', (line) => {
      const [tag, command] = line.split(' ')
      if (command === slowCommand) say(socket)
      else socket.write(`${command === 'CAPABILITY' ? '* CAPABILITY IMAP4rev1\r\n' : ''}${tag} OK\r\n`)
    })
    for (const each of [socket, lines]) each.on('error', () => {}) // the client leaves
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

for (const command of ['CAPABILITY', 'LOGIN', 'EXAMINE']) {
  test(`A mail server that never ends its answer to ${command} is left, whatever it says meanwhile, and the error says so`, async (t) => {
    const server = await start(t, { mailboxes, mailboxPauses })
    const client = await server.client()
    const port = await startSlow(t, command, (socket) => socket.write('* OK Still working\r\n'.repeat(10)))

    const { id } = await newSource(client, port)

    assert.equal(await untilFailing(client, id), 'The mail server does not answer any more')
  })
}
