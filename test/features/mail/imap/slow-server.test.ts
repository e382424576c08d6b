import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { start } from '../../../support/start.ts'
import { until } from '../../../support/wait.ts'
import { mailboxes, newSource, untilFailing } from './sources.ts'

const mailboxPauses = { firstMs: 1, lastMs: 20, longMs: 20, answerMs: 300 }

/** A mail server that answers what `answerTo` returns; undefined: it answers nothing more. Returns its port. */
async function startServer(
  t: TestContext,
  answerTo: (command: string, socket: Socket) => string | undefined,
): Promise<number> {
  const server = createServer((socket) => {
    socket.write('* OK ready\r\n')
    const lines = createInterface({ input: socket }).on('line', (line) => {
      const [tag, ...words] = line.split(' ')
      const command = words.join(' ').replace(/^(UID \w+|\w+).*/, '$1')
      const answer = answerTo(command, socket)
      if (answer !== undefined) socket.write(`${answer}${tag} OK\r\n`)
    })
    for (const each of [socket, lines]) each.on('error', () => {}) // the client leaves
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

const answers: Readonly<Record<string, string>> = {
  CAPABILITY: '* CAPABILITY IMAP4rev1\r\n',
  EXAMINE: '* 0 EXISTS\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 1] x\r\n',
}

for (const command of ['CAPABILITY', 'LOGIN', 'EXAMINE']) {
  test(`A mail server that never ends its answer to ${command} is left, whatever it says meanwhile, and the error says so`, async (t) => {
    const server = await start(t, { mailboxes, mailboxPauses })
    const client = await server.client()
    const port = await startServer(t, (asked, socket) => {
      if (asked !== command) return answers[asked] ?? ''
      socket.write('* OK Still working\r\n'.repeat(10))
      return undefined
    })

    const { id } = await newSource(client, port)

    assert.equal(await untilFailing(client, id), 'The mail server does not answer any more')
  })
}

test('A mail server that announces new messages all the time is asked for them once a second', async (t) => {
  const server = await start(t, { mailboxes })
  const asked: number[] = []
  const port = await startServer(t, (command) => {
    if (command !== 'NOOP') return answers[command] ?? ''
    asked.push(performance.now())
    return `* ${asked.length} EXISTS\r\n`
  })

  await newSource(await server.client(), port)

  await until('the server is asked again and again', () => asked.length >= 4)
  assert.ok(asked[3]! - asked[1]! > 1_900, asked.join())
})
