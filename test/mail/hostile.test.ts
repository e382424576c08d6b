import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { MailAnswer } from '../../src/mail/mail.ts'
import { readFile } from '../../src/mail/read-file.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { until } from '../support/wait.ts'
import { hostileHtml } from './hostile-html.ts'
import { attached, hostileMails, html, nested, withAttachments, withHeaderLines } from './hostile-mails.ts'
import { mail, mailOf, refusalOf, startReader } from './read.ts'

/** As many elements as a message can have: reading them takes seconds. */
const slow = html('<p>'.repeat(690_000))

test('200 hostile mails and more are read or refused with a reason, and the thread reads on', async (t) => {
  const { read, left } = startReader(t, { parseMsMax: 120_000 })
  let count = 0
  for (const { name, raw, isRefused } of hostileMails()) {
    count += 1
    const answer = await read(raw)

    if (isRefused !== undefined)
      assert.equal('refused' in answer, isRefused, `${name}: ${JSON.stringify(answer).slice(0, 500)}`)
    assertSound(answer, name)
    assert.deepEqual(left(), [], name)
  }

  assert.ok(count >= 200, `${count}`)
})

test('A message beyond the bounds is refused with what is allowed', async (t) => {
  const { read, left } = startReader(t, { parseMsMax: 120_000 })
  const raw = Buffer.alloc(40 * 1_048_576, 'x')
  raw.write('From: a@example.com\r\n\r\n')

  assert.equal(mailOf(await read(raw)).text.length, 100_000)
  assert.equal(
    refusalOf(await read(Buffer.concat([raw, Buffer.from('x')]))),
    'TOO_LARGE The message is larger than 40 MiB',
  )
  assert.equal(refusalOf(await read(withAttachments(101))), 'MALFORMED The message has more than 100 attachments')
  assert.equal(refusalOf(await read(withHeaderLines(1_001))), 'MALFORMED The header has more than 1000 lines')
  assert.equal(refusalOf(await read(nested(21))), 'MALFORMED The parts of the message are more than 20 levels deep')
  assert.equal(refusalOf(await read(attached(22))), 'MALFORMED The parts of the message are more than 20 levels deep')
  assert.equal(refusalOf(await read('hello')), 'MALFORMED This is no message: it does not begin with a header')
  assert.deepEqual(left(), [])
})

test('Messages that are attached to one another take little more room on the disk than the outer one', async (t) => {
  const directory = temporaryDirectory(t)
  const path = (name: string | number) => join(directory, String(name))
  const raw = `${attached(20)}${'x'.repeat(100_000)}`
  writeFileSync(path('raw'), raw)
  const used = () => readdirSync(directory).reduce((sum, name) => sum + statSync(path(name)).size, 0)
  let [most, count] = [0, 0]

  await readFile(path('raw'), {
    next() {
      most = Math.max(most, used())
      return path(count++)
    },
  })

  assert.ok(count >= 20)
  assert.ok(most <= 3 * raw.length, `${most} bytes for ${raw.length}`)
})

test('A message that takes too long is refused, and those behind it are read by another thread', async (t) => {
  const { read, left } = startReader(t, { parseMsMax: 500 })

  const one = mail('From: a@example.com', '', 'one')
  const two = mail('From: a@example.com', '', 'two')
  // A machine that is too busy for the thread to compute has the sender come again: here for the short ones.
  const attempt = (raw: string): Promise<MailAnswer | string> => read(raw).catch((error) => error.code)
  const readIn = (raw: string) =>
    until('the message is read', () => attempt(raw), { is: (answer) => answer !== 'SERVICE_UNAVAILABLE' })
  const answers = await Promise.all([attempt(slow), readIn(one), attempt(slow), readIn(two)])

  const ends = [{ refused: 'Reading the message takes longer than 0.5 s', code: 'TOO_SLOW' }, 'SERVICE_UNAVAILABLE']
  for (const at of [0, 2])
    assert.ok(
      ends.some((end) => isDeepStrictEqual(answers[at], end)),
      JSON.stringify(answers[at]),
    )
  assert.deepEqual([mailOf(answers[1] as MailAnswer).text, mailOf(answers[3] as MailAnswer).text], ['one', 'two'])
  assert.deepEqual(left(), [])
})

test('The time to read a message does not grow by the square of its length, whatever it nests or does not close', async (t) => {
  const { read } = startReader(t, { parseMsMax: 60_000 })
  const flowed = ['From: a@example.com', 'Content-Type: text/plain; format=flowed', '']

  for (const raw of [
    ...['<b></i>', '<li><dd>', '<td><option>'].map((unclosed) => html(unclosed.repeat(250_000))),
    ...['a ', '> a '].map((line) => mail(...flowed, `${line}\r\n`.repeat(690_000))),
  ])
    mailOf(await read(raw))
})

test('The thread ends when it has nothing to do, and starts again', async (t) => {
  const { read } = startReader(t, { idleMs: 0 })

  for (const text of ['one', 'two']) assert.equal(mailOf(await read(mail('From: a@example.com', '', text))).text, text)
})

test('Messages that wait while the server stops can be read later', async (t) => {
  const { read, stop } = startReader(t)
  const waiting = read(slow)

  await Promise.all([assert.rejects(waiting, { code: 'SERVICE_UNAVAILABLE' }), stop()])
  await assert.rejects(read(slow), { code: 'SERVICE_UNAVAILABLE' })
})

test('Messages that cannot be read for lack of a directory or a file fail for now, and leave nothing', async (t) => {
  const { read, remove } = startReader(t)
  remove()

  await assert.rejects(read(withAttachments(1)), { code: 'SERVICE_UNAVAILABLE' })
})

/** The elements and attributes that HTML may have. */
const allowed =
  /^<(?:\/[a-z0-9]+|[a-z0-9]+(?: (?:align|valign|width|height|bgcolor|dir|lang|title|style|href|target|rel|src|alt|border|data-remote-src|data-attachment|color|face|size|cellpadding|cellspacing|colspan|rowspan|span|start|type)="[^"<>]*")*(?: \/)?)>$/

test('What is left of hostile HTML has no element, attribute, style or address that could run or load something', async (t) => {
  const { read } = startReader(t)
  for (const content of hostileHtml) {
    const { html: safe } = mailOf(await read(html(content)))
    for (const tag of (safe ?? '').match(/<[^>]*>?/g) ?? []) assert.match(tag, allowed, content)
    for (const [, name, value = ''] of (safe ?? '').matchAll(/ (href|src|style|data-remote-src)="([^"]*)"/g)) {
      if (name === 'style') assert.doesNotMatch(value, /url|expression|position|var|--|\\/i, content)
      else assert.match(value, /^(?:https?:\/\/|mailto:|data:image\/(?:png|jpeg|gif|webp);)/, content)
    }
  }
})

/** Removes the files of an answer. */
function assertSound(answer: MailAnswer, name: string): void {
  if ('refused' in answer) assert.doesNotMatch(answer.refused, /^The message cannot be read$|^$/, name)
  if (!('mail' in answer)) return
  const mails = [answer.mail, ...(answer.mail.original ? [answer.mail.original] : [])]
  for (const { text, from, to, cc, attachments, identity, subject } of mails) {
    assert.ok(text.length <= 100_000 && text.isWellFormed() && !text.includes('\0'), name)
    assert.ok((subject ?? '').length <= 500, name)
    for (const { address } of [...from, ...to, ...cc]) assert.match(address, /^[^\s<>@]+@[^\s<>@]+$/, name)
    for (const { name: file } of attachments) assert.doesNotMatch(file, /^$|[\p{Cc}/\\\u202a-\u202e]/u, name)
    assert.match(identity, /^[0-9a-f]{64}$/, name)
  }
  for (const { file } of mails.flatMap(({ attachments }) => attachments)) rmSync(file)
}
