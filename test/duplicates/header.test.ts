import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWorkspaceIds } from '../../src/access/company.ts'
import { contact } from '../../src/crm/contact.ts'
import { lookupDuplicate } from '../../src/engine/finding/duplicates/existing.ts'
import type { DuplicateReason } from '../../src/engine/records/definition/options.ts'
import type { Input } from '../../src/engine/records/rows/validate.ts'
import { contacts, organizations } from '../merge/merging.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

const header = 'Kontor-Duplicate-Of'
const ada = { first_name: 'Ada', emails: [{ email: 'new@kontor.example' }, { email: 'ADA@kontor.example' }] }

test('A create names a record that has the same email or domain', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const contact = await make(client, 'contact', { emails: [{ email: 'ada@kontor.example' }] })
  const organization = await make(client, 'organization', { domain: 'kontor.example' })

  const [person, company, other] = [
    await client.post(contacts, ada),
    await client.post(organizations, { name: 'X', domain: 'KONTOR.example' }),
    await client.post(organizations, { name: organization.name, domain: 'other.example' }),
  ]

  assert.deepEqual([person.status, person.headers.get(header)], [201, contact.id])
  assert.deepEqual([company.status, company.headers.get(header)], [201, organization.id])
  assert.deepEqual([other.status, other.headers.get(header)], [201, null])
})

test('A deleted record, one of another workspace and one that the key may not read are not named', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const contact = await make(client, 'contact', { emails: [{ email: 'ada@kontor.example' }] })
  const blind = await key({ scopes: ['write:contacts'] })
  const tests = await key({ environment: 'test' })

  for (const each of [blind, tests]) assert.equal((await each.post(contacts, ada)).headers.get(header), null)

  for (const { id } of (await client.get(contacts)).body.data) await client.delete(`${contacts}/${id}`)
  assert.equal((await client.get(`${contacts}/${contact.id}`)).status, 404)
  assert.equal((await client.post(contacts, ada)).headers.get(header), null)
})

test('A repeated create with the same Idempotency-Key names the same record', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const contact = await make(client, 'contact', { emails: [{ email: 'ada@kontor.example' }] })
  const once = { 'Idempotency-Key': 'once' }

  const first = await client.post(contacts, ada, once)
  await client.delete(`${contacts}/${contact.id}`)
  const again = await client.post(contacts, ada, once)

  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get(header)),
    [contact.id, contact.id],
  )
})

test('Whichever reasons for duplicates come first, a create is compared by one that a single value has', async (t) => {
  const { store, company } = await start(t)
  const { client } = await company('Acme')
  const ada = await make(client, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@kontor.example' }] })
  const reader = store.workspace(listWorkspaceIds(store.access)[0]!)
  const names: DuplicateReason = { by: 'name', fields: ['first_name', 'last_name'], within: 'organization_id' }
  const input = {
    values: { first_name: 'Ada' },
    items: { emails: [{ email: 'ada@kontor.example' }] },
  } as unknown as Input
  const found = (...duplicates: DuplicateReason[]) => lookupDuplicate({ ...contact, duplicates }, reader, input)

  assert.equal(found(names, { by: 'email' }), ada.id)
  assert.equal(found(names), undefined)
})
