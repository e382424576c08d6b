import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDns, type Zone } from '../support/dns-server.ts'
import { mail, mailOf, startReader } from './read.ts'
import { keyRecord, signedMail, signedWith } from './signed-mail.ts'

const key = 's1._domainkey.customer.example'
const grace = 'grace@customer.example'
const smtp = { remoteAddress: '192.0.2.10', helo: 'mx.customer.example', mailFrom: 'bounces@mail.customer.example' }
const permits = { 'mail.customer.example': 'v=spf1 ip4:192.0.2.0/24 -all' }

type Start = Parameters<typeof startReader>[0]

/** A reader that asks a name server with these records. */
async function withZone(t: Start, zone: Zone) {
  const dns = await startDns(t, zone)
  const { read } = startReader(t, { dns: dns.address })
  const isVerified = async (...given: Parameters<typeof read>) => mailOf(await read(...given)).isVerified
  return { isVerified, read, asked: dns.asked }
}

test('A message that the domain of its sender, or one above it, has signed is verified', async (t) => {
  const { isVerified } = await withZone(t, { [key]: keyRecord, 's1._domainkey.sales.customer.example': keyRecord })

  assert.equal(await isVerified(await signedMail(grace, 'customer.example')), true)
  assert.equal(await isVerified(await signedMail('grace@sales.customer.example', 'customer.example')), true)
  assert.equal(await isVerified(await signedMail(grace, 'sales.customer.example')), true)
})

test('A message that another domain has signed, or that was changed since, is not verified', async (t) => {
  const { isVerified } = await withZone(t, { [key]: keyRecord, 's1._domainkey.other.co.uk': keyRecord })
  const signed = (await signedMail(grace, 'customer.example')).toString('latin1')

  assert.equal(await isVerified(await signedMail('ada@kontor.example', 'customer.example')), false)
  assert.equal(await isVerified(await signedMail('x@ours.co.uk', 'other.co.uk')), false)
  assert.equal(await isVerified(signed.replace('Please send 200', 'Please send 900')), false)
  assert.equal(await isVerified(signed.replace('Subject: Hampers', 'Subject: Bombs')), false)
  assert.equal(await isVerified(mail(`From: ${grace}`, '', 'x')), false)
})

test('A signature that covers only the beginning of the text, or not the sender, is none', async (t) => {
  const { isVerified } = await withZone(t, { [key]: keyRecord })
  const raw = mail(`From: ${grace}`, 'Subject: Hampers', '', 'x')

  assert.equal(await isVerified(await signedWith(raw, {})), true)
  assert.equal(await isVerified(`${await signedWith(raw, { maxBodyLength: 3 })}<b>more</b>\r\n`), false)
  assert.equal(await isVerified(await signedWith(raw, { headerList: ['Subject'] })), false)
})

test('A message with several senders is not verified, whoever has signed it', async (t) => {
  const { isVerified } = await withZone(t, { [key]: keyRecord, ...permits })
  const signed = (await signedMail(grace, 'customer.example')).toString('latin1')

  assert.equal(await isVerified(`From: ada@kontor.example\r\n${signed}`, smtp), false)
  assert.equal(await isVerified(`From : ada@kontor.example\r\n${signed}`, smtp), false)
  assert.equal(await isVerified(signed.replace(/^From: .*$/m, `From: ${grace}, ada@kontor.example`), smtp), false)
})

test('A line end that only some programs know adds no sender', async (t) => {
  const { read } = await withZone(t, { [key]: keyRecord })
  const signed = (await signedMail(grace, 'customer.example')).toString('latin1')

  const { from, isVerified } = mailOf(await read(`X-Note: 1\rFrom: ada@kontor.example\r\n${signed}`))

  assert.deepEqual([from.map(({ address }) => address), isVerified], [[grace], true])
})

test('At the SMTP door, a client that the domain of the envelope permits verifies a sender of the same organization', async (t) => {
  const { isVerified } = await withZone(t, { ...permits, 'mx.customer.example': 'v=spf1 ip4:192.0.2.10 -all' })
  const raw = mail(`From: ${grace}`, '', 'x')

  assert.equal(await isVerified(raw, smtp), true)
  assert.equal(await isVerified(raw, { ...smtp, mailFrom: '' }), true)
  assert.equal(await isVerified(raw, { ...smtp, remoteAddress: '198.51.100.1' }), false)
  assert.equal(await isVerified(mail('From: ada@kontor.example', '', 'x'), smtp), false)
  assert.equal(await isVerified(raw), false)
})

test('Only the first five signatures are looked up', async (t) => {
  const { isVerified, asked } = await withZone(t, { [key]: keyRecord })
  const signed = (await signedMail(grace, 'customer.example')).toString('latin1')
  const [signature = ''] = /^DKIM-Signature:[\s\S]*?\r\n(?=[A-Z])/m.exec(signed) ?? []
  const others = (count: number) =>
    Array.from({ length: count }, (_, index) => signature.replace('d=customer.example', `d=d${index}.example`)).join('')

  assert.equal(await isVerified(`${others(4)}${signed}`), true)
  asked.length = 0
  assert.equal(await isVerified(`${others(100)}${signed}`), false)
  assert.deepEqual(new Set(asked), new Set([0, 1, 2, 3, 4].map((index) => `s1._domainkey.d${index}.example 16`)))
})

test('A signature or a record of a name server that is too long to check is none', async (t) => {
  const long = 's1._domainkey.long.example'
  const { isVerified, asked } = await withZone(t, { [key]: keyRecord, [long]: `${keyRecord};n=${'x'.repeat(4_096)}` })
  const signed = (await signedMail(grace, 'customer.example')).toString('latin1')
  const padded = signed.replace('DKIM-Signature: ', `DKIM-Signature: n=${'x'.repeat(8_192)}; `)

  assert.deepEqual([await isVerified(padded), asked], [false, []])
  assert.equal(await isVerified(`${padded.slice(0, padded.indexOf('From:'))}${signed}`), true)
  assert.equal(await isVerified(await signedMail('x@long.example', 'long.example')), false)
  assert.ok(asked.includes(`${long} 16`))
})

test('A name server that fails or never answers leaves a message unverified, and holds up no other one', async (t) => {
  const { isVerified, read, asked } = await withZone(t, { [key]: 'silence', 'mail.customer.example': 'SERVFAIL' })
  const raw = await signedMail(grace, 'customer.example')

  const waiting = isVerified(raw, smtp)
  let isWaiting = true
  const done = waiting.finally(() => {
    isWaiting = false
  })
  await read(mail(`From: ${grace}`, '', 'first'))
  assert.deepEqual([isWaiting, asked.length > 0], [true, true])
  assert.equal(await done, false)
})

test('Messages of one company that wait for a slow name server leave room for those of others', async (t) => {
  const { read } = await withZone(t, { [key]: 'silence' })
  const slow = await signedMail(grace, 'customer.example')
  const ends: string[] = []
  const reading = (raw: string | Buffer, companyId: string) =>
    read(raw, undefined, companyId).then(() => ends.push(companyId))

  const all = [
    ...Array.from({ length: 20 }, () => reading(slow, 'acme')),
    reading(mail(`From: ${grace}`, '', 'x'), 'bolt'),
  ]
  await Promise.race(all)

  assert.deepEqual(ends, ['bolt'])
})

test('The sender of a forward is the one who forwarded it', async (t) => {
  const { read } = await withZone(t, { [key]: keyRecord })
  const inner = (await signedMail(grace, 'customer.example')).toString('latin1')
  const head = ['From: ada@kontor.example', 'Subject: Fwd: Hampers', 'Content-Type: multipart/mixed; boundary=b', '']
  const raw = [...head, '--b', 'Content-Type: message/rfc822', '', `${inner}`, '--b--', ''].join('\r\n')

  const { isVerified, original } = mailOf(await read(raw))

  assert.deepEqual([isVerified, original?.from[0]?.address, original?.isVerified], [false, grace, false])
})
