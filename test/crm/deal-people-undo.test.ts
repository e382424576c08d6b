import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verifyLog } from '../../src/changes/verify.ts'
import { deal } from '../../src/crm/deal.ts'
import { loggedResources } from '../../src/features/index.ts'
import { create, openServer } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import type { JsonRecord } from '../support/make.ts'

const visit = { 'X-Request-Id': 'visit' }

async function openDeal(t: TestContext) {
  const { server, client } = await openServer(t)
  const person = (first_name: string) => create(client, 'contacts', { first_name })
  const [ada, ben] = [await person('Ada'), await person('Ben')]
  const id = await create(client, 'deals', { title: 'Hampers' })
  const set = (contact_id: string | null, headers = {}) => client.patch(`/api-v1-deals/${id}`, { contact_id }, headers)
  return { server, client, ada, ben, id, set }
}

/** Undoes the visit. Fails if its dry run says something else, or if `kontor check` finds a fault. */
async function undo({ server, client }: Awaited<ReturnType<typeof openDeal>>, force = false): Promise<JsonRecord> {
  const dry = await client.post('/api-v1-undo', { request_id: 'visit', force, dry_run: true })
  const { body } = await client.post('/api-v1-undo', { request_id: 'visit', force })
  assert.deepEqual(body.data, dry.body.data)
  const reader = server.store.workspace(1)
  assert.deepEqual([...deal.verify!(reader), ...verifyLog(loggedResources, reader)], [])
  return body.data
}

async function peopleOf(client: Client, id: string): Promise<JsonRecord> {
  const { data } = (await client.get(`/api-v1-deals/${id}?include=contacts`)).body
  return { contact_id: data.contact_id, people: data.contacts.map((each: JsonRecord) => each.id) }
}

for (const force of [false, true]) {
  const how = force ? 'a forced undo' : 'an undo'

  test(`Whom a colleague has made the contact of a deal stays among its people after ${how} of the addition`, async (t) => {
    const opened = await openDeal(t)
    const { client, ada, ben, id, set } = opened
    await set(ada)
    await client.put(`/api-v1-deals/${id}/contacts/${ben}`, { role: 'Buyer' }, visit)
    await set(ben)

    const { kept } = await undo(opened, force)

    assert.deepEqual([kept[0].record_id, kept[0].kept_fields], [id, ['contacts']])
    assert.deepEqual(await peopleOf(client, id), { contact_id: ben, people: [ben, ada] })
  })
}

test('Whom a colleague has made the contact of a deal again stays among its people when the first time is undone', async (t) => {
  const opened = await openDeal(t)
  const { client, ada, id, set } = opened
  await set(ada, visit)
  await set(null)
  await set(ada)

  const { kept } = await undo(opened)

  assert.deepEqual(kept[0].kept_fields.toSorted(), ['contact_id', 'contacts'])
  assert.deepEqual(await peopleOf(client, id), { contact_id: ada, people: [ada] })
})

test('The survivor of a merge whom a colleague has made the contact of a deal stays among its people when the merge is undone', async (t) => {
  const opened = await openDeal(t)
  const { client, ada, ben, id, set } = opened
  const carl = await create(client, 'contacts', { first_name: 'Carl' })
  await set(ada)
  await client.put(`/api-v1-deals/${id}/contacts/${ben}`, {})
  await client.post(`/api-v1-contacts/${carl}/merge`, { with: [ben] }, visit)
  await set(carl)

  const { kept, errored } = await undo(opened)

  assert.deepEqual([kept.find((each: JsonRecord) => each.record_id === id).kept_fields, errored], [['contacts'], []])
  assert.deepEqual(await peopleOf(client, id), { contact_id: carl, people: [carl, ada] })
})

test('The contact of a deal stays among its people when it is deleted before the undo', async (t) => {
  const opened = await openDeal(t)
  const { client, ada, ben, id, set } = opened
  await set(ada)
  await client.put(`/api-v1-deals/${id}/contacts/${ben}`, {}, visit)
  await set(ben)
  await client.delete(`/api-v1-contacts/${ben}`)

  await undo(opened)
  await client.post(`/api-v1-trash/${ben}/restore`, {})

  assert.deepEqual(await peopleOf(client, id), { contact_id: ben, people: [ben, ada] })
})
