import assert from 'node:assert/strict'
import { type Client, clientFor } from '../../../support/client.ts'
import { temporaryDirectory } from '../../../support/directory.ts'
import { testUnless } from '../../../support/needs.ts'
import { firstClient } from '../../../support/prepare.ts'
import { randomOf, rounds } from '../../../support/random.ts'
import { until } from '../../../support/wait.ts'
import { download } from '../../files/files.ts'
import { allMessages, rawMail, serveMail } from '../mail-server.ts'
import { startDovecot, withoutDovecot } from './dovecot.ts'
import { newSource } from './sources.ts'

const mails = 90 * rounds
const mailsPerKill = 20

testUnless(withoutDovecot)(
  'After kill -9 beside mailboxes that are read, every message of a mailbox is there once, with its original',
  async (t) => {
    const [dovecot, data, random] = [await startDovecot(t), temporaryDirectory(t), randomOf(3)]
    const key = await firstClient(data, '')
    const raws = new Map(Array.from({ length: mails }, (_, at) => mailOf(at)))
    for (const raw of raws.values()) dovecot.deliver(raw)
    let isNew = true
    for (let stored = 0; stored < mails; ) {
      const on = await serveMail(t, data, { key, args: ['--webhook-allow', '127.0.0.1'] })
      if (isNew) await newSource(on.client, dovecot.port)
      isNew = false
      const due = Math.min(mails, stored + 1 + random.below(mailsPerKill * 2))
      stored = await until(`${due} messages are stored`, () => countOf(on.client), {
        is: (count) => count >= due,
        limitMs: 120_000,
      })
      await on.server.stop('SIGKILL')
    }
    const { url } = await serveMail(t, data, { key, args: ['--webhook-allow', '127.0.0.1'] })
    const client = clientFor(url, { id: key.keyId, key: key.key })
    dovecot.deliver(rawMail('last'))
    await until('the mailbox is read to its end', () => countOf(client), {
      is: (count) => count > mails,
      limitMs: 120_000,
    })

    const found = await allMessages(client)
    assert.equal(found.length, mails + 1)
    for (const { id, subject } of found.filter((each) => each.subject !== 'last')) {
      const { bytes } = await download(url, client, `/api-v1-messages/${id}/original`)
      assert.equal(bytes.toString('latin1'), raws.get(subject), subject)
      raws.delete(subject)
    }
    assert.equal(raws.size, 0)
  },
)

function mailOf(at: number): [name: string, raw: string] {
  const name = `mail-${at}`
  return [name, rawMail(name, `${name} ${'x'.repeat(20_000)}`)]
}

async function countOf(client: Client): Promise<number> {
  return (await client.get('/api-v1-messages?limit=1')).body.pagination.total
}
