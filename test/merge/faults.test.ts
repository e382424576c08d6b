import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, everything, merge, organizations } from './merging.ts'

test('A body that is not a valid merge is refused with every fault', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [{ id }, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const others = Array.from({ length: 11 }, () => randomUUID())
  const [one] = others
  const cases: [JsonRecord, string[]][] = [
    [{}, ['with']],
    [{ with: null }, ['with']],
    [{ with: one }, ['with']],
    [{ with: [] }, ['with']],
    [{ with: others }, ['with']],
    [{ with: others.slice(1) }, others.slice(1).map((_, at) => `with[${at}]`)],
    [{ with: [1, 'x'] }, ['with[0]', 'with[1]']],
    [{ with: [id] }, ['with[0]']],
    [{ with: [id.toUpperCase()] }, ['with[0]']],
    [{ with: [one, one] }, ['with[1]']],
    [{ with: [one], prefer: 'oldest', dry_run: 1, dryrun: true }, ['dryrun', 'prefer', 'dry_run']],
    [{ with: [one], fields: [] }, ['fields']],
    [
      { with: [one], fields: { nick: 'x', id, created_at: 'x', emails: [] } },
      ['nick', 'id', 'created_at', 'emails'].map((name) => `fields.${name}`),
    ],
    [{ with: [one], fields: { first_name: null, is_primary: 'x' } }, ['fields.first_name', 'fields.is_primary']],
    [{ with: [other.id], fields: { organization_id: one } }, ['fields.organization_id']],
  ]
  for (const [body, fields] of cases) {
    assertError(await client.post(`${contacts}/${id}/merge`, body), 400, 'VALIDATION_ERROR', undefined, fields)
  }
})

test('Records that are unknown, deleted, of another resource or of another workspace are not found, and invalid in the body', async (t) => {
  const server = await start(t)
  const [{ client, key }, { client: stranger }] = [await server.company('Acme'), await server.company('Other')]
  const survivor = await make(client, 'contact')
  const deleted = await make(client, 'contact')
  await client.delete(`${contacts}/${deleted.id}`)
  const strange = [
    ...[randomUUID(), deleted.id, (await make(client, 'organization')).id, (await make(stranger, 'contact')).id],
    (await make(await key({ environment: 'test' }), 'contact')).id,
  ]
  for (const id of strange) {
    const asOther = await client.post(`${contacts}/${survivor.id}/merge`, { with: [id] })
    assertError(asOther, 400, 'VALIDATION_ERROR', 'Contact not found', ['with[0]'])
    assert.equal(asOther.body.error.details[0].code, 'NOT_FOUND')
    const asSurvivor = await client.post(`${contacts}/${id}/merge`, { with: [survivor.id] })
    assertError(asSurvivor, 404, 'NOT_FOUND', 'Contact not found')
  }
  const all = await client.post(`${contacts}/${strange[0]}/merge`, { with: [survivor.id, ...strange.slice(1)] })
  const named = strange.slice(1).map((_, at) => `with[${at + 1}]`)
  assertError(all, 400, 'VALIDATION_ERROR', 'Contact not found', named)
  assertError(await client.post(`${contacts}/x/merge`, { with: [survivor.id] }), 404, 'NOT_FOUND')
  assert.deepEqual((await client.get(`${contacts}/${survivor.id}`)).body.data, survivor)
})

test('Of sixteen identical merges at once, one succeeds', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  await make(client, 'deal', { contact_id: other.id })
  const request = () => client.post(`${contacts}/${survivor.id}/merge`, { with: [other.id] })

  const responses = await Promise.all(Array.from({ length: 16 }, request))

  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array.from({ length: 15 }, () => 400)])
  const { body } = await client.get('/api-v1-changes?types=contact.merged')
  assert.equal(body.data.length, 1)
})

test('Two records that are merged into each other at once leave one', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [a, b] = [await make(client, 'contact'), await make(client, 'contact')]
  const into = (one: JsonRecord, other: JsonRecord) => client.post(`${contacts}/${one.id}/merge`, { with: [other.id] })

  const responses = await Promise.all([into(a, b), into(b, a)])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 404])
  assert.equal((await client.get(contacts)).body.pagination.total, 1)
})

test('A merge repeated with the same Idempotency-Key returns the first response', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const send = () =>
    client.post(`${contacts}/${survivor.id}/merge`, { with: [other.id] }, { 'Idempotency-Key': 'once' })

  const [first, again] = [await send(), await send()]

  assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body])
})

test('A merge with a stale If-Match is refused, and one with the current tag is not', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const path = `${contacts}/${survivor.id}`
  const stale = (await client.get(path)).headers.get('etag')!
  await client.patch(path, { job_title: 'Boss' })
  const send = (tag: string) => client.post(`${path}/merge`, { with: [other.id] }, { 'If-Match': tag })

  assertError(await send(stale), 412, 'CONFLICT')
  assert.equal((await send((await client.get(path)).headers.get('etag')!)).status, 200)
})

test('A merge needs the write scopes of the record and of what moves', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  await make(client, 'deal', { contact_id: other.id })
  await make(client, 'task', { contact_id: other.id })
  const before = await everything(client)
  const send = async (...scopes: string[]) =>
    (await key({ scopes })).post(`${contacts}/${survivor.id}/merge`, { with: [other.id] })

  for (const scopes of [
    ['read:all', 'write:deals', 'write:tasks'],
    ['read:all', 'write:contacts', 'write:tasks'],
    ['read:all', 'write:contacts', 'write:deals'],
  ]) {
    assertError(await send(...scopes), 403, 'INSUFFICIENT_PERMISSIONS')
  }
  assert.deepEqual(await everything(client), before)

  const { status, body } = await send('write:contacts', 'write:deals', 'write:tasks')
  assert.deepEqual([status, body.moved.deals, body.moved.tasks], [200, 1, 1])
})

test('A merge and its dry run need the write scope of the deals that the merged person is on, also as a further one', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const [survivor, other] = [await make(client, 'contact'), await make(client, 'contact')]
  const deal = await make(client, 'deal')
  await client.put(`/api-v1-deals/${deal.id}/contacts/${other.id}`, { role: 'Buyer' })
  const own = await key({ scopes: ['write:contacts'] })
  const send = (dry_run: boolean) => own.post(`${contacts}/${survivor.id}/merge`, { with: [other.id], dry_run })

  for (const response of [await send(true), await send(false)]) {
    assertError(response, 403, 'INSUFFICIENT_PERMISSIONS', 'Insufficient permissions. Required scope: write:deals')
  }
})

test('A merged record must not have more items or longer metadata than others', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const emails = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ email: `a${from + n}@kontor.example` }))
  const metadata = (key: string) => ({ [key]: 'x'.repeat(40_000) })
  const [a, b, e] = [
    await make(client, 'contact', { emails: emails(0, 60) }),
    await make(client, 'contact', { emails: emails(60, 41) }),
    await make(client, 'contact', { emails: emails(60, 40) }),
  ]
  const [c, d] = [
    await make(client, 'contact', { metadata: metadata('c') }),
    await make(client, 'contact', { metadata: metadata('d') }),
  ]

  assertError(await client.post(`${contacts}/${a.id}/merge`, { with: [b.id] }), 409, 'CONFLICT')
  assert.equal((await merge(client, contacts, [a, e])).body.data.contact_emails.length, 100)
  assertError(await client.post(`${contacts}/${c.id}/merge`, { with: [d.id] }), 409, 'CONFLICT')
  await merge(client, contacts, [c, d], { fields: { metadata: {} } })
})

test('A merge into an organization is no merge into a contact', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [a, b] = [await make(client, 'organization'), await make(client, 'organization')]
  const { id } = await make(client, 'contact')
  assertError(await client.post(`${contacts}/${a.id}/merge`, { with: [id] }), 404, 'NOT_FOUND')
  assertError(await client.post(`${contacts}/${id}/merge`, { with: [b.id] }), 400, 'VALIDATION_ERROR')
  assertError(await client.post(`/api-v1-deals/${a.id}/merge`, { with: [b.id] }), 404, 'NOT_FOUND')
  assert.equal((await merge(client, organizations, [a, b])).status, 200)
})
