import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Expected, expected } from '../../mail/expected.ts'
import type { JsonRecord } from '../../support/make.ts'
import { download } from '../files/files.ts'
import { deliverMail, newAddress, startWithMail } from './mails.ts'

test('Every mail of the samples that is posted is recorded as what its program meant, with its files and its original', async (t) => {
  const server = await startWithMail(t)
  for (const [name, right] of Object.entries(expected)) {
    const { client } = await server.company(name)
    const raw = readFileSync(`test/samples/mail/${name}.eml`)
    const { address } = await newAddress(client)

    const { status, body } = await deliverMail(client, address as string, raw)

    assert.equal(status, 201, `${name}: ${JSON.stringify(body)}`)
    const { data } = (await client.get(`/api-v1-messages/${body.data.id}?include=files`)).body
    const recorded = right.original ?? (right.text === '…' ? undefined : right)
    if (recorded) assert.deepEqual(shown(data), whole(recorded), name)
    assert.deepEqual([data.is_forwarded, data.is_verified], [right.original !== undefined, false], name)
    const path = `/api-v1-messages/${data.id}`
    assert.deepEqual((await download(server.url, client, `${path}/original`)).bytes, raw, name)
    const html = await download(server.url, client, `${path}/html`)
    assert.equal(html.status, data.has_html ? 200 : 404, name)
    if (recorded?.html) assert.equal(html.bytes.toString(), recorded.html, name)
  }
})

interface Mailbox {
  name: string | null
  address: string
}

function shown({ subject, from, to, cc, sent_at, internet_message_id, text, has_html, files }: JsonRecord) {
  const people = (list: unknown) =>
    (list as (Mailbox | null)[])
      .flatMap((one) => (one === null ? [] : one.name === null ? one.address : `${one.name} <${one.address}>`))
      .join(', ')
  return {
    subject: subject ?? '',
    ...{ from: people([from]), to: people(to), cc: people(cc) },
    sentAt: sent_at ?? '',
    internetMessageId: internet_message_id ?? '',
    ...{ text, has_html },
    files: (files as Record<string, unknown>[]).map((file) => `${file.name} ${file.media_type} ${file.bytes}`).sort(),
  }
}

/** Of several senders, the first one is shown. */
function whole(right: Expected) {
  const { html, inReplyTo: _, references: __, severalFrom: ___, original: ____, files = [], ...own } = right
  const empty = { subject: '', to: '', cc: '', sentAt: '', internetMessageId: '' }
  const from = right.severalFrom ? right.from!.split(', ')[0] : right.from
  return { ...empty, ...own, from, has_html: html !== undefined, files: [...files].sort() }
}
