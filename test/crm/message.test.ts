import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { deliverMessage } from '../support/message.ts'
import { start } from '../support/start.ts'

test('A message shows who sent and received it, and with include its organization, deal, contacts, users and files', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const person = await make(client, 'contact', { first_name: 'Ada' })
  const id = await deliverMessage(server.store, companyId, {
    contactIds: [person.id],
    attachments: [{ name: 'offer.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }],
  })

  const { data } = (await client.get(`/api-v1-messages/${id}?include=contacts,files,users`)).body

  assert.deepEqual(data.from, { name: 'Ada', address: 'ada@example.net' })
  assert.deepEqual(data.contact_ids, [person.id])
  assert.deepEqual(
    data.contacts.map((each: { id: string }) => each.id),
    [person.id],
  )
  assert.equal(data.files[0].name, 'offer.pdf')
  assert.deepEqual(data.users, [])
})

test('A message as it was shows its contacts and files of that moment', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const [ada, grace] = [await make(client, 'contact'), await make(client, 'contact')]
  const id = await deliverMessage(server.store, companyId, {
    contactIds: [ada.id],
    attachments: [{ name: 'offer.pdf', mediaType: 'application/pdf', bytes: 3, sha256: 'a'.repeat(64) }],
  })
  const path = `/api-v1-messages/${id}?include=contacts,files`
  const before = (await client.get(path)).body.data
  const latest = async () => (await client.get('/api-v1-changes?after=now')).body.latest_seq
  const shownAt = async (seq: number) => (await client.get(`${path}&as_of=${seq}`)).body.data
  const seq = await latest()
  await client.patch(`/api-v1-messages/${id}`, { contact_ids: [grace.id] })
  await client.patch(`/api-v1-contacts/${ada.id}`, { first_name: 'Renamed' })
  await client.delete(`/api-v1-files/${before.files[0].id}`)

  const { contacts, files } = await shownAt(seq)
  assert.deepEqual([contacts, files], [before.contacts, before.files])
  const now = await shownAt(await latest())
  assert.deepEqual([now.contacts[0].id, now.files], [grace.id, []])
})

test('Messages are found by contact, by the address of the sender, and by what they say', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const person = await make(client, 'contact', { first_name: 'Ada' })
  const id = await deliverMessage(server.store, companyId, { contactIds: [person.id], text: 'zeppelin' })
  await deliverMessage(server.store, companyId, { from: { name: 'Ada', address: 'other@example.net' } })
  const idsOf = async (query: string) =>
    (await client.get(`/api-v1-messages?${query}`)).body.data.map((each: { id: string }) => each.id)

  assert.deepEqual(await idsOf(`contact_id=${person.id}`), [id])
  assert.deepEqual(await idsOf('filter[from]=ADA@example.net'), [id])
  const found = (await client.get('/api-v1-search?q=zeppelin')).body.data
  assert.deepEqual(
    found.map((each: { id: string }) => each.id),
    [id],
  )
})

test('Only a held message can be released, and its contacts decide whether it is matched', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const person = await make(client, 'contact', { first_name: 'Ada' })
  const id = await deliverMessage(server.store, companyId, { contactIds: [person.id] })

  const released = await client.patch(`/api-v1-messages/${id}`, { status: 'matched' })
  assertError(released, 409, 'CONFLICT')
  assertError(await client.patch(`/api-v1-messages/${id}`, { status: 'held' }), 400, 'VALIDATION_ERROR')
  const { body } = await client.patch(`/api-v1-messages/${id}`, { contact_ids: [] })
  assert.equal(body.data.status, 'unmatched')
  const again = await client.patch(`/api-v1-messages/${id}`, { contact_ids: [person.id] })
  assert.equal(again.body.data.status, 'matched')
  assertError(await client.patch(`/api-v1-messages/${id}`, { audience: 'participants' }), 409, 'CONFLICT')
})

test('A message is linked to no contact that is deleted, except one that it has', async (t) => {
  const server = await start(t)
  const { client, id: companyId } = await server.company('Acme')
  const [linked, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const id = await deliverMessage(server.store, companyId, { contactIds: [linked.id] })
  for (const each of [linked, other]) await client.delete(`/api-v1-contacts/${each.id}`)
  const link = (contact_ids: string[]) => client.patch(`/api-v1-messages/${id}`, { contact_ids })

  assertError(await link([linked.id, other.id]), 400, 'VALIDATION_ERROR', undefined, ['contact_ids'])
  assert.equal((await link([linked.id])).status, 200)
})
