import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, everything, merge } from './merging.ts'

type Server = Awaited<ReturnType<typeof start>>
interface Merged {
  survivor: JsonRecord
  other: JsonRecord
}

/** What a colleague does after a merge, so that the merged record cannot come back. */
const obstacles: Record<string, (client: Client, merged: Merged, server: Server) => Promise<unknown>> = {
  'the survivor has its unique value': (client, { survivor }) =>
    client.patch(`${contacts}/${survivor.id}`, { metadata: { ext: 'E1', note: 'x' } }),
  'the plan has no room': (_client, _merged, { store }) =>
    store.writeAccess((tx) => tx.run("UPDATE plan SET max_contacts = 2 WHERE name = 'enterprise'")),
  'it was restored and deleted again': async (client, { survivor, other }) => {
    await client.patch(`${contacts}/${survivor.id}`, { metadata: {} })
    await client.post(`/api-v1-trash/${other.id}/restore`, {})
    await client.delete(`${contacts}/${other.id}`)
  },
}

for (const [why, prevent] of Object.entries(obstacles)) {
  test(`Undoing a merge whose loser cannot come back, because ${why}, keeps what the survivor has and what had moved to it`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    await client.post('/api-v1-fields', { resource: 'contact', key: 'ext', type: 'text', unique: true })
    const survivor = await make(client, 'contact', { emails: [{ email: 'a@kontor.example' }] })
    const other = await make(client, 'contact', {
      emails: [{ email: 'b@kontor.example' }],
      phones: [{ phone_number: '+4989123456' }],
      metadata: { ext: 'E1' },
    })
    const returning = await make(client, 'contact', {})
    const deal = await make(client, 'deal', { contact_id: other.id })
    const response = await merge(client, contacts, [survivor, other, returning])
    await prevent(client, { survivor, other }, server)
    const before = (await client.get(`${contacts}/${survivor.id}`)).body.data
    const request_id = response.headers.get('x-request-id')

    const dry = await client.post('/api-v1-undo', { request_id, dry_run: true })
    const { body } = await client.post('/api-v1-undo', { request_id })

    assert.deepEqual(body.data, dry.body.data)
    assert.deepEqual(
      body.data.reversed.map(({ record_id }: JsonRecord) => record_id),
      [returning.id],
    )
    const kept = body.data.kept.find(({ record_id }: JsonRecord) => record_id === survivor.id)
    assert.equal(kept.message, 'A record of the merge cannot be restored')
    assert.deepEqual((await client.get(`${contacts}/${survivor.id}`)).body.data, before)
    assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).body.data.contact_id, survivor.id)
  })
}

test('A merge whose loser could not come back is undone completely by a repeated undo, once nothing is in its way', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await client.post('/api-v1-fields', { resource: 'contact', key: 'ext', type: 'text', unique: true })
  const survivor = await make(client, 'contact', {})
  const other = await make(client, 'contact', { emails: [{ email: 'b@kontor.example' }], metadata: { ext: 'E1' } })
  const request_id = (await merge(client, contacts, [survivor, other])).headers.get('x-request-id')
  await client.patch(`${contacts}/${survivor.id}`, { metadata: { ext: 'E1', note: 'x' } })
  await client.post('/api-v1-undo', { request_id })

  await client.patch(`${contacts}/${survivor.id}`, { metadata: {} })
  const { body } = await client.post('/api-v1-undo', { request_id })

  assert.deepEqual(body.data.errored, [])
  assert.deepEqual((await client.get(`${contacts}/${survivor.id}`)).body.data.contact_emails, [])
  assert.equal((await client.get(`${contacts}/${other.id}`)).body.data.contact_emails[0].email, 'b@kontor.example')
})

test('An undo of everything since a time takes a merge back completely, though it also takes back what created a merged record', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const old = await make(client, 'contact', { emails: [{ email: 'old@kontor.example' }] })
  const older = await make(client, 'contact', { job_title: 'CEO' })
  for (const { id } of [old, older]) await make(client, 'deal', { contact_id: id })
  const discarded = await make(client, 'contact', { phones: [{ phone_number: '+4989123456' }] })
  await client.delete(`${contacts}/${discarded.id}`)
  const before = await everything(client)
  server.clock.advance(1)
  const made = await make(client, 'contact', { job_title: 'CFO', emails: [{ email: 'new@kontor.example' }] })
  const survivor = await make(client, 'contact', {})
  await client.post(`/api-v1-trash/${discarded.id}/restore`, {})
  await merge(client, contacts, [old, made, discarded])
  await merge(client, contacts, [survivor, old, older])
  const { key } = (await client.get('/api-v1-me')).body.data
  const request = { key_id: key.id, since: made.created_at }

  const dry = await client.post('/api-v1-undo', { ...request, dry_run: true })
  const { body } = await client.post('/api-v1-undo', request)

  assert.deepEqual(body.data, dry.body.data)
  assert.deepEqual(body.data.errored, [])
  assert.deepEqual(
    body.data.kept.map(({ record_id, message }: JsonRecord) => [record_id, message]).sort(),
    [discarded.id, made.id].map((id) => [id, 'It is already as it was before']).sort(),
  )
  const ids = ({ trash, ...records }: JsonRecord) => [records, trash.map(({ id }: JsonRecord) => id).sort()]
  const after = await everything(client)
  const others = after.trash.filter(({ id }: JsonRecord) => ![made.id, survivor.id].includes(id))
  assert.deepEqual(ids({ ...after, trash: others }), ids(before))
})
