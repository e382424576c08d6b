import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { signedMail } from '../../mail/signed-mail.ts'
import { assertError, type Client, send } from '../../support/client.ts'
import { startDns } from '../../support/dns-server.ts'
import { make } from '../../support/make.ts'
import { openRaw } from '../../support/raw.ts'
import type { Server } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { newAddress, rawMail, startWithMail } from './mails.ts'

function post({ url }: Server, address: string, body: string | Buffer = rawMail(), headers: object = {}) {
  return send(`${url}/mail/in?address=${encodeURIComponent(address)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822', ...headers },
    body: body as string,
  })
}

test('A message from somebody without a key is accepted at once and delivered later', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)

  const { status, body } = await post(server, address)

  assert.deepEqual([status, body], [202, { data: { accepted: true } }])
  const [entry] = await until('the delivery is in the log', async () => {
    const { data } = (await client.get('/api-v1-mail-log')).body
    return data.length > 0 && data
  })
  assert.deepEqual([entry.door, entry.outcome, entry.subject, entry.address], ['http', 'unmatched', 'Hampers', address])
  assert.deepEqual(entry.from, { name: 'Grace Hopper', address: 'grace@navy.example' })
  assert.equal((await client.get(`/api-v1-messages/${entry.message_id}`)).status, 200)
})

test('Every address gets the same answer', async (t) => {
  const server = await startWithMail(t)
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)

  const answers = [await post(server, address), await post(server, 'nobody@in.kontor.example')]

  const [known, unknown] = answers.map(({ status, body, headers }) => [status, body, [...headers.keys()].sort()])
  assert.deepEqual(known, unknown)
  await until('the spool is empty', async () => readdirSync(join(server.directory, 'mail', 'in')).length === 0)
})

test('What is no message is refused before it is accepted', async (t) => {
  const server = await startWithMail(t)

  assertError(await post(server, ''), 400, 'VALIDATION_ERROR')
  assertError(await post(server, 'a@in.kontor.example', ''), 400, 'INVALID_REQUEST')
  assertError(await post(server, 'a@in.kontor.example', 'x', { 'Content-Type': 'text/plain' }), 415, 'INVALID_REQUEST')
  const large = Buffer.alloc(40 * 2 ** 20 + 1, 'a')
  assertError(await post(server, 'a@in.kontor.example', large), 413, 'INVALID_REQUEST')
})

test('Compressed messages and forms are refused, and count for the limit of the client', async (t) => {
  const server = await startWithMail(t)
  const refused = [{ 'Content-Encoding': 'gzip' }, { 'Content-Type': 'multipart/form-data; boundary=x' }]

  for (const [index, headers] of refused.entries()) {
    const response = await post(server, 'a@in.kontor.example', 'x', headers)

    assertError(response, 415, 'INVALID_REQUEST')
    assert.equal(response.headers.get('X-RateLimit-Remaining'), String(299 - index))
  }
})

test('Messages that somebody without a key sends slowly take no places of files', async (t) => {
  const server = await startWithMail(t, { limits: { drainMsMax: 50 } })
  const { client } = await server.company('Acme')
  const head =
    'POST /mail/in?address=a HTTP/1.1\r\nHost: x\r\nContent-Type: message/rfc822\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n'
  const begin = async (from: string) => {
    const connection = openRaw(server.url, from)
    connection.write(head)
    await connection.until('HTTP/1.1 ')
    return connection
  }
  await Promise.all(Array.from({ length: 256 }, (_, at) => begin(`127.0.1.${1 + (at % 4)}`)))
  const refused = await begin('127.0.1.5')

  assert.match(await refused.until('}}'), /503 Service Unavailable/)
  assert.equal((await make(client, 'file')).name, 'offer.pdf')
})

test('Messages to one address are limited, whether it exists or not', async (t) => {
  const server = await startWithMail(t, { rateLimits: 'plan' })
  const { client } = await server.company('Acme')
  const { address } = await newAddress(client)

  for (const each of [address, 'nobody@in.kontor.example']) {
    let last = await post(server, each)
    for (let sent = 1; sent <= 120; sent++) last = await post(server, each, 'Subject: x\r\n\r\n')
    assertError(last, 429, 'RATE_LIMIT_EXCEEDED')
  }
})

test('A message that has been accepted is delivered after a restart', async (t) => {
  const server = await startWithMail(t)
  const company = await server.company('Acme')
  const { address } = await newAddress(company.client)
  const raws = Array.from({ length: 20 }, () => rawMail())

  for (const raw of raws) await post(server, address, raw)
  await server.stop()
  const again = await startWithMail(t, { directory: server.directory })

  const count = () => {
    const sql =
      'SELECT count(*) FROM message JOIN workspace ON workspace.id = message.workspace_id WHERE company_id = ?'
    return again.store.access.value<number>(sql, company.id)
  }
  await until('all messages are stored', () => count() === raws.length)
  await until('the spool is empty', () => readdirSync(join(server.directory, 'mail', 'in')).length === 0)
  assert.equal(count(), raws.length)
})

test('Messages to one company that wait for a slow name server hold up none to another one', async (t) => {
  const { address: dns } = await startDns(t, { 's1._domainkey.slow.example': 'silence' })
  const server = await startWithMail(t, { limits: { dns } })
  const { client } = await server.company('Acme')
  const { client: other } = await server.company('Bolt')
  const [slow, fast] = [await newAddress(client), await newAddress(other)]
  for (let sent = 0; sent < 8; sent++)
    await post(server, slow.address, await signedMail('ann@slow.example', 'slow.example'))

  await post(server, fast.address)

  const stored = async ({ get }: Client) => (await get('/api-v1-messages')).body.pagination.total
  await until('the other message is stored', () => stored(other), { is: (count) => count === 1 })
  assert.ok((await stored(client)) < 7)
})
