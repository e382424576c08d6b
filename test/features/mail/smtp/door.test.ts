import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../../src/errors.ts'
import type { Delivered } from '../../../../src/features/mail/smtp/reply.ts'
import { openRaw } from '../../../support/raw.ts'
import { until, within } from '../../../support/wait.ts'
import { address, atData, domain, hello, openDoor, sendMail } from './door.ts'

const other = `other@${domain}`

/** The replies of a connection, without the greeting and those to EHLO. */
function repliesOf(received: string): string[] {
  return received.split('\r\n').filter((line) => /^\d{3} /.test(line) && !/^(220|250 SIZE)/.test(line))
}

test('A mail of a real client arrives byte for byte, with its envelope', async (t) => {
  const { url, taken, spooled } = await openDoor(t)
  const raw = 'From: a@example.org\r\nSubject: =?utf-8?Q?=C3=BC?=\r\n\r\n.dots\r\n..\r\n\r\nend\r\n'

  const { response } = await sendMail(url, { envelope: { from: 'bounce@example.org', to: address.toUpperCase() }, raw })

  assert.equal(response, '250 OK: the message is stored')
  assert.equal(taken[0]!.raw, raw)
  assert.deepEqual(taken[0]!.addresses, [address])
  const { remoteAddress, mailFrom } = taken[0]!.smtp
  assert.deepEqual([remoteAddress, mailFrom], ['127.0.0.1', 'bounce@example.org'])
  await until('the spool is empty', () => spooled() === 0)
})

test('Only addresses that exist are accepted, at RCPT, and nothing is relayed', async (t) => {
  const { url, taken } = await openDoor(t)
  const connection = await hello(url)
  const unknown = [
    [`<unknown@${domain}>`, '550 No such address'],
    ['<ann@example.org>', `550 Only mail for ${domain} is taken here`],
    [`<known%example.org@${domain}>`, '550 No such address'],
    [`<@${domain}:ann@example.org>`, `550 Only mail for ${domain} is taken here`],
    [`<known@sub.${domain}>`, `550 Only mail for ${domain} is taken here`],
    ['<postmaster>', `550 Only mail for ${domain} is taken here`],
    [`<"known@${domain}"@example.org>`, '501 Error: Bad recipient address syntax'],
    ['<>', '501 Error: Bad recipient address syntax'],
  ] as const
  connection.write('MAIL FROM:<>\r\n')
  for (const [recipient] of unknown) connection.write(`RCPT TO:${recipient}\r\n`)
  connection.write('DATA\r\nQUIT\r\n')

  assert.deepEqual(repliesOf(await connection.closed()), [
    '250 Accepted',
    ...unknown.map(([, reply]) => reply),
    '503 Error: need RCPT command',
    '221 Bye',
  ])
  assert.deepEqual(taken, [])
})

test('A mail is not taken for a part of its recipients if one has gone while it arrived', async (t) => {
  const known = new Set([address, other])
  const { url, taken, spooled } = await openDoor(t, { takes: (asked) => known.has(asked) })
  const connection = await hello(url)
  const envelope = `MAIL FROM:<ann@example.org>\r\nRCPT TO:<${address}>\r\nRCPT TO:<${other}>\r\nDATA\r\n`
  connection.write(envelope)
  await connection.until('354 ')
  known.delete(other)
  connection.write(`Subject: x\r\n\r\nx\r\n.\r\n${envelope}`)
  await connection.until('354 End data with <CR><LF>.<CR><LF>\r\n451')
  await connection.until('550 ')
  connection.write('Subject: x\r\n\r\nx\r\n.\r\nQUIT\r\n')

  const replies = repliesOf(await connection.closed()).filter((reply) => !/^(250 Accepted|354)/.test(reply))

  assert.deepEqual(replies, [
    '451 A recipient does not exist any more, try again',
    '550 No such address',
    '250 OK: the message is stored',
    '221 Bye',
  ])
  assert.deepEqual(
    taken.map(({ addresses }) => addresses),
    [[address]],
  )
  await until('the spool is empty', () => spooled() === 0)
})

test('A source route is left out, and addresses are compared without case', async (t) => {
  const { url, taken } = await openDoor(t)

  await sendMail(url, { envelope: { from: '', to: [`KNOWN@${domain.toUpperCase()}`] }, raw: 'Subject: x\r\n\r\n' })
  const connection = await hello(url)
  connection.write(`MAIL FROM:<>\r\nRCPT TO:<@relay.example,@b.example:${other}>\r\nDATA\r\n`)
  await connection.until('354 ')
  connection.write('x\r\n.\r\nQUIT\r\n')
  await connection.closed()

  assert.deepEqual(
    taken.map(({ addresses }) => addresses),
    [[address], [other]],
  )
})

test('There are no passwords, no list of addresses and no other commands', async (t) => {
  const { url } = await openDoor(t)
  const connection = await hello(url)
  const commands = ['AUTH PLAIN AGEAYg==', `EXPN ${address}`, 'XCLIENT ADDR=10.0.0.1', 'STARTTLS', 'WIZ', 'BDAT 5 LAST']
  connection.write(`VRFY ${address}\r\nVRFY nobody\r\n${commands.map((each) => `${each}\r\n`).join('')}QUIT\r\n`)

  const received = await connection.closed()

  const [first, second, ...rest] = repliesOf(received)
  assert.match(first!, /^252 /)
  assert.equal(second, first)
  assert.deepEqual(rest, [...commands.map(() => '500 Error: command not recognized'), '221 Bye'])
  assert.ok(!/STARTTLS|AUTH|DSN/.test(received.split('500')[0]!))
})

test('A reply says what became of the message at all of its addresses', async (t) => {
  const [stored, failed, refused]: Delivered[] = [
    { outcome: 'stored', reason: null },
    { outcome: 'later', reason: 'The disk is full' },
    { outcome: 'refused', reason: 'The message has more than 100 attachments' },
  ]
  const full: Delivered = { outcome: 'refused', reason: null, quota: true }
  const cases: [Delivered[], string][] = [
    [[stored!, { outcome: 'duplicate', reason: null }], '250 OK: the message is stored'],
    [[{ outcome: 'internal', reason: null }], '250 OK: the message is stored'],
    [[stored!, failed!], '451 The disk is full'],
    [[full, failed!], '451 The disk is full'],
    [[stored!, full], "452 The company's storage is used up"],
    [[refused!, refused!], '554 The message has more than 100 attachments'],
    [[stored!, refused!], '250 OK: the message is stored'],
  ]
  let outcomes: Delivered[] = []
  const { url } = await openDoor(t, { deliver: async () => outcomes })
  for (const [given, reply] of cases) {
    outcomes = given
    const sent = await sendMail(url, { to: [address, other] }).catch((error) => error)
    assert.equal(sent.response, reply)
  }
})

test('What fails in a way that may pass is to be sent again, and leaves nothing', async (t) => {
  const faults = [new ApiError('SERVICE_UNAVAILABLE', 'The database is not available right now'), new Error('secret')]
  const { url, spooled, taken } = await openDoor(t, { deliver: () => Promise.reject(faults[taken.length - 1]) })

  const replies = []
  for (const _ of faults) replies.push((await sendMail(url, {}).catch((error) => error)).response)

  assert.deepEqual(replies, [
    '451 The database is not available right now',
    '451 The message was not stored, try again later',
  ])
  await until('the spool is empty', () => spooled() === 0)
})

test('A server that does not accept writes answers 421', async (t) => {
  let isFollower = true
  const requireWritable = () => {
    if (isFollower) throw new ApiError('SERVICE_UNAVAILABLE', 'Another server leads')
  }
  const { url } = await openDoor(t, { requireWritable })

  assert.equal(await openRaw(url).closed(), '421 Another server leads\r\n')
  isFollower = false
  const connection = await hello(url)
  isFollower = true
  connection.write('MAIL FROM:<>\r\n')

  assert.match(await connection.closed(), /421 Another server leads\r\n$/)
})

test('A connection that breaks within a message leaves nothing', async (t) => {
  const { url, taken, spooled, door } = await openDoor(t)
  const connections = await Promise.all([atData(url), atData(url)])
  for (const { write } of connections) write(`Subject: half\r\n\r\n${'x'.repeat(300_000)}\r\n`)
  await until('both are in the spool', () => spooled() === 2)

  connections[0]!.socket.resetAndDestroy()
  connections[1]!.socket.end()

  await until('the spool is empty', () => spooled() === 0)
  await until('no connection is left', () => door.connections === 0)
  assert.deepEqual(taken, [])
})

test('A client that has gone once its message was complete has sent it', async (t) => {
  const gone = Promise.withResolvers<void>()
  const { url, taken, spooled, door } = await openDoor(t, {
    async deliver() {
      await gone.promise
      return [{ outcome: 'stored', reason: null }]
    },
  })
  const connection = await atData(url)
  connection.write('x\r\n.\r\n')
  await until('the delivery has begun', () => taken.length === 1)
  connection.socket.resetAndDestroy()
  await until('the connection is gone', () => door.connections === 0)
  assert.equal(spooled(), 1)

  gone.resolve()

  await until('the spool is empty', () => spooled() === 0)
})

test('Shutting down finishes the message that arrives, and takes no other', async (t) => {
  const { url, taken, door } = await openDoor(t)
  const [idle, sending] = [await hello(url), await atData(url)]
  sending.write('Subject: last\r\n')
  await until('it arrives', () => sending.socket.bytesWritten > 0 && door.connections === 2)

  const closed = door.close(30_000)

  assert.match(await idle.closed(), /421 The server is shutting down, try again later\r\n$/)
  sending.write('\r\nx\r\n.\r\n')
  assert.match(await sending.closed(), /250 OK: the message is stored\r\n421 The server is shutting down/)
  await within('the door has closed', closed)
  assert.equal(taken.length, 1)
})

test('A test of the operator is marked as one, and only with proof', async (t) => {
  const { url, taken } = await openDoor(t, { isTest: (head) => head.startsWith('Kontor-Test: proof\r\n') })

  const proven = await sendMail(url, { raw: 'Kontor-Test: proof\r\n\r\nx', envelope: { from: '', to: address } })
  await sendMail(url, { raw: 'Subject: x\r\nKontor-Test: proof\r\n\r\nx', envelope: { from: '', to: address } })

  assert.equal(proven.response, '250 OK: a test, nothing is stored; the outcome would be stored')
  assert.deepEqual(
    taken.map(({ dryRun }) => dryRun),
    [true, false],
  )
})
