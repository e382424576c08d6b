import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, everything, merge, organizations, undo } from './merging.ts'

/** Records of every kind that belong to a record. */
async function addChildren(client: Client, of: JsonRecord): Promise<void> {
  for (const name of ['deal', 'task', 'activity']) await make(client, name, of)
}

test('Undoing a merge of contacts brings back everything, with what had moved', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await client.post('/api-v1-fields', { resource: 'contact', key: 'number', type: 'text', unique: true })
  const [one, two] = [await make(client, 'organization'), await make(client, 'organization')]
  const items = (n: number) => ({
    emails: [{ email: `a${n}@kontor.example` }, { email: 'same@kontor.example', is_primary: true }],
    phones: [{ phone_number: `+49 89 ${n}` }],
  })
  const survivor = await make(client, 'contact', { ...items(1), organization_id: one.id, is_primary: true })
  const first = await make(client, 'contact', { ...items(2), organization_id: one.id, metadata: { number: 'A-1' } })
  const second = await make(client, 'contact', {
    ...items(3),
    organization_id: two.id,
    is_primary: true,
    job_title: 'X',
  })
  for (const { id } of [survivor, first, second]) await addChildren(client, { contact_id: id })
  const before = await everything(client)

  const response = await merge(client, contacts, [survivor, first, second], { prefer: 'newest' })
  assert.notDeepEqual(await everything(client), before)
  await undo(client, response)

  assert.deepEqual(await everything(client), before)
})

test('Undoing a merge of organizations brings back everything, with what had moved', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const survivor = await make(client, 'organization', { name: 'Acme' })
  const other = await make(client, 'organization', { name: 'Other', domain: 'other.example', metadata: { a: 1 } })
  for (const { id } of [survivor, other]) {
    await make(client, 'contact', { organization_id: id, is_primary: true })
    await addChildren(client, { organization_id: id })
  }
  const before = await everything(client)

  const response = await merge(client, organizations, [survivor, other])
  await undo(client, response)
  assert.deepEqual(await everything(client), before)

  const again = await merge(client, organizations, [survivor, other])
  await undo(client, again)
  assert.deepEqual(await everything(client), before)
})

test('What was changed again since a merge is kept when it is undone', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [
    await make(client, 'organization'),
    await make(client, 'organization', { city: 'Kiel', country: 'DE' }),
  ]
  const [moved, changed] = [
    await make(client, 'deal', { organization_id: other.id }),
    await make(client, 'deal', { organization_id: other.id }),
  ]
  const response = await merge(client, organizations, [survivor, other])
  await client.patch(`${organizations}/${survivor.id}`, { city: 'Bonn' })
  await client.patch(`/api-v1-deals/${changed.id}`, { organization_id: null })

  const { body } = await client.post('/api-v1-undo', { request_id: response.headers.get('x-request-id') })

  assert.deepEqual(
    body.data.kept.map(({ record_id }: JsonRecord) => record_id),
    [changed.id],
  )
  const { city, country } = (await client.get(`${organizations}/${survivor.id}`)).body.data
  assert.deepEqual([city, country], ['Bonn', null])
  assert.equal((await client.get(`/api-v1-deals/${moved.id}`)).body.data.organization_id, other.id)
  assert.equal((await client.get(`/api-v1-deals/${changed.id}`)).body.data.organization_id, null)
})

test('An undo of a merge can be undone', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact', { job_title: 'Boss' })]
  await addChildren(client, { contact_id: other.id })
  const response = await merge(client, contacts, [survivor, other])
  const after = await everything(client)

  const undone = await client.post('/api-v1-undo', { request_id: response.headers.get('x-request-id') })
  await undo(client, undone)

  const { trash, ...records } = await everything(client)
  assert.deepEqual({ ...records, trash: after.trash }, after)
  assert.deepEqual(
    trash.map(({ id }: JsonRecord) => id),
    [other.id],
  )
})

test('GET of a merged record is 404 with a link to the survivor, through all merges', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const [a, b, c] = [await make(client, 'contact'), await make(client, 'contact'), await make(client, 'contact')]
  const linkOf = async ({ id }: JsonRecord, by = client) => {
    const response = await by.get(`${contacts}/${id}`)
    assertError(response, 404, 'NOT_FOUND', 'Contact not found')
    return response.headers.get('link')
  }
  const to = ({ id }: JsonRecord) => `<${contacts}/${id}>; rel="canonical"`

  await merge(client, contacts, [b, a])
  assert.equal(await linkOf(a), to(b))
  const last = await merge(client, contacts, [c, b])
  assert.deepEqual([await linkOf(a), await linkOf(b)], [to(c), to(c)])
  assert.equal(await linkOf(a, await key({ environment: 'test' })), null)

  await client.delete(`${contacts}/${c.id}`)
  assert.deepEqual([await linkOf(a), await linkOf(c)], [null, null])
  await client.post(`/api-v1-trash/${c.id}/restore`, {})
  await undo(client, last)
  assert.equal(await linkOf(a), to(b))
})

test('A merge that comes back by undoing its undo links the merged record to the survivor, however often', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [a, b] = [await make(client, 'contact'), await make(client, 'contact', { job_title: 'Buyer' })]
  await client.patch(`${contacts}/${b.id}`, { job_title: 'Head' })
  let request_id = (await merge(client, contacts, [a, b])).headers.get('x-request-id')
  const linkAfterUndo = async () => {
    const undone = await client.post('/api-v1-undo', { request_id })
    request_id = undone.headers.get('x-request-id')
    const { status, headers } = await client.get(`${contacts}/${b.id}`)
    return [status, headers.get('link')]
  }
  const merged = [404, `<${contacts}/${a.id}>; rel="canonical"`]

  const seen = [await linkAfterUndo(), await linkAfterUndo(), await linkAfterUndo(), await linkAfterUndo()]

  assert.deepEqual(seen, [[200, null], merged, [200, null], merged])
})

test('A record that is restored after a merge can be merged the other way round', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [a, b] = [
    await make(client, 'contact', { emails: [{ email: 'a@kontor.example' }] }),
    await make(client, 'contact'),
  ]
  await merge(client, contacts, [b, a])
  await client.post(`/api-v1-trash/${a.id}/restore`, {})
  const restored = await client.get(`${contacts}/${a.id}`)
  assert.deepEqual(restored.body.data.contact_emails, a.contact_emails)

  await merge(client, contacts, [a, b])

  const gone = await client.get(`${contacts}/${b.id}`)
  assert.deepEqual([gone.status, gone.headers.get('link')], [404, `<${contacts}/${a.id}>; rel="canonical"`])
  assert.equal((await client.get(`${contacts}/${a.id}`)).body.data.contact_emails.length, 1)
})

test('The creation of an activity is still never undone, and its move is', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const note = await make(client, 'activity', { contact_id: other.id })
  await merge(client, contacts, [survivor, other])
  const { data } = (await client.get(`/api-v1-changes?record_id=${note.id}`)).body
  const [created, moved] = data

  const refused = await client.post('/api-v1-undo', { seq: created.seq, force: true })
  assert.equal(refused.body.data.errored[0].message, 'Activities are never changed or deleted')
  const impossible = await client.post('/api-v1-undo', { seq: moved.seq })
  assert.equal(impossible.body.data.errored[0].message, 'Contact is deleted: restore it first')
})

test('Undoing a merge whose loser was erased keeps the survivor as it is, with what had moved to it', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const force of [false, true]) {
    const survivor = await make(client, 'contact', { emails: [{ email: 'a@kontor.example' }] })
    const erased = await make(client, 'contact', {
      job_title: 'Buyer',
      metadata: { a: 1 },
      emails: [{ email: 'b@kontor.example' }],
    })
    const other = await make(client, 'contact', { last_name: 'Other' })
    const children = [
      await make(client, 'deal', { contact_id: erased.id }),
      await make(client, 'activity', { contact_id: other.id }),
    ]
    const merged = await merge(client, contacts, [survivor, erased, other])
    const { data } = (await client.get(`${contacts}/${survivor.id}`)).body
    await client.delete(`/api-v1-trash/${erased.id}`)
    const request_id = merged.headers.get('x-request-id')

    const foreseen = await client.post('/api-v1-undo', { request_id, force, dry_run: true })
    const undone = await client.post('/api-v1-undo', { request_id, force })

    const { reversed, kept, errored } = undone.body.data
    assert.deepEqual(foreseen.body.data, undone.body.data)
    assert.deepEqual(
      reversed.map(({ record_id }: JsonRecord) => record_id),
      [other.id],
    )
    assert.deepEqual(
      kept.map(({ record_id }: JsonRecord) => record_id).sort(),
      [survivor.id, erased.id, ...children.map(({ id }) => id)].sort(),
    )
    assert.deepEqual(errored, [])
    const ofSurvivor = kept.find(({ record_id }: JsonRecord) => record_id === survivor.id)
    assert.equal(ofSurvivor.message, 'A record of the merge has been erased')
    assert.ok(['job_title', 'metadata', 'emails'].every((name) => ofSurvivor.kept_fields.includes(name)))
    assert.deepEqual((await client.get(`${contacts}/${survivor.id}`)).body.data, data)
    assert.equal((await client.get(`/api-v1-deals/${children[0]!.id}`)).body.data.contact_id, survivor.id)
    assert.equal((await client.get(`${contacts}/${other.id}`)).status, 200)
  }
})
