import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError, type Client } from '../../support/client.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { addContact, declareField, fieldsPath } from '../../support/fields.ts'
import { runBatch } from '../../support/imports.ts'
import type { JsonRecord } from '../../support/make.ts'
import { until } from '../../support/wait.ts'
import { filled, many } from './many-contacts.ts'

const contactsPath = '/api-v1-contacts'
const tax = { resource: 'contact', key: 'n', type: 'number', unique: true }

/** A server with many contacts, whose fields are indexed by `index`. */
async function indexing(t: TestContext) {
  const { server, client, workspaceId, stale } = await filled(t, temporaryDirectory(t), 'nowhere')
  const step = () => runBatch(server.store, workspaceId)
  const index = async () => {
    for (let turn = await step(); turn !== 'idle'; turn = await step());
  }
  /** Resolves when the field is declared. */
  const declared = () =>
    until('the field is declared', async () => (await client.get(fieldsPath)).body.data, {
      is: ({ length }) => length > 0,
    })
  return { server, client, step, index, declared, stale }
}

const holding = async (client: Client, n: number): Promise<string[]> => {
  const { body } = await client.get(`${contactsPath}?first_name=c${n}`)
  return body.data.map(({ id }: JsonRecord) => id)
}

test('A unique field over many records is declared by one request, which is answered when every value is known', async (t) => {
  const { client, step, index, declared, stale } = await indexing(t)
  const asked = client.post(fieldsPath, tax)
  await declared()
  await step()
  const during = (await client.get(fieldsPath)).body.data[0]
  await addContact(client, 'new', { n: -1 })
  await index()
  const response = await asked

  assert.equal(during.unique, false)
  assert.deepEqual([response.status, response.body.data.unique], [201, true])
  assert.equal(response.headers.get('location'), `${fieldsPath}/${during.id}`)
  assert.deepEqual((await client.get(`${fieldsPath}/${during.id}`)).body, response.body)
  for (const n of [-1, 0, many - 1]) {
    const taken = await client.post(contactsPath, { first_name: 'x', last_name: 'y', metadata: { n } })
    assertError(taken, 409, 'ALREADY_EXISTS')
  }
  assert.deepEqual(stale(), [])
})

test('A duplicate that is written while a unique field is being indexed refuses the field, which then does not exist', async (t) => {
  const { client, step, index, declared } = await indexing(t)
  const key = { 'Idempotency-Key': 'declare-n' }
  const asked = client.post(fieldsPath, tax, key)
  await declared()
  await step()
  const last = await addContact(client, 'late', { n: many - 1 })
  const first = await addContact(client, 'early', { n: 0 })
  await index()
  const refused = await asked
  await index()
  const fields = (await client.get(fieldsPath)).body.data
  const trash = (await client.get('/api-v1-trash?type=field')).body.data
  const filter = await client.get(`${contactsPath}?metadata.n=0`)
  for (const { id } of [last, first]) await client.delete(`${contactsPath}/${id}`)
  const again = client.post(fieldsPath, tax, key)
  await declared()
  await index()
  const accepted = await again
  const repeated = await client.post(fieldsPath, tax, key)

  assertError(refused, 409, 'CONFLICT', undefined, ['metadata.n', 'metadata.n'])
  const named = refused.body.error.message.match(/[0-9a-f-]{36}/g).sort()
  assert.deepEqual(
    named,
    [...(await holding(client, 0)), first.id, ...(await holding(client, many - 1)), last.id].sort(),
  )
  assert.deepEqual([fields, trash], [[], []])
  assertError(filter, 400, 'VALIDATION_ERROR')
  assert.deepEqual([accepted.status, accepted.body.data.unique], [201, true])
  assert.deepEqual([repeated.status, repeated.body], [201, accepted.body])
  assertError(await client.post(`/api-v1-trash/${last.id}/restore`, {}), 409, 'ALREADY_EXISTS')
})

test('A field that is being indexed becomes unique by one patch, and the error says how many records it does not name', async (t) => {
  const { client, index } = await indexing(t)
  const { id } = await declareField(client, 'n', 'number')
  const half = await declareField(client, 'half', 'boolean')
  const asked = [id, half.id].map((each) => client.patch(`${fieldsPath}/${each}`, { unique: true }))
  await client.get(contactsPath)
  await index()
  const [accepted, refused] = await Promise.all(asked)

  assert.deepEqual([accepted!.status, accepted!.body.data.unique], [200, true])
  assertError(refused!, 409, 'CONFLICT')
  assert.match(refused!.body.error.message, new RegExp(` and ${many - 20} more$`))
  assert.equal((await client.get(`${fieldsPath}/${half.id}`)).body.data.unique, false)
})

test('A server that stops meanwhile answers with 503, which says that the field is declared', async (t) => {
  const { server, client, step, declared } = await indexing(t)
  const asked = client.post(fieldsPath, tax)
  await declared()
  await step()
  const [response] = await Promise.all([asked, server.stop()])

  const message = 'The field is declared and being indexed: make it unique when it is'
  assertError(response, 503, 'SERVICE_UNAVAILABLE', message)
})

test('A unique field over many records is restored when every value is known, and stays deleted, and unique, if one is taken; an undo says so', async (t) => {
  const { client, index, declared, stale } = await indexing(t)
  const made = client.post(fieldsPath, tax)
  await declared()
  await index()
  const { id } = (await made).body.data
  const restored = async () => {
    const asked = client.post(`/api-v1-trash/${id}/restore`, {})
    await declared()
    await index()
    return asked
  }
  await client.delete(`${fieldsPath}/${id}`)
  const whole = await restored()
  const taken = await client.post(contactsPath, { first_name: 'x', last_name: 'y', metadata: { n: 7 } })
  const deleted = await client.delete(`${fieldsPath}/${id}`)
  const undo = { request_id: deleted.headers.get('x-request-id') }
  const [foreseen] = (await client.post('/api-v1-undo', { ...undo, dry_run: true })).body.data.errored
  const [kept] = (await client.post('/api-v1-undo', undo)).body.data.errored
  const late = await addContact(client, 'late', { n: many - 1 })
  const refused = await restored()
  const missing = await client.get(`${fieldsPath}/${id}`)
  await client.delete(`${contactsPath}/${late.id}`)
  const again = await restored()

  assert.deepEqual([whole.status, whole.body.data.unique], [200, true])
  assertError(taken, 409, 'ALREADY_EXISTS')
  const advice = 'restore the field from the trash, which waits until it is indexed'
  assert.deepEqual(foreseen, kept)
  assert.deepEqual([kept.code, kept.message], ['CONFLICT', `There are more than 1500 contacts: ${advice}`])
  assertError(refused, 409, 'CONFLICT', undefined, ['metadata.n'])
  assertError(missing, 404, 'NOT_FOUND')
  assert.deepEqual([again.status, again.body.data.unique], [200, true])
  assert.deepEqual(stale(), [])
})
