import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import type { Address, ReadMail } from '../../src/mail/mail.ts'
import { type Expected, expected } from './expected.ts'
import { mail, mailOf, startReader } from './read.ts'

const directory = 'test/samples/mail'
const sample = (name: string) => readFileSync(`${directory}/${name}.eml`)

test('Every mail of the samples has what is right for it', () => {
  const names = readdirSync(directory).map((file) => basename(file, '.eml'))

  assert.deepEqual(names.sort(), Object.keys(expected).sort())
})

test('Every mail of the samples is read as what its program meant', async (t) => {
  const { read } = startReader(t)
  for (const [name, right] of Object.entries(expected)) {
    const found = mailOf(await read(sample(name)))

    if (right.text !== '…') assert.deepEqual(shown(found), whole(right), name)
    assert.deepEqual(found.original && shown(found.original), whole(right.original), name)
    if (right.original) assert.ok(found.saysForward, name)
  }
})

test('A forwarded message that is attached is the same as one that came by itself', async (t) => {
  const { read } = startReader(t)

  const forwarded = mailOf(await read(sample('forward-attached-outlook')))

  assert.equal(forwarded.original?.identity, mailOf(await read(sample('original'))).identity)
})

test('A message is the same with other headers of servers, line ends and encodings, and another one with other text', async (t) => {
  const { read } = startReader(t)
  const head = ['From: a@example.com', 'Date: Tue, 3 Mar 2026 10:11:12 +0100', 'Message-ID: <x@example.com>']
  const identity = async (...lines: string[]) => mailOf(await read(mail(...lines))).identity
  const first = await identity(...head, '', 'Grüße')

  const latin = Buffer.from(mail(...head, 'Content-Type: text/plain; charset=iso-8859-1', '', 'Grüße'), 'latin1')
  assert.equal(mailOf(await read(latin)).identity, first)
  assert.equal(mailOf(await read([...head, '', 'Grüße'].join('\n'))).identity, first)
  assert.equal(
    await identity('Received: from b', ...head, 'Content-Transfer-Encoding: quoted-printable', '', 'Gr=C3=BC=C3=9Fe'),
    first,
  )
  assert.notEqual(await identity(...head, '', 'Gruß'), first)
  assert.notEqual(await identity(...head, 'Subject: x', '', 'Grüße'), first)
})

test('Text is cut at 100,000 characters, and not within one', async (t) => {
  const { read } = startReader(t)

  const { text } = mailOf(await read(mail('From: a@example.com', '', `${'x'.repeat(99_999)}👍`)))

  assert.equal(text, 'x'.repeat(99_999))
})

test('One message that is attached to a mail with its own subject is an original that nobody calls a forward', async (t) => {
  const { read } = startReader(t)
  const head = ['From: a@example.com', 'Subject: Contract', 'Content-Type: multipart/mixed; boundary=b', '']
  const inner = ['--b', 'Content-Type: message/rfc822', '', 'From: b@example.com', 'Subject: Old', '', 'x']

  const one = mailOf(await read(mail(...head, '--b', '', 'Look', ...inner, '--b--')))
  const two = mailOf(await read(mail(...head, '--b', '', 'Look', ...inner, ...inner, '--b--')))

  assert.deepEqual([one.saysForward, one.original?.subject, two.original], [false, 'Old', null])
})

function shown(found: ReadMail): Required<Omit<Expected, 'original' | 'severalFrom'>> {
  const people = (list: readonly Address[]) =>
    list.map(({ name, address }) => (name === null ? address : `${name} <${address}>`)).join(', ')
  return {
    subject: found.subject ?? '',
    ...{ from: people(found.from), to: people(found.to), cc: people(found.cc) },
    sentAt: found.sentAt ?? '',
    internetMessageId: found.internetMessageId ?? '',
    inReplyTo: found.inReplyTo.join(' '),
    references: found.references.join(' '),
    ...{ text: found.text, html: found.html ?? '' },
    files: found.attachments.map(({ name, mediaType, bytes }) => `${name} ${mediaType} ${bytes}`),
    ...(found.severalFrom && { severalFrom: true }),
  }
}

function whole(right: Expected | undefined) {
  if (!right) return null
  const { original: _, ...own } = right
  const empty = {
    subject: '',
    from: '',
    to: '',
    cc: '',
    sentAt: '',
    internetMessageId: '',
    inReplyTo: '',
    references: '',
  }
  return { ...empty, html: '', files: [], ...own }
}

test('A flowed line that begins with > goes on if that was stuffed, and is no quotation', async (t) => {
  const { read } = startReader(t)
  const head = ['From: a@example.com', 'Content-Type: text/plain; format=flowed', '']

  const { text } = mailOf(await read(mail(...head, ' >50 hampers ', 'are left', '> quoted ', '> too ', 'not')))

  assert.equal(text, '>50 hampers are left\n> quoted too \nnot')
})
