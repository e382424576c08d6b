import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMailbox } from '../support/mailbox.ts'

test('Merging contacts moves their messages, also those that one may not see, without telling, an undo moves them back, and its undo forth', async (t) => {
  const { ada, bob, personal, deliver } = await openMailbox(t)
  const make = async (first_name: string) => (await bob.post('/api-v1-contacts', { first_name })).body.data.id as string
  const [one, other] = [await make('Grace'), await make('Gracie')]
  const hidden = await personal({ contactIds: [other] })
  const open = await deliver({ contactIds: [other, one] })
  const contactsOf = async (id: string) => (await ada.get(`/api-v1-messages/${id}`)).body.data.contact_ids

  const merged = await bob.post(`/api-v1-contacts/${one}/merge`, { with: [other] })
  assert.equal(merged.status, 200)
  assert.equal(Object.hasOwn(merged.body.moved ?? merged.body.data.moved ?? {}, 'messages'), false)
  assert.deepEqual(await contactsOf(hidden), [one])
  assert.deepEqual(await contactsOf(open), [one])

  const undone = await bob.post('/api-v1-undo', { request_id: merged.headers.get('x-request-id') })
  assert.equal(undone.status, 200)
  assert.doesNotMatch(JSON.stringify(undone.body), /"resource":"message"/)
  assert.deepEqual(await contactsOf(hidden), [other])
  assert.deepEqual(await contactsOf(open), [other, one])

  await bob.post('/api-v1-undo', { request_id: undone.headers.get('x-request-id') })
  assert.deepEqual(await contactsOf(hidden), [one])
  assert.deepEqual(await contactsOf(open), [one])
})

test('An undo leaves changes of messages alone that one may not see, and does not tell', async (t) => {
  const { ada, bob, personal } = await openMailbox(t)
  const id = await personal()
  const changed = await ada.patch(`/api-v1-messages/${id}`, { metadata: { topic: 'hampers' } })
  const request = { request_id: changed.headers.get('x-request-id') }

  assert.equal((await bob.post('/api-v1-undo', { ...request, dry_run: true })).status, 404)
  assert.equal((await bob.post('/api-v1-undo', request)).status, 404)
  assert.equal((await ada.post('/api-v1-undo', request)).body.data.reversed.length, 1)
})
