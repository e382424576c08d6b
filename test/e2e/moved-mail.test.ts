import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  allMessages,
  companyAddress,
  handIn,
  mailDoors,
  rawMail,
  serveMail,
  spooledIn,
} from '../features/mail/mail-server.ts'
import { signedMail } from '../mail/signed-mail.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { startDns } from '../support/dns-server.ts'
import { administer, bundle, run } from '../support/program.ts'
import { openRaw } from '../support/raw.ts'
import { until } from '../support/wait.ts'

test('Mail for a company that moves is refused at each door, and none is accepted and then dropped', async (t) => {
  const [data, elsewhere] = [temporaryDirectory(t), temporaryDirectory(t)]
  const serving = await serveMail(t, data)
  const address = await companyAddress(serving.client)
  const { id } = (await serving.client.get('/api-v1-me')).body.data.company
  const company = (...args: string[]) => administer(bundle, 'company', ...args, '--data', data)
  const answers = async (name: string) => {
    const statuses: number[] = []
    for (const door of mailDoors) statuses.push(await handIn(serving, door, address, rawMail(`${name}-${door}`)))
    return Object.fromEntries(mailDoors.map((door, at) => [door, statuses[at]]))
  }

  await company('export', id, join(elsewhere, 'company'))
  assert.deepEqual(await answers('leaving'), { smtp: 451, api: 503, 'mail-in': 503 })
  await company('move', id, '--to', 'bb')
  assert.deepEqual(await answers('moved'), { smtp: 451, api: 421, 'mail-in': 503 })

  assert.deepEqual(spooledIn(data), [])
})

test('A company does not leave while mail that was accepted for it waits, and leaves with it when it is delivered', async (t) => {
  const [data, elsewhere] = [temporaryDirectory(t), temporaryDirectory(t)]
  const { address: dns } = await startDns(t, { 's1._domainkey.example.org': 'silence' })
  const serving = await serveMail(t, data, { args: ['--dns', dns] })
  const address = await companyAddress(serving.client)
  const { id } = (await serving.client.get('/api-v1-me')).body.data.company
  const signed = await signedMail('ann@example.org', 'example.org')
  assert.equal(await handIn(serving, 'mail-in', address, signed.toString('latin1')), 202)
  await serving.server.stop('SIGKILL')
  const leave = ['company', 'export', id, join(elsewhere, 'company'), '--data', data]

  const { code, stderr } = await run(bundle, leave)

  const why = `Mail for this company waits to be delivered (${join(data, 'mail', 'in')}`
  assert.deepEqual([code, stderr.includes(why)], [1, true], stderr)
  const again = await serveMail(t, data, { args: ['--dns', dns], key: serving.client })
  await until('the message is delivered', () => allMessages(again.client), { is: ({ length }) => length === 1 })
  await until('nothing waits', () => spooledIn(data).length === 0)
  await administer(bundle, ...leave)
})

test('A message that arrives while its company leaves is not accepted', async (t) => {
  const [data, elsewhere] = [temporaryDirectory(t), temporaryDirectory(t)]
  const serving = await serveMail(t, data)
  const address = await companyAddress(serving.client)
  const { id } = (await serving.client.get('/api-v1-me')).body.data.company
  const raw = rawMail('slow')
  const head = [
    `POST /mail/in?address=${address} HTTP/1.1`,
    ...['Host: x', 'Content-Type: message/rfc822', `Content-Length: ${raw.length}`],
  ]
  const connection = openRaw(serving.url)
  connection.write(`${head.join('\r\n')}\r\n\r\n${raw.slice(0, 50)}`)
  await until('the message arrives', () => spooledIn(data).some((name) => name.endsWith('.part')))

  await administer(bundle, 'company', 'export', id, join(elsewhere, 'company'), '--data', data)
  connection.write(raw.slice(50))

  assert.match(await connection.until('\r\n\r\n'), /^HTTP\/1.1 503 /)
  assert.deepEqual(spooledIn(data), [])
})
