import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latency } from '../../../support/fault-times.ts'
import { openRaw, type RawConnection } from '../../../support/raw.ts'
import { turn, until } from '../../../support/wait.ts'
import { address, atData, domain, hello, openDoor, sendMail } from './door.ts'

/** What a sender that is not honest puts where other servers may see the end of the message. */
const falseEnds = ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r.\r\n', '\n.\r', '\r\n\0.\r\n', '\r\n.\0\r\n']

test('Only CRLF.CRLF ends a message, so none is smuggled in within another', async (t) => {
  const { url, taken } = await openDoor(t)
  const second = `MAIL FROM:<boss@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\nsmuggled`
  for (const [at, end] of falseEnds.entries()) {
    const connection = await atData(url)
    connection.write(`Subject: x\r\n\r\nfirst${end}${second}\r\n.\r\nQUIT\r\n`)
    const received = await connection.closed()

    assert.equal(received.split('250 OK').length, 2, JSON.stringify(end))
    assert.equal(taken.length, at + 1)
    assert.match(taken[at]!.raw, /^Subject: x\r\n\r\nfirst[\r\n.\0]+MAIL FROM.*smuggled\r\n$/s)
  }
})

test('The end of a message is found wherever its bytes are divided', async (t) => {
  const { url, taken } = await openDoor(t)
  const text = 'Subject: x\r\n\r\n..\r\n.. two\r\n.\r\n'
  const connection = await hello(url)
  connection.socket.setNoDelay(true)
  for (let cut = 1; cut < text.length; cut++) {
    const begin = `MAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n${text.slice(0, cut)}`
    await new Promise((resolve) => connection.socket.write(begin, resolve))
    await turn()
    connection.write(text.slice(cut))
    await until('the message has arrived', () => taken.length === cut)
    assert.equal(taken.at(-1)!.raw, 'Subject: x\r\n\r\n.\r\n. two\r\n')
  }
})

test('Commands that are sent without waiting for replies run in order, a message after another', async (t) => {
  const { url, taken } = await openDoor(t)
  const connection = await hello(url)
  const one = (at: number) => `MAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\nSubject: ${at}\r\n.\r\n`
  connection.write(`${Array.from({ length: 20 }, (_, at) => one(at)).join('')}QUIT\r\nMAIL FROM:<>\r\n`)

  await connection.closed()

  assert.deepEqual(
    taken.map(({ raw }) => raw),
    Array.from({ length: 20 }, (_, at) => `Subject: ${at}\r\n`),
  )
})

test('A message that is too large is refused, by its announced size or when it has arrived, and is not kept meanwhile', async (t) => {
  const { url, taken, spooled } = await openDoor(t, { limits: { messageBytesMax: 100_000 } })
  const connection = await hello(url)
  connection.write('MAIL FROM:<> SIZE=100001\r\nMAIL FROM:<> SIZE=9\r\n')
  assert.match(await connection.until('250 Accepted'), /\r\n552 .*maximum message size 100000\r\n250 Accepted/)

  const sent = await sendMail(
    url,
    { raw: `Subject: x\r\n\r\n${'x'.repeat(3_000_000)}`, envelope: { from: '', to: address } },
    {
      size: false,
    },
  ).catch((error) => error)

  assert.match(sent.response, /^552 /)
  connection.write(`RCPT TO:<${address}>\r\nDATA\r\n`)
  await connection.until('354')
  connection.write(`${'x'.repeat(200_000)}\r\n.\r\nMAIL FROM:<>\r\n`)
  await connection.until('552 A message may have at most 100000 bytes\r\n250 Accepted')
  assert.equal(taken.length, 0)
  connection.write(`RCPT TO:<${address}>\r\nDATA\r\n`)
  await connection.until('354')
  connection.write(`${'x'.repeat(99_998)}\r\n.\r\n`)
  await until('the largest one has arrived', () => taken.length === 1)
  await until('the spool is empty', () => spooled() === 0)
})

test('One message has at most so many recipients', async (t) => {
  const { url, taken } = await openDoor(t, { takes: () => true, limits: { recipientsMax: 3 } })
  const recipients = [1, 2, 3, 4].map((each) => `a${each}@${domain}`)

  const { accepted, rejected, rejectedErrors } = await sendMail(url, { to: recipients })

  assert.deepEqual([accepted, rejected], [recipients.slice(0, 3), recipients.slice(3)])
  assert.equal(rejectedErrors![0]!.responseCode, 452)
  assert.deepEqual(taken[0]!.addresses, recipients.slice(0, 3))
})

test('200 connections from one address do not keep others out', async (t) => {
  const { url, door } = await openDoor(t)
  const flood = Array.from({ length: 200 }, () => openRaw(url, '127.0.0.2'))
  const refused = await Promise.all(flood.slice(10).map((each) => each.closed()))

  assert.ok(refused.every((reply) => reply === '' || reply.includes('421 in.example.com Too many connections')))
  assert.ok(door.connections <= 10)
  await sendMail(url, {})
  for (const { socket } of flood) socket.destroy()
  await until('no connection is left', () => door.connections === 0)
})

test('Connections are limited in total, and those that break are not counted', async (t) => {
  const { url, door } = await openDoor(t, { limits: { connectionsMax: 5 } })
  const open = await Promise.all([2, 3, 4, 5, 6].map((each) => hello(url, `127.0.0.${each}`)))

  assert.match(await openRaw(url, '127.0.0.9').closed(), /^421 /)
  open[0]!.socket.resetAndDestroy()
  await until('one is gone', () => door.connections === 4)

  await sendMail(url, {})
})

const drips: [string, (url: string) => Promise<RawConnection>, object][] = [
  ['commands', (url) => hello(url), { commandsMs: 100 }],
  ['a message', (url) => atData(url), { dataMs: 100 }],
]
for (const [name, begin, limits] of drips) {
  test(`A client that sends ${name} byte by byte is disconnected`, async (t) => {
    const { url, spooled, door } = await openDoor(t, { limits })
    const connection = await begin(url)
    const dripping = drip(connection)

    assert.match(await connection.closed(), /421 Too slow, try again later\r\n$/)
    await dripping
    await until('no connection is left', () => door.connections === 0)
    await until('the spool is empty', () => spooled() === 0)
  })
}

/** Sends a byte at a time until the connection is closed. */
async function drip({ socket, write }: RawConnection): Promise<void> {
  while (!socket.destroyed) {
    write('x')
    await latency(20)
  }
}

test('A client that sends nothing, or too many commands, is disconnected', async (t) => {
  const quiet = await openDoor(t, { limits: { idleMs: 1_000 } })
  for (const connection of await Promise.all([hello(quiet.url), atData(quiet.url)])) {
    assert.match(await connection.closed(), /421 Timeout - closing connection\r\n$/)
  }

  const busy = await openDoor(t, { limits: { commandBytesMax: 10_000 } })
  const connection = await hello(busy.url)
  connection.write('NOOP\r\n'.repeat(2_000))
  assert.match(await connection.closed(), /421 Too slow, try again later\r\n$/)
})

test('A line that never ends, and the request of a browser, end the connection', async (t) => {
  const { url, door } = await openDoor(t)
  const long = await hello(url)
  long.write('x'.repeat(100_000))
  assert.match(await long.closed(), /421 Error: Command line too long\r\n$/)
  const browser = await hello(url)
  browser.write('POST / HTTP/1.1\r\nHost: x\r\n\r\nMAIL FROM:<>\r\n')
  assert.match(await browser.closed(), /421 HTTP requests not allowed\r\n$/)
  await until('no connection is left', () => door.connections === 0)
})

test('A message of one long line, and one of dots alone, arrive', async (t) => {
  const { url, taken } = await openDoor(t)
  const texts = [`${'x'.repeat(2_000_000)}\r\n`, '.\r\n'.repeat(20_000), `${'\0'.repeat(1_000)}\r\n`, '']
  for (const text of texts) await sendRawMail(url, text)

  assert.deepEqual(
    taken.map(({ raw }) => raw),
    texts,
  )
})

async function sendRawMail(url: string, text: string): Promise<void> {
  const connection = await atData(url)
  connection.write(`${text.replace(/^\./gm, '..')}.\r\n`)
  await connection.until('250 OK')
  connection.socket.destroy()
}

test('Deliveries run a few at a time, and none waits for ever', async (t) => {
  const release = Promise.withResolvers<void>()
  const { url, taken, spooled } = await openDoor(t, {
    limits: { deliveriesMax: 3, deliveryMs: 300 },
    async deliver() {
      await release.promise
      return [{ outcome: 'stored', reason: null }]
    },
  })

  const replies = await Promise.all(Array.from({ length: 5 }, () => responseOf(url)))

  assert.deepEqual(replies, Array(5).fill('451 The message was not stored in time, try again later'))
  assert.equal(taken.length, 2)
  assert.equal(spooled(), 5, 'what is delivered still needs its file')
  release.resolve()
  await until('the spool is empty', () => spooled() === 0)
  assert.equal(taken.length, 2, 'what has not begun in time does not begin')
})

test('Messages of one client that take long to deliver do not delay those of another', async (t) => {
  const release = Promise.withResolvers<void>()
  t.after(() => release.resolve())
  const { url, taken } = await openDoor(t, {
    limits: { deliveriesMax: 3, deliveryMs: 10_000 },
    async deliver({ smtp, addresses }) {
      if (smtp.remoteAddress === '127.0.0.1') await release.promise
      return addresses.map(() => ({ outcome: 'stored', reason: null }))
    },
  })
  const slow = Array.from({ length: 6 }, () => responseOf(url))
  await until('as many are delivered as may be', () => taken.length >= 2)

  assert.match(await responseOf(url, 10, '127.0.0.2'), /^250/)
  release.resolve()
  for (const response of await Promise.all(slow)) assert.match(response, /^250/)
})

test('The space of messages that are not delivered yet is limited', async (t) => {
  const release = Promise.withResolvers<void>()
  const { url, taken, spooled } = await openDoor(t, {
    limits: { spoolBytesMax: 1_000_000 },
    async deliver() {
      await release.promise
      return [{ outcome: 'stored', reason: null }]
    },
  })
  const first = responseOf(url, 700_000)
  await until('the first is delivered', () => taken.length === 1)

  assert.match(await responseOf(url, 700_000), /^452 Too much mail at once/)
  release.resolve()
  assert.match(await first, /^250/)
  await until('the spool is empty', () => spooled() === 0)
  assert.match(await responseOf(url, 700_000), /^250/)
})

async function responseOf(url: string, bytes = 10, localAddress?: string): Promise<string> {
  const raw = `Subject: x\r\n\r\n${'x'.repeat(bytes)}`
  const sent = await sendMail(url, { raw, envelope: { from: '', to: address } }, { localAddress }).catch(
    (error) => error,
  )
  return sent.response
}
