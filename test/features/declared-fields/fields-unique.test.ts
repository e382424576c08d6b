import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../../support/client.ts'
import { addContact, declareField, fieldsPath, namesOf } from '../../support/fields.ts'
import { ended } from '../../support/imports.ts'
import type { JsonRecord } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const contactsPath = '/api-v1-contacts'
const taken = 'Contact with this metadata.tax already exists'

const post = (client: Client, tax: unknown) =>
  client.post(contactsPath, { first_name: 'New', last_name: 'Test', metadata: { tax } })

test('A unique value that is taken is refused, and the error names the record that holds it', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  const held = await addContact(client, 'a', { tax: 'DE 1' })
  const other = await addContact(client, 'b', { tax: 'DE 2' })

  const created = await post(client, 'de 1')
  const patched = await client.patch(`${contactsPath}/${other.id}`, { metadata: { tax: 'DE 1' } })
  const kept = await client.patch(`${contactsPath}/${held.id}`, { metadata: { tax: 'de 1', more: true } })

  assertError(created, 409, 'ALREADY_EXISTS', `${taken}: ${held.id}`, ['metadata.tax'])
  assertError(patched, 409, 'ALREADY_EXISTS', `${taken}: ${held.id}`)
  assert.equal(kept.status, 200)
  assert.deepEqual(await namesOf(client, 'sort=first_name'), ['a', 'b'])
  for (const value of [null, '', ' ', 5, 5, ['x'], ['x']]) assert.equal((await post(client, value)).status, 201)
})

test('A key that may not read records does not learn which one holds a unique value', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  await addContact(client, 'a', { tax: 'x' })

  const response = await post(await key({ scopes: ['write:contacts'] }), 'x')

  assertError(response, 409, 'ALREADY_EXISTS', taken)
})

test('Of 16 creates with the same unique value at the same time, one succeeds', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'number', { unique: true })

  const responses = await Promise.all(Array.from({ length: 16 }, () => post(client, 7)))

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(15).fill(409)])
  assert.deepEqual(await namesOf(client, 'metadata.tax=7'), ['New'])
})

test('A field does not become unique while records have the same value: the error has their ids', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const same = [await addContact(client, 'a', { tax: 'x' }), await addContact(client, 'b', { tax: 'X' })]
  for (let n = 0; n < 15; n++) for (let twice = 0; twice < 2; twice++) await addContact(client, 'c', { tax: `y${n}` })

  const declared = await client.post(fieldsPath, { resource: 'contact', key: 'tax', type: 'text', unique: true })
  const none = await client.get('/api-v1-contacts?metadata.tax=x')
  const { id } = await declareField(client, 'tax', 'text')
  const patched = await client.patch(`${fieldsPath}/${id}`, { unique: true })

  for (const response of [declared, patched]) {
    assertError(response, 409, 'CONFLICT')
    const ids = response.body.error.message.match(/[0-9a-f-]{36}/g)
    assert.deepEqual(
      ids.slice(0, 2),
      same.map((each: JsonRecord) => each.id),
    )
    assert.equal(ids.length, 20)
    assert.equal(response.body.error.details[0].field, 'metadata.tax')
  }
  assertError(none, 400, 'VALIDATION_ERROR')
  assert.equal((await post(client, 'x')).status, 201)
})

test('A field can be made unique once all its values differ, and can be made not unique again', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await declareField(client, 'tax', 'text')
  const [a] = [await addContact(client, 'a', { tax: 'x' }), await addContact(client, 'b', { tax: 'x' })]
  await client.delete(`${contactsPath}/${a.id}`)

  const unique = await client.patch(`${fieldsPath}/${id}`, { unique: true })
  const refused = await post(client, 'x')
  const restored = await client.post(`/api-v1-trash/${a.id}/restore`, {})
  await client.patch(`${fieldsPath}/${id}`, { unique: false })
  const accepted = await post(client, 'x')

  assert.deepEqual([unique.status, unique.body.data.unique], [200, true])
  assertError(refused, 409, 'ALREADY_EXISTS')
  assertError(restored, 409, 'CONFLICT', taken)
  assert.equal(accepted.status, 201)
})

test('An import reports the rows whose unique value is taken, without naming records, and imports the others', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  const rows = ['x', 'y', 'X', 'z'].map((tax) => ({ first_name: tax, last_name: 'Test', metadata: { tax } }))

  const { body } = await client.post('/api-v1-bulk/contacts', { records: rows })
  const job = await ended(client, `/api-v1-bulk/jobs/${body.data.job_id}`)

  assert.deepEqual([job.successful_records, job.failed_records], [3, 1])
  assert.deepEqual(job.errors, [{ row: 3, field: 'metadata.tax', error: taken }])
  assert.deepEqual(await namesOf(client, 'sort=metadata.tax'), ['x', 'y', 'z'])
})
