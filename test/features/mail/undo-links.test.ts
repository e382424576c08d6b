import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findWorkspaceId } from '../../../src/access/company.ts'
import { verifyMade } from '../../../src/changes/readers/batch-reader.ts'
import { matchLater } from '../../../src/features/mail/match-later.ts'
import type { Client } from '../../support/client.ts'
import { ended } from '../../support/imports.ts'
import { openMailbox } from '../../support/mailbox.ts'
import { type JsonRecord, make } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import { deliverAs, mailDomain, rawMail, untilMatching } from './mails.ts'

const grace = { first_name: 'Grace', emails: [{ email: 'grace@navy.example' }] }

/** Ada has an unmatched message that nobody else sees, by default from Grace, and one from somebody else. */
async function openUnmatched(t: TestContext, headers: Record<string, string> = {}) {
  const mailbox = await openMailbox(t, { limits: { mailDomain } })
  const { server, ada, companyId } = mailbox
  const own = (await ada.post('/api-v1-mail-addresses', { kind: 'user', audience: 'participants' })).body.data
  const deliver = async (mail: Record<string, string>) =>
    (await deliverAs(server, ada, own.address, rawMail({ To: 'ada@acme.example.org', ...mail }))).body.data
  const { id } = await deliver(headers)
  await deliver({ From: 'alan@bletchley.example' })
  await untilMatching(server)
  const read = async (): Promise<JsonRecord> => (await ada.get(`/api-v1-messages/${id}`)).body.data
  const links = async () => {
    const { status, contact_ids } = await read()
    return { status, contact_ids }
  }
  const linked = (contactId: string) =>
    until('the message is linked', links, { is: ({ contact_ids }) => contact_ids.includes(contactId) })
  const workspaceId = findWorkspaceId(server.store.access, companyId, 'live')
  const faults = () => [...verifyMade(matchLater, server.store.workspace(workspaceId))]
  return { ...mailbox, path: `/api-v1-messages/${id}`, links, linked, faults }
}

async function created(client: Pick<Client, 'post'>): Promise<{ id: string; request_id: string }> {
  const { body, headers } = await client.post('/api-v1-contacts', grace)
  return { id: body.data.id, request_id: headers.get('x-request-id')! }
}

const unmatched = { status: 'unmatched', contact_ids: [] }

test('An undo that keeps a contact leaves its messages linked, also those that its author does not see', async (t) => {
  const { bob, links, linked, faults } = await openUnmatched(t)
  const { id, request_id } = await created(bob)
  await linked(id)
  await bob.patch(`/api-v1-contacts/${id}`, { last_name: 'Hopper' })

  const { body } = await bob.post('/api-v1-undo', { request_id })

  assert.deepEqual([body.data.reversed.length, body.data.kept.length], [0, 1])
  assert.deepEqual(await links(), { status: 'matched', contact_ids: [id] })
  assert.deepEqual(faults(), [])
})

for (const force of [false, true]) {
  test(`An undo leaves the contacts that a participant chose since, ${force ? 'also' : 'if not'} by force`, async (t) => {
    const { ada, bob, path, links, linked } = await openUnmatched(t)
    const other = await make(bob, 'contact', { first_name: 'Other' })
    const { id, request_id } = await created(bob)
    await linked(id)
    await ada.patch(path, { contact_ids: [other.id] })

    const { body } = await bob.post('/api-v1-undo', { request_id, force })

    assert.equal(body.data.reversed.length, 1)
    assert.deepEqual(await links(), { status: 'matched', contact_ids: [other.id] })
  })
}

test('An undo of an import takes the messages of its contacts back, and an undo of that one links them again', async (t) => {
  const { shared, links, linked } = await openUnmatched(t)
  const job = (await shared.post('/api-v1-bulk/contacts', { records: [grace] })).body.data.job_id
  await ended(shared, `/api-v1-bulk/jobs/${job}`)
  const { id } = (await shared.get('/api-v1-contacts')).body.data[0]
  await linked(id)

  const undone = await shared.post('/api-v1-undo', { bulk_job_id: job })

  assert.equal(undone.body.data.reversed.length, 1)
  assert.deepEqual(await links(), unmatched)
  await shared.post('/api-v1-undo', { request_id: undone.headers.get('x-request-id') })
  await linked(id)
})

test('An undo of what a key did takes the messages of its contacts back', async (t) => {
  const { server, owner, shared, links, linked } = await openUnmatched(t)
  const since = new Date(server.clock.now()).toISOString()
  const { id } = await created(shared)
  await linked(id)
  const key = (await owner.get('/api-v1-keys')).body.data.find(({ name }: JsonRecord) => name === 'Shared')

  const undone = await shared.post('/api-v1-undo', { key_id: key.id, since })

  assert.equal(undone.body.data.reversed.length, 1, JSON.stringify(undone.body))
  assert.deepEqual(await links(), unmatched)
})

test('An undo of an address takes the messages of the contact back, and one of its name does not', async (t) => {
  const { bob, links, linked } = await openUnmatched(t)
  const { id } = await make(bob, 'contact', { first_name: 'Grace' })
  const added = await bob.post(`/api-v1-contacts/${id}/emails`, grace.emails[0]!)
  await linked(id)
  const renamed = await bob.patch(`/api-v1-contacts/${id}`, { last_name: 'Hopper' })

  await bob.post('/api-v1-undo', { request_id: renamed.headers.get('x-request-id') })
  assert.deepEqual(await links(), { status: 'matched', contact_ids: [id] })
  const { body } = await bob.post('/api-v1-undo', { request_id: added.headers.get('x-request-id') })

  assert.deepEqual(body.data.reversed[0].fields, ['emails'], JSON.stringify(body))
  assert.deepEqual(await links(), unmatched)
})

/** Grace has replaced the address by which her message was linked. */
async function openReplaced(t: TestContext) {
  const mailbox = await openUnmatched(t)
  const { bob, linked } = mailbox
  const contact = (await bob.post('/api-v1-contacts', grace)).body.data
  await linked(contact.id)
  const email = `/api-v1-contacts/${contact.id}/emails/${contact.contact_emails[0].id}`
  assert.equal((await bob.patch(email, { email: 'hopper@navy.example' })).status, 200)
  return { ...mailbox, contact, email }
}

const unrelated: Record<string, (replaced: Awaited<ReturnType<typeof openReplaced>>) => Promise<{ headers: Headers }>> =
  {
    'adds an address': ({ bob, contact }) =>
      bob.post(`/api-v1-contacts/${contact.id}/emails`, { email: 'third@navy.example' }),
    'changes the type of one': ({ bob, email }) => bob.patch(email, { type: 'personal' }),
    'merges a contact': async ({ bob, contact }) => {
      const other = await make(bob, 'contact', { first_name: 'G.', emails: [{ email: 'third@navy.example' }] })
      return bob.post(`/api-v1-contacts/${contact.id}/merge`, { with: [other.id] })
    },
  }

for (const [what, change] of Object.entries(unrelated)) {
  test(`An undo of what ${what} leaves the messages of a former address linked, and so does an undo of that one`, async (t) => {
    const replaced = await openReplaced(t)
    const { bob, contact, links } = replaced
    const before = await links()
    const { headers } = await change(replaced)

    const undone = await bob.post('/api-v1-undo', { request_id: headers.get('x-request-id') })

    assert.deepEqual([before.contact_ids, undone.body.data.errored], [[contact.id], []])
    assert.ok(undone.body.data.reversed.length > 0, JSON.stringify(undone.body))
    assert.deepEqual(await links(), before)
    await bob.post('/api-v1-undo', { request_id: undone.headers.get('x-request-id') })
    assert.deepEqual(await links(), before)
  })
}

test('An undo of the undo of a deletion leaves the messages of the contact as the deletion did', async (t) => {
  const { bob, links, linked } = await openUnmatched(t)
  const { id } = await created(bob)
  await linked(id)
  const deleted = await bob.delete(`/api-v1-contacts/${id}`)
  const before = await links()

  const undone = await bob.post('/api-v1-undo', { request_id: deleted.headers.get('x-request-id') })
  const again = await bob.post('/api-v1-undo', { request_id: undone.headers.get('x-request-id') })

  assert.equal(again.body.data.reversed.length, 1, JSON.stringify(again.body))
  assert.deepEqual(await links(), before)
})

test('A message that was held when it was linked is unmatched after the undo of its contact', async (t) => {
  const { ada, bob, path, links, linked } = await openUnmatched(t, {
    From: 'bob@acme.example.org',
    Cc: 'grace@navy.example',
  })
  assert.equal((await links()).status, 'held')
  const { id, request_id } = await created(bob)
  await linked(id)
  assert.equal((await ada.patch(path, { status: 'matched' })).status, 200)

  await bob.post('/api-v1-undo', { request_id })

  assert.deepEqual(await links(), unmatched)
})
