import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { verifyMade } from '../../../src/changes/readers/batch-reader.ts'
import { matchLater } from '../../../src/features/mail/match-later.ts'
import { dayMs } from '../../../src/lib/clock.ts'
import { pruneLogs } from '../../../src/threads/sweep.ts'
import { assertError, type Client } from '../../support/client.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import type { Server } from '../../support/start.ts'
import { until } from '../../support/wait.ts'
import { deliverMail, type MailHeaders, newAddress, rawMail, startWithMail, untilMatching } from './mails.ts'

const grace = 'grace@navy.example'
const alan = 'alan@bletchley.example'

/** A company that gets mail. */
async function open(t: TestContext) {
  const server = await startWithMail(t)
  const { id: companyId, client } = await server.company('Acme')
  const { address } = await newAddress(client)
  const deliver = async (headers: MailHeaders = {}, body?: string): Promise<string> => {
    const all = { From: `Grace Hopper <${grace}>`, To: address, ...headers }
    return (await deliverMail(client, address, rawMail(all, body))).body.data.id
  }
  const read = async (id: string): Promise<JsonRecord> => (await client.get(`/api-v1-messages/${id}`)).body.data
  const linksOf = async (id: string) => {
    const { status, contact_ids } = await read(id)
    return { status, contact_ids }
  }
  const workspaceId = findWorkspaceId(server.store.access, companyId, 'live')
  const faults = () => [...verifyMade(matchLater, server.store.workspace(workspaceId))]
  return { server, client, address, deliver, read, linksOf, faults }
}

function makePerson(client: Client, email: string, values = {}): Promise<JsonRecord> {
  return make(client, 'contact', { first_name: 'Grace', last_name: 'Hopper', emails: [{ email }], ...values })
}

async function erase(client: Client, contactId: string): Promise<void> {
  assert.equal((await client.delete(`/api-v1-contacts/${contactId}`)).status, 200)
  assert.equal((await client.delete(`/api-v1-trash/${contactId}`)).status, 200)
}

test('A message whose only contact is erased is unmatched, and belongs to the contact that gets another address of it', async (t) => {
  const { server, client, address, deliver, linksOf, faults } = await open(t)
  const person = await makePerson(client, grace)
  const id = await deliver({ To: `${address}, ${alan}` })
  assert.deepEqual(await linksOf(id), { status: 'matched', contact_ids: [person.id] })

  await erase(client, person.id)

  assert.deepEqual(await linksOf(id), { status: 'unmatched', contact_ids: [] })
  const { data } = (await client.get('/api-v1-messages?status=unmatched')).body
  assert.deepEqual(
    data.map((each: JsonRecord) => each.id),
    [id],
  )
  await untilMatching(server)
  const other = await make(client, 'contact', { first_name: 'Alan', emails: [{ email: alan }] })
  await until('the message is linked', () => linksOf(id), { is: ({ status }) => status === 'matched' })
  assert.deepEqual(await linksOf(id), { status: 'matched', contact_ids: [other.id] })
  assert.deepEqual(faults(), [])
})

test('A message whose only contact is erased belongs to the contact that has got another address of it since', async (t) => {
  const { server, client, address, deliver, linksOf, faults } = await open(t)
  const person = await makePerson(client, grace)
  const id = await deliver({ To: `${address}, ${alan}` })
  const other = await make(client, 'contact', { first_name: 'Alan', emails: [{ email: alan }] })

  await erase(client, person.id)

  assert.deepEqual(await linksOf(id), { status: 'matched', contact_ids: [other.id] })
  await untilMatching(server)
  assert.deepEqual(faults(), [])
})

/** Gives a contact another address instead of its first one. */
async function readdress(client: Client, person: JsonRecord): Promise<void> {
  const path = `/api-v1-contacts/${person.id}/emails`
  assert.equal((await client.post(path, { email: 'hopper@vassar.example' })).status, 201)
  assert.equal((await client.delete(`${path}/${person.contact_emails[0].id}`)).status, 200)
}

test('Erasing a contact erases the messages from a former address of it, and takes that out of messages to others', async (t) => {
  const { server, client, address, deliver, read } = await open(t)
  const person = await makePerson(client, grace)
  const alone = await deliver()
  const among = await deliver({ To: `${address}, ${alan}` }, `Write to ${grace} or Grace Hopper.\r\n`)
  await client.post('/api-v1-mail-ignored-senders', { address: grace })
  await readdress(client, person)

  await erase(client, person.id)

  assertError(await client.get(`/api-v1-messages/${alone}`), 404, 'NOT_FOUND')
  const { from, text } = await read(among)
  assert.deepEqual([from.address, text.trim()], ['erased@erased.invalid', 'Write to [erased] or [erased].'])
  const sql = `SELECT count(*) FROM main.message WHERE concat("from", text, participants) LIKE '%${grace}%'`
  assert.equal(server.store.access.value(sql), 0)
  assert.deepEqual((await client.get('/api-v1-mail-ignored-senders')).body.data, [])
})

test('Erasing a contact takes its name and address out of messages to others in every form and with every character', async (t) => {
  const { server, client, address, deliver, read } = await open(t)
  const email = 'anna-lena+crm@müller.example'
  const name = { first_name: 'Anna-Lena (née [Ö$])', last_name: 'Müller^Söhne|*?' }
  const full = `${name.first_name} ${name.last_name}`
  const person = await makePerson(client, email, name)
  const forms = [email, email.toUpperCase(), email.replace('müller', 'xn--mller-kva'), full, full.normalize('NFD')]
  const headers = { From: `"${full}" <${email}>`, To: `${address}, ${alan}` }
  const id = await deliver(headers, forms.join('\r\n'))

  await erase(client, person.id)

  assert.deepEqual((await read(id)).text.split('\n'), Array(5).fill('[erased]'))
  const stored = server.store.access.value<string>('SELECT concat("from", text, participants) FROM main.message')
  assert.doesNotMatch(stored!, /anna|müller|xn--/iu)
})

test('Erasing a contact erases the messages from a former address of one that was merged into it', async (t) => {
  const { client, deliver } = await open(t)
  const merged = await makePerson(client, grace)
  const id = await deliver()
  await readdress(client, merged)
  const person = await makePerson(client, 'grace@yale.example')
  const merging = await client.post(`/api-v1-contacts/${person.id}/merge`, { with: [merged.id] })
  assert.equal(merging.status, 200, JSON.stringify(merging.body))

  await erase(client, person.id)

  assertError(await client.get(`/api-v1-messages/${id}`), 404, 'NOT_FOUND')
})

test('A message from a former address of a contact that is erased stays if another contact has the address', async (t) => {
  const { client, deliver, read } = await open(t)
  const person = await makePerson(client, grace)
  const id = await deliver()
  await readdress(client, person)
  const heir = await makePerson(client, grace, { first_name: 'Howard' })

  await erase(client, person.id)

  const { from, contact_ids } = await read(id)
  assert.deepEqual([from.address, contact_ids], [grace, [heir.id]])
})

test('Where the log has been pruned, the only outsider of a message is the contact that is erased, unless others are in it', async (t) => {
  const { server, client, address, deliver, read } = await open(t)
  const person = await makePerson(client, grace)
  const alone = await deliver()
  const among = await deliver({ To: `${address}, ${alan}` })
  await readdress(client, person)
  server.clock.advance(8 * dayMs)
  await makePerson(client, alan)
  await untilMatching(server)
  await pruneLogs(server.store, 7 * dayMs)

  await erase(client, person.id)

  assertError(await client.get(`/api-v1-messages/${alone}`), 404, 'NOT_FOUND')
  assert.equal((await read(among)).from.address, grace)
})

test('What was in the trash before a contact came with its address has nothing of it when the contact is erased', async (t) => {
  const { server, client, address, deliver, read } = await open(t)
  const alone = await deliver()
  const among = await deliver({ To: `${address}, ${alan}` })
  const restore = (id: string) => client.post(`/api-v1-trash/${id}/restore`, {})
  for (const id of [alone, among]) await client.delete(`/api-v1-messages/${id}`)
  const person = await makePerson(client, grace)
  await untilMatching(server)

  await erase(client, person.id)

  assertError(await restore(alone), 404, 'NOT_FOUND')
  assert.equal((await restore(among)).status, 200)
  assert.equal((await read(among)).from.address, 'erased@erased.invalid')
  const known = 'SELECT count(*) FROM mail_unmatched WHERE email_key = ?'
  assert.deepEqual([server.store.access.value(known, grace), server.store.access.value(known, alan)], [0, 1])
})

const unlinkings: Record<string, (client: Client, id: string) => Promise<unknown>> = {
  'a message that was taken from it': (client, id) => client.patch(`/api-v1-messages/${id}`, { contact_ids: [] }),
  'a message that was given to another contact': async (client, id) => {
    const other = await make(client, 'contact', { first_name: 'Alan' })
    return client.patch(`/api-v1-messages/${id}`, { contact_ids: [other.id] })
  },
  'a message in the trash that was taken from it': async (client, id) => {
    await client.patch(`/api-v1-messages/${id}`, { contact_ids: [] })
    return client.delete(`/api-v1-messages/${id}`)
  },
}

for (const [what, unlink] of Object.entries(unlinkings)) {
  test(`Erasing a contact erases ${what} if it is the only outsider, and takes it out of others`, async (t) => {
    const { server, client, deliver, faults } = await open(t)
    const person = await makePerson(client, grace)
    const alone = await deliver()
    const among = await deliver({ From: alan, Cc: `Grace Hopper <${grace.toUpperCase()}>` }, 'Ask Grace Hopper.\r\n')
    const others = await deliver({ From: alan, Cc: 'grace@vassar.example' }, 'From another Grace.\r\n')
    for (const id of [alone, among]) await unlink(client, id)
    const { contact_ids } = JSON.parse(storedText(server, among)!)

    await erase(client, person.id)

    assertError(await client.get(`/api-v1-messages/${alone}`), 404, 'NOT_FOUND')
    assert.doesNotMatch(storedText(server, alone)!, /grace|hopper/i)
    const { cc, text, ...left } = JSON.parse(storedText(server, among)!)
    assert.deepEqual([cc[0].address, text.trim()], ['erased@erased.invalid', 'Ask [erased].'])
    assert.deepEqual(left.contact_ids, contact_ids)
    assert.equal((await client.get(`/api-v1-messages/${among}/original`)).status, 404)
    assert.match(storedText(server, others)!, /another Grace/)
    const log = 'SELECT count(*) FROM change WHERE concat(previous, data) LIKE ?'
    assert.equal(server.store.access.value(log, `%${grace}%`), 0)
    assert.deepEqual((await client.get(`/api-v1-messages?q=${encodeURIComponent(grace)}`)).body.data, [])
    assert.deepEqual(faults(), [])
  })
}

function storedText({ store }: Server, id: string): string | undefined {
  return store.access.value<string>('SELECT record FROM main.message WHERE id = ?', id)
}

test('Erasing a contact that was deleted when a mail from its address arrived erases the mail', async (t) => {
  const { client, address, deliver, read, faults } = await open(t)
  const person = await makePerson(client, grace)
  await client.delete(`/api-v1-contacts/${person.id}`)
  const alone = await deliver()
  const among = await deliver({ To: `${address}, ${alan}` })

  assert.equal((await client.delete(`/api-v1-trash/${person.id}`)).status, 200)

  assertError(await client.get(`/api-v1-messages/${alone}`), 404, 'NOT_FOUND')
  const { from, status } = await read(among)
  assert.deepEqual([from.address, status], ['erased@erased.invalid', 'unmatched'])
  assert.deepEqual(faults(), [])
})

test('A message that is not linked to an erased contact stays if another contact has the address', async (t) => {
  const { client, deliver, read } = await open(t)
  const person = await makePerson(client, grace)
  const id = await deliver()
  await client.patch(`/api-v1-messages/${id}`, { contact_ids: [] })
  await makePerson(client, grace, { first_name: 'Howard' })

  await erase(client, person.id)

  assert.equal((await read(id)).from.address, grace)
})
