import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, merge, organizations } from './merging.ts'

test('The survivor keeps its values and fills its empty fields, in the order of the others', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const survivor = await make(client, 'organization', { name: 'Acme', city: 'Kiel' })
  const first = await make(client, 'organization', { name: 'B', city: 'Bonn', country: 'DE', status: 'active' })
  const second = await make(client, 'organization', { name: 'C', country: 'AT', domain: 'acme.example' })

  const { body, headers } = await merge(client, organizations, [survivor, first, second])

  const { name, city, country, domain, status } = body.data
  assert.deepEqual([name, city, country, domain, status], ['Acme', 'Kiel', 'DE', 'acme.example', 'lead'])
  assert.deepEqual(body.merged, [first.id, second.id])
  const got = await client.get(`${organizations}/${survivor.id}`)
  assert.deepEqual([got.body.data, got.headers.get('etag')], [body.data, headers.get('etag')])
})

test('With prefer newest, each value is that of the record updated last that has one', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const add = async (body: JsonRecord) => {
    server.clock.advance(1_000)
    return make(client, 'organization', body)
  }
  const newest = await add({ name: 'Old', city: 'Kiel', status: 'active' })
  const survivor = await add({ name: 'Acme', city: 'Ulm', country: 'DE', domain: 'acme.example' })
  const middle = await add({ name: 'Middle', country: 'AT', postal_code: '1010' })
  server.clock.advance(1_000)
  await client.patch(`${organizations}/${newest.id}`, { name: 'New' })

  const { body } = await merge(client, organizations, [survivor, newest, middle], { prefer: 'newest' })

  const { id, name, city, country, domain, postal_code, status } = body.data
  assert.deepEqual([id, name, city, country], [survivor.id, 'New', 'Kiel', 'AT'])
  assert.deepEqual([domain, postal_code, status], ['acme.example', '1010', 'active'])
})

test('Metadata are merged by key: an empty value counts as none', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const survivor = await make(client, 'organization', { metadata: { own: 1, empty: '', gone: null, no: false } })
  const other = await make(client, 'organization', { metadata: { own: 2, empty: 'x', gone: [1], no: true, more: {} } })

  const { body } = await merge(client, organizations, [survivor, other])

  assert.deepEqual(body.data.metadata, { own: 1, empty: 'x', gone: [1], no: false, more: {} })
})

test('Given fields override every record, and null clears one', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const survivor = await make(client, 'organization', { name: 'Acme', city: 'Kiel', metadata: { a: 1 } })
  const other = await make(client, 'organization', { name: 'Other', country: 'DE', metadata: { b: 2 } })

  const fields = { name: 'Both', city: null, metadata: { c: 3 } }
  const { body } = await merge(client, organizations, [survivor, other], { fields })

  const { name, city, country, metadata } = body.data
  assert.deepEqual([name, city, country, metadata], ['Both', null, 'DE', { c: 3 }])
})

test('A reference to a deleted record counts as empty', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const [gone, there] = [await make(client, 'organization'), await make(client, 'organization', { name: 'B' })]
  const survivor = await make(client, 'contact', { organization_id: gone.id })
  const other = await make(client, 'contact', { organization_id: there.id })
  await client.delete(`${organizations}/${gone.id}`)

  const { body } = await merge(client, contacts, [survivor, other])

  assert.equal(body.data.organization.id, there.id)
})

test('Emails and phones move unless the survivor has them in another notation, and one of each stays primary', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const survivor = await make(client, 'contact', {
    emails: [{ email: 'ada@kontor.example' }, { email: 'b@kontor.example', is_primary: true }],
  })
  const other = await make(client, 'contact', {
    emails: [{ email: 'ADA@kontor.example' }, { email: 'c@kontor.example', type: 'home' }],
    phones: [{ phone_number: '1' }, { phone_number: '+49 89 2', is_primary: true }],
  })
  const third = await make(client, 'contact', { phones: [{ phone_number: '0049892' }, { phone_number: '3' }] })

  const { body } = await merge(client, contacts, [survivor, other, third])

  const emails = body.data.contact_emails.map((each: JsonRecord) => [each.email, each.type, each.is_primary])
  assert.deepEqual(emails, [
    ['ada@kontor.example', 'work', false],
    ['b@kontor.example', 'work', true],
    ['c@kontor.example', 'home', false],
  ])
  assert.deepEqual(body.data.contact_emails.slice(0, 2), survivor.contact_emails)
  const phones = body.data.contact_phones.map((each: JsonRecord) => [each.phone_number, each.is_primary])
  assert.deepEqual(phones, [
    ['1', false],
    ['+49 89 2', true],
    ['3', false],
  ])
  assert.deepEqual([body.moved.emails, body.moved.phones], [1, 3])
})

test('With prefer newest, the primary email is that of the record updated last', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const survivor = await make(client, 'contact', { emails: [{ email: 'a@kontor.example' }] })
  server.clock.advance(1_000)
  const other = await make(client, 'contact', { emails: [{ email: 'b@kontor.example' }] })

  const { body } = await merge(client, contacts, [survivor, other], { prefer: 'newest' })

  const emails = body.data.contact_emails.map((each: JsonRecord) => [each.email, each.is_primary])
  assert.deepEqual(emails, [
    ['a@kontor.example', false],
    ['b@kontor.example', true],
  ])
})

test('A merge takes the primary contact of an organization from nobody, unless the fields say so', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id: organization_id } = await make(client, 'organization')
  const boss = await make(client, 'contact', { organization_id, is_primary: true })
  const survivor = await make(client, 'contact', { is_primary: true })
  const other = await make(client, 'contact', { organization_id })
  const primary = async ({ id }: JsonRecord) => (await client.get(`${contacts}/${id}`)).body.data.is_primary

  const { body } = await merge(client, contacts, [survivor, other])
  assert.deepEqual(
    [body.data.organization_id, body.data.is_primary, await primary(boss)],
    [organization_id, false, true],
  )

  const third = await make(client, 'contact')
  await merge(client, contacts, [survivor, third], { fields: { is_primary: true } })
  assert.deepEqual([await primary(survivor), await primary(boss)], [true, false])
})

test('With prefer newest, an organization keeps its primary contact, and a flag counts once it was set', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const { id: organization_id } = await make(client, 'organization')
  const boss = { organization_id, is_primary: true, consent_to_record: true }
  const newest = { prefer: 'newest' }
  const flagsOf = ({ body }: ApiResponse) => [body.data.is_primary, body.data.consent_to_record]

  const survivor = await make(client, 'contact', boss)
  server.clock.advance(1_000)
  const never = await make(client, 'contact', { organization_id })
  const kept = await merge(client, contacts, [survivor, never], newest)

  server.clock.advance(1_000)
  const withdrawn = await make(client, 'contact', { organization_id, consent_to_record: true })
  await client.patch(`${contacts}/${withdrawn.id}`, { consent_to_record: false })
  const withdrawal = await merge(client, contacts, [survivor, withdrawn], newest)

  const other = await make(client, 'contact', { organization_id, is_primary: true }) // takes it from the survivor
  server.clock.advance(1_000)
  await client.patch(`${contacts}/${survivor.id}`, { job_title: 'Chair' })
  const taken = await merge(client, contacts, [survivor, other], newest)

  assert.deepEqual(flagsOf(kept), [true, true])
  assert.deepEqual(flagsOf(withdrawal), [true, false])
  assert.deepEqual(flagsOf(taken), [true, false])
})

test('The survivor gets a unique value of the others, which they no longer hold', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await client.post('/api-v1-fields', { resource: 'contact', key: 'number', type: 'text', unique: true })
  const survivor = await make(client, 'contact')
  const other = await make(client, 'contact', { metadata: { number: 'A-1' } })

  const { body } = await merge(client, contacts, [survivor, other])

  assert.equal(body.data.metadata.number, 'A-1')
  const again = await client.post(contacts, { first_name: 'X', metadata: { number: 'A-1' } })
  assert.equal(again.status, 409)
})
