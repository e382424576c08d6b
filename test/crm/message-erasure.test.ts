import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wasErased } from '../../src/features/mail/erase-message.ts'
import { assertError } from '../support/client.ts'
import { openMailbox } from '../support/mailbox.ts'

const secret = { name: 'secret.txt', mediaType: 'text/plain', bytes: 1, sha256: 'd'.repeat(64) }

/** A contact that is in the trash. */
async function openErasure(t: Parameters<typeof openMailbox>[0], limits = {}) {
  const mailbox = await openMailbox(t, { limits })
  const { owner } = mailbox
  const email = 'grace@hopper.example'
  const person = { first_name: 'Grace', last_name: 'Hopper', emails: [{ email }] }
  const { id } = (await owner.post('/api-v1-contacts', person)).body.data
  const erase = async () => {
    await owner.delete(`/api-v1-contacts/${id}`)
    assert.equal((await owner.delete(`/api-v1-trash/${id}`)).status, 200)
  }
  return { ...mailbox, contactId: id as string, from: { name: 'Grace Hopper', address: email }, erase }
}

test('Erasing a contact erases the messages in which it is the only outsider, also those that the author may not see', async (t) => {
  const { server, ada, contactId, from, personal, erase } = await openErasure(t)
  const to = [{ name: null, address: 'ada@acme.example.org' }]
  const id = await personal({
    contactIds: [contactId],
    from,
    to,
    text: 'xylophone',
    identity: 'identity',
    attachments: [secret],
  })

  await erase()

  assertError(await ada.get(`/api-v1-messages/${id}`), 404, 'NOT_FOUND')
  const sql = `SELECT count(*) FROM main.message WHERE subject IS NOT NULL OR text <> '' OR identity IS NOT NULL`
  assert.equal(server.store.access.value(sql), 0)
  assert.equal(server.store.access.value(`SELECT count(*) FROM main.file WHERE name <> ''`), 0)
  const sqlOf = 'SELECT workspace_id FROM erased_message'
  const workspaceId = server.store.access.value<number>(sqlOf)!
  assert.equal(await server.store.write(workspaceId, (tx) => wasErased(tx, 'identity')), true)
  assert.equal(await server.store.write(workspaceId, (tx) => wasErased(tx, 'another')), false)
  const logged = server.store.access.values<string>(
    "SELECT coalesce(previous, '') || coalesce(data, '') FROM change WHERE previous IS NOT NULL OR data IS NOT NULL",
  )
  assert.doesNotMatch(logged.join(), /xylophone|secret|hopper/)
})

test("Kontor's own addresses, former ones included, are no outsiders when a contact is erased", async (t) => {
  const { server, owner, ada, contactId, from, personal, erase } = await openErasure(t, {
    mailDomain: 'in.kontor.example',
  })
  const { data } = (await owner.post('/api-v1-mail-addresses', { kind: 'company' })).body
  await owner.post(`/api-v1-mail-addresses/${data.id}/rotate`)
  const own = { name: 'Kontor', address: data.address.toUpperCase() }
  const colleague = { name: null, address: 'ada@acme.example.org' }
  const ids = [
    await personal({ contactIds: [contactId], from, to: [colleague], cc: [own], identity: 'one' }),
    await personal({ contactIds: [contactId], from, to: [own], identity: 'two' }),
  ]
  const other = { name: null, address: 'other@kontor.example' }
  const kept = await personal({ contactIds: [contactId], from, to: [own, other], identity: 'three' })

  await erase()

  for (const id of ids) assertError(await ada.get(`/api-v1-messages/${id}`), 404, 'NOT_FOUND')
  assert.equal((await ada.get(`/api-v1-messages/${kept}`)).status, 200)
  assert.equal(server.store.access.value(`SELECT count(*) FROM main.message WHERE identity IS NOT NULL`), 1)
})

test('Erasing a contact takes its names and addresses out of messages to others, and their originals and HTML away', async (t) => {
  const { server, ada, contactId, from, personal, erase } = await openErasure(t)
  const id = await personal({
    ...{ contactIds: [contactId], from, html: '<p>Grace</p>', subject: 'Re: Grace Hopper' },
    to: [{ name: 'Other', address: 'other@example.net' }],
    text: 'Dear Grace,\nwrite to GRACE@hopper.example. Graceful.',
    original: { sha256: 'e'.repeat(64), bytes: 10 },
  })

  await erase()

  const { data } = (await ada.get(`/api-v1-messages/${id}`)).body
  assert.equal(data.subject, 'Re: [erased]')
  assert.equal(data.text, 'Dear [erased],\nwrite to [erased]. Graceful.')
  assert.deepEqual(data.from, { name: null, address: 'erased@erased.invalid' })
  assert.deepEqual(data.to, [{ name: 'Other', address: 'other@example.net' }])
  assert.equal(data.has_html, false)
  assert.deepEqual(data.contact_ids, [])
  const sql = 'SELECT count(*) FROM main.message WHERE html IS NOT NULL OR original_sha256 IS NOT NULL'
  assert.equal(server.store.access.value(sql), 0)
  const history = (await ada.get(`/api-v1-messages/${id}/history`)).body
  assert.doesNotMatch(JSON.stringify(history), /Grace[^f]|hopper/i)
})

test('Whoever erases a message that the team does not see leaves it unseen', async (t) => {
  const { owner, ada, bob, shared, deliver } = await openMailbox(t)
  const id = await deliver({ status: 'held', heldFor: [ada.id] })
  await owner.delete(`/api-v1-messages/${id}`)

  assert.equal((await owner.delete(`/api-v1-trash/${id}`)).status, 200)

  for (const other of [bob, shared]) {
    assert.deepEqual((await other.get(`/api-v1-changes?record_id=${id}`)).body.data, [])
    assertError(await other.get(`/api-v1-messages/${id}/history`), 404, 'NOT_FOUND')
  }
})
