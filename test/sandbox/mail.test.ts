import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverMail, mailWithFile, newAddress } from '../features/mail/mails.ts'
import { assertError } from '../support/client.ts'
import { control, freeze, openSandbox } from './sandbox.ts'

const raw = mailWithFile('offer.pdf', 'An offer', { 'Message-ID': '<one@navy.example>' })

test('A sandbox takes mail with its key, and the same mail after a reset is the same message', async (t) => {
  const { client } = await openSandbox(t)
  const rounds = []

  for (let round = 0; round < 2; round++) {
    await client.post(`${control}/reset`, {})
    await freeze(client)
    const { address } = await newAddress(client)
    const { status, body, headers } = await deliverMail(client, address, raw)
    assert.equal(status, 201, JSON.stringify(body))
    const read = [
      `/api-v1-messages/${body.data.id}?include=files`,
      '/api-v1-files',
      '/api-v1-mail-log',
      '/api-v1-changes',
    ]
    const texts = await Promise.all(read.map(async (path) => (await client.get(path)).body.data))
    rounds.push([address, headers.get('kontor-outcome'), body, texts])
  }

  assert.deepEqual(rounds[0], rounds[1])
  assert.equal(rounds[0]![1], 'unmatched')
})

test('A snapshot has the messages of a sandbox with their originals', async (t) => {
  const { url, client } = await openSandbox(t)
  const { address } = await newAddress(client)
  const { body } = await deliverMail(client, address, raw)
  await client.request('PUT', `${control}/snapshots/mail`)
  await client.post(`${control}/reset`, {})
  assert.equal((await client.get('/api-v1-messages')).body.pagination.total, 0)

  await client.post(`${control}/reset`, { to: 'mail' })

  const headers = { Authorization: `Bearer ${client.key}` }
  const original = await fetch(`${url}/api-v1-messages/${body.data.id}/original`, { headers })
  assert.equal(await original.text(), raw)
})

test('A sandbox makes no mailbox, which it would not read, and says how mail gets in instead', async (t) => {
  const { client } = await openSandbox(t)
  const source = { host: 'imap.example.com', port: 993, tls: 'implicit', user: 'ada', password: 'secret' }

  const refused = await client.post('/api-v1-mail-sources', source)

  assertError(refused, 403, 'FEATURE_NOT_ENABLED')
  assert.match(refused.body.error.message, /reads no mailboxes.*POST \/api-v1-messages\?address=/)
  assert.equal((await client.get('/api-v1-mail-sources')).body.pagination.total, 0)
})
