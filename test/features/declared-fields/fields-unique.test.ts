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

  const created = await post(client, ' DE 1\u00a0')
  const patched = await client.patch(`${contactsPath}/${other.id}`, { metadata: { tax: 'DE 1' } })
  const kept = await client.patch(`${contactsPath}/${held.id}`, { metadata: { tax: ' DE 1', more: true } })

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
  const same = [await addContact(client, 'a', { tax: 'x' }), await addContact(client, 'b', { tax: ' x' })]
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
  assertError(restored, 409, 'ALREADY_EXISTS')
  assert.equal(accepted.status, 201)
})

test('An import reports the rows whose unique value is taken, and imports the others', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  const rows = ['x', 'y', ' x', 'z'].map((tax) => ({ first_name: tax, last_name: 'Test', metadata: { tax } }))

  const { body } = await client.post('/api-v1-bulk/contacts', { records: rows })
  const job = await ended(client, `/api-v1-bulk/jobs/${body.data.job_id}`)

  assert.deepEqual([job.successful_records, job.failed_records], [3, 1])
  const { data } = (await client.get(`${contactsPath}?metadata.tax=x`)).body
  assert.deepEqual(job.errors, [
    { row: 3, field: 'metadata.tax', error: `${taken}: ${data[0].id}`, code: 'INVALID_VALUE' },
  ])
  assert.deepEqual(await namesOf(client, 'sort=metadata.tax'), ['x', 'y', 'z'])
})

/** Values that `eq` finds with one another, and one that it does not. */
const equal: Record<string, readonly [same: readonly string[], other: string]> = {
  text: [['0015g00000AbCdE', ' 0015g00000AbCdE', '0015g00000AbCdE\t'], '0015g00000ABCDE'],
  url: [['https://x.example/Ab', ' https://x.example/Ab '], 'https://x.example/ab'],
  email: [['Ada@x.example', 'ADA@X.EXAMPLE', ' ada@x.example'], 'adä@x.example'.replace('ä', 'a1')],
  phone: [['+49 89 123', '0049-89-123', '4989123', ' +49 (0)89 123'], '089 123'],
}

for (const [type, [same, other]] of Object.entries(equal)) {
  test(`Unique values of the type ${type} are those that its filter tells apart, in creates, upserts and bulk rows`, async (t) => {
    const { client } = await (await start(t)).company('Acme')
    await declareField(client, 'tax', type, { unique: true })
    const [first] = same
    const held = await addContact(client, 'held', { tax: first })

    for (const value of same) {
      assertError(await post(client, value), 409, 'ALREADY_EXISTS', `${taken}: ${held.id}`)
      assert.deepEqual(await namesOf(client, `metadata.tax=${encodeURIComponent(value.trim())}`), ['held'])
      const body = { first_name: 'held', metadata: { tax: value } }
      const matched = await client.put(`${contactsPath}?match_on=metadata.tax`, body)
      assert.deepEqual([matched.status, matched.body.data.id], [200, held.id])
      const { body: submitted } = await client.post('/api-v1-bulk/contacts', {
        match_on: 'metadata.tax',
        records: [body],
      })
      const job = await ended(client, `/api-v1-bulk/jobs/${submitted.data.job_id}`)
      assert.deepEqual([job.created_records, job.failed_records], [0, 0])
    }
    assert.deepEqual(await namesOf(client, `metadata.tax=${encodeURIComponent(other)}`), [])
    const put = await client.put(`${contactsPath}?match_on=metadata.tax`, {
      first_name: 'other',
      metadata: { tax: other },
    })
    assert.equal(put.headers.get('kontor-outcome'), 'created')
    assert.equal((await client.patch(`${contactsPath}/${held.id}`, { metadata: { tax: same.at(-1) } })).status, 200)
    assertError(await client.patch(`${contactsPath}/${held.id}`, { metadata: { tax: other } }), 409, 'ALREADY_EXISTS')
  })

  test(`A field of the type ${type} becomes unique unless its filter finds several records with a value`, async (t) => {
    const { client } = await (await start(t)).company('Acme')
    const { id } = await declareField(client, 'tax', type)
    await addContact(client, 'a', { tax: same[0] })
    await addContact(client, 'b', { tax: other })
    assert.equal((await client.patch(`${fieldsPath}/${id}`, { unique: true })).status, 200)
    await client.patch(`${fieldsPath}/${id}`, { unique: false })
    await addContact(client, 'c', { tax: same.at(-1) })

    assertError(await client.patch(`${fieldsPath}/${id}`, { unique: true }), 409, 'CONFLICT')
  })
}

test('Create, update, upsert, bulk rows, restore and undo say alike that a unique value is taken, and who has it', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  await declareField(client, 'vat', 'text', { unique: true })
  const gone = await addContact(client, 'gone', { tax: 'x' })
  await client.delete(`${contactsPath}/${gone.id}`)
  const changed = await addContact(client, 'changed', { tax: 'y', vat: '1' })
  const patch = await client.patch(`${contactsPath}/${changed.id}`, { metadata: { vat: '1' } })
  const [holder, other] = [
    await addContact(client, 'holder', { tax: 'x' }),
    await addContact(client, 'other', { tax: 'y' }),
  ]
  const [blind, reader] = [
    await key({ scopes: ['write:contacts'] }),
    await key({ scopes: ['write:contacts', 'read:contacts'] }),
  ]
  const request = (response: { headers: Headers }) => response.headers.get('x-request-id')
  const deletion = (await client.get(`${contactsPath}/${gone.id}/history`)).body.data[0].seq
  const messages = async (by: Client) => {
    const upserted = { first_name: 'N', metadata: { tax: 'x', vat: '1' } }
    const bulk = (await by.post('/api-v1-bulk/contacts', { records: [upserted] })).body.data.job_id
    const undone = await by.post('/api-v1-undo', { seq: deletion })
    const foreseen = await by.post('/api-v1-undo', { seq: deletion, dry_run: true })
    const updated = await by.post('/api-v1-undo', { request_id: request(patch), dry_run: true })
    const updating = await by.post('/api-v1-undo', { request_id: request(patch) })
    for (const { body } of [undone, foreseen, updated, updating])
      assert.equal(body.data.errored[0].code, 'ALREADY_EXISTS')
    const refused = [
      await by.post(contactsPath, upserted),
      await by.patch(`${contactsPath}/${changed.id}`, { metadata: { tax: 'x' } }),
      await by.put(`${contactsPath}?match_on=metadata.vat`, { first_name: 'N', metadata: { tax: 'x', vat: '2' } }),
      await by.post(`/api-v1-trash/${gone.id}/restore`, {}),
    ]
    for (const response of refused) {
      assertError(response, 409, 'ALREADY_EXISTS', undefined, ['metadata.tax'])
      assert.equal(response.body.error.details[0].message, response.body.error.message)
    }
    return {
      x: [
        ...refused.map(({ body }) => body.error.message),
        (await ended(by, `/api-v1-bulk/jobs/${bulk}`)).errors[0].error,
        ...[undone, foreseen].map(({ body }) => body.data.errored[0].message),
      ],
      y: [updated, updating].map(({ body }) => body.data.errored[0].message),
    }
  }

  const [named, unnamed] = [await messages(reader), await messages(blind)]

  assert.deepEqual([...new Set(named.x)], [`${taken}: ${holder.id}`])
  assert.deepEqual([...new Set(named.y)], [`${taken}: ${other.id}`])
  assert.deepEqual([...new Set([...unnamed.x, ...unnamed.y])], [taken])
})

test('Records whose values an older version told apart can still be changed, and nobody else gets the value', async (t) => {
  const { company, store } = await start(t)
  const { client } = await company('Acme')
  await declareField(client, 'tax', 'text', { unique: true })
  await addContact(client, 'a', { tax: 'x' })
  const other = await addContact(client, 'b', { tax: 'y' })
  await store.writeAccess((tx) => {
    tx.run(`UPDATE contact SET metadata = '{"tax":"x"}' WHERE id = ?`, other.id)
    tx.run(`UPDATE field_value SET key = 'x', text = replace(text, 'y', 'x') WHERE record_id = ?`, other.id)
  })

  const changed = await client.patch(`${contactsPath}/${other.id}`, { metadata: { tax: 'x', note: 'n' } })
  const created = await post(client, 'x')

  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assertError(created, 409, 'ALREADY_EXISTS')
})
