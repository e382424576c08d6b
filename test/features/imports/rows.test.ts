import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { contacts, ended, importAll, runBatches, submit, totalOf } from '../../support/imports.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
const json = { 'Content-Type': 'application/json' }

/** Bodies that a single create rejects, and some that it accepts. */
const bodies: Record<string, Record<string, unknown>[]> = {
  contacts: [
    {},
    { first_name: null },
    { first_name: ' ' },
    { first_name: 5, last_name: true, job_title: [] },
    { first_name: 'x'.repeat(501) },
    { first_name: 'Grace', metadata: 'text' },
    { first_name: 'Grace', metadata: { notes: 'x'.repeat(1_000_000) } },
    { first_name: 'Grace', organization_id: 'no-uuid' },
    { first_name: 'Grace', organization_id: unknownId },
    { first_name: '', organization_id: unknownId, emails: [{ email: 'a' }] },
    { first_name: 'Grace', emails: {} },
    { first_name: 'Grace', emails: [null, 'a', { email: 'grace@' }, {}] },
    { first_name: 'Grace', emails: [{ email: 'ada@x.example' }, { email: 'ADA@x.example' }] },
    { first_name: 'Grace', phones: [{ phone_number: '' }, { phone_number: '+491', is_primary: 'yes' }] },
    { first_name: 'Grace', consent_to_record: 1 },
    { first_name: 'Grace', phones: null, emails: [], unknown: { deep: [1] } },
    { first_name: ' Grace ', emails: [{ email: 'a@x.example' }, { email: 'b@x.example', is_primary: true }] },
  ],
  organizations: [
    {},
    { name: null, status: 'won' },
    { name: 'Acme', status: 'won', city: 3 },
    { name: 'Acme', domain: 'a\0b' },
    { name: 'Acme', metadata: [] },
    { name: ' Acme ', status: null, city: '' },
    { name: 'Acme', status: 'active', organization_type: 'retail', metadata: { a: [1, null] } },
  ],
}

/** The errors of a single create with this body, in the form of a job's errors. */
async function single(client: Client, what: string, body: unknown, row: number) {
  const response = await client.post(`/api-v1-${what}`, body)
  const details: { field: string; message: string; code: string }[] =
    response.status === 201 ? [] : response.body.error.details
  return details.map(({ field, message, code }) => ({ row, field, error: message, code }))
}

for (const [what, records] of Object.entries(bodies)) {
  test(`An imported record with ${what} gets the same messages for the same fields as a single create`, async (t) => {
    const server = await start(t)
    const [{ client: importer }, { client: creator }] = [await server.company('Acme'), await server.company('Other')]
    const expected = await Promise.all(records.map((body, index) => single(creator, what, body, index + 1)))

    const job = await importAll(importer, what, records)

    assert.deepEqual(job.errors, expected.flat())
    const failed = expected.filter((errors) => errors.length > 0).length
    assert.deepEqual([job.status, job.failed_records], ['completed', failed])
    assert.equal(job.successful_records, records.length - failed)
    const strip = async (client: Client) => {
      const { body } = await client.get(
        `/api-v1-${what}?include=${what === 'contacts' ? 'emails,phones' : ''}`.replace(/\?include=$/, ''),
      )
      return JSON.parse(JSON.stringify(body.data, (key, value) => (/^(id|\w+_at)$/.test(key) ? undefined : value)))
    }
    assert.deepEqual(await strip(importer), await strip(creator))
  })
}

test('A record that is not an object fails, and its neighbours are imported', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  const job = await importAll(client, 'contacts', [null, 5, 'Grace', [{ first_name: 'Grace' }], ...contacts(1), true])

  const error = 'Record must be an object'
  assert.deepEqual(
    job.errors,
    [1, 2, 3, 4, 6].map((row) => ({ row, error, code: 'INVALID_TYPE' })),
  )
  assert.deepEqual([job.successful_records, job.failed_records, job.progress_percent], [1, 5, 100])
})

test('Numbers that JSON cannot represent get the same message as in a single create', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const records = [
    '{"first_name":"Grace","last_name":1e400}',
    '{"first_name":"Grace","metadata":{"a":[null,-1e400]}}',
    '{"first_name":"Infinity","unknown":1e400}',
  ]

  const body = `{"records":[${records.join(',')}]}`
  const response = await client.request('POST', '/api-v1-bulk/contacts', { body, headers: json })
  const job = await ended(client, response.headers.get('location')!)

  const nested = 'Metadata must be nested at most 32 levels deep and contain only finite numbers'
  assert.deepEqual(job.errors, [
    { row: 1, field: 'last_name', error: 'Last name must be a string', code: 'INVALID_TYPE' },
    { row: 2, field: 'metadata', error: nested, code: 'OUT_OF_RANGE' },
  ])
  assert.equal((await client.get('/api-v1-contacts')).body.data[0].first_name, 'Infinity')
})

test('A number in metadata that cannot be stored exactly fails its row, and no other', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const records = [
    '{"first_name":"Ada","metadata":{"n":9007199254740991}}',
    '{"first_name":"Grace","metadata":{"list":[1,{"n":9007199254740993}]}}',
    '{"first_name":"Otto","metadata":{"n":"9007199254740993"}}',
  ]

  const body = `{"records":[${records.join(',')}]}`
  const response = await client.request('POST', '/api-v1-bulk/contacts', { body, headers: json })
  const job = await ended(client, response.headers.get('location')!)

  const error = 'Metadata contains the number "9007199254740993", which cannot be stored exactly: send it as a string'
  assert.deepEqual(job.errors, [{ row: 2, field: 'metadata', error, code: 'OUT_OF_RANGE' }])
  const { data } = (await client.get('/api-v1-contacts?sort=first_name')).body
  assert.deepEqual(
    data.map(({ metadata }: { metadata: unknown }) => metadata),
    [{ n: 9007199254740991 }, { n: '9007199254740993' }],
  )
})

test('A record that is nested thousands of levels deep fails alone', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)

  const body = `{"records":[{"first_name":"Grace","metadata":{"a":${deep}}},{"first_name":null}]}`
  const response = await client.request('POST', '/api-v1-bulk/contacts', { body, headers: json })
  const { errors } = await ended(client, response.headers.get('location')!)

  assert.deepEqual(
    errors.map(({ field }: { field: string }) => field),
    ['metadata', 'first_name'],
  )
})

test('A job whose rows are all invalid is completed, with the first hundred errors', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const records = Array.from({ length: 250 }, () => ({ first_name: '', emails: [{ email: 'x' }] }))

  const job = await importAll(client, 'contacts', records)

  assert.deepEqual([job.status, job.processed_records, job.failed_records], ['completed', 250, 250])
  assert.equal(job.errors.length, 100)
  assert.deepEqual(job.errors[99], {
    row: 50,
    field: 'emails[0].email',
    error: 'Email must be a valid email address',
    code: 'INVALID_FORMAT',
  })
  assert.equal(await totalOf(client, 'contacts'), 0)
})

test('An organization of another company, of the other workspace, or deleted is not found', async (t) => {
  const server = await start(t)
  const [acme, other] = [await server.company('Acme'), await server.company('Other')]
  const ofOther = await make(other.client, 'organization')
  const ofTest = await make(await acme.key({ environment: 'test' }), 'organization')
  const gone = await make(acme.client, 'organization')
  await acme.client.delete(`/api-v1-organizations/${gone.id}`)
  const own = await make(acme.client, 'organization')

  const records = [ofOther, ofTest, gone, own].map(({ id }) => ({ first_name: 'Grace', organization_id: id }))
  const job = await importAll(acme.client, 'contacts', records)

  const error = 'Organization not found'
  assert.deepEqual(
    job.errors,
    [1, 2, 3].map((row) => ({ row, field: 'organization_id', error, code: 'NOT_FOUND' })),
  )
  assert.equal(await totalOf(acme.client, 'contacts'), 1)
})

test('An organization that is deleted between submit and import is not found', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const { id } = await make(client, 'organization')
  const path = await submit(client, 'contacts', [{ first_name: 'Grace', organization_id: id }])
  await client.delete(`/api-v1-organizations/${id}`)

  await runBatches(server.store)

  const { errors } = await ended(client, path)
  assert.deepEqual(errors, [{ row: 1, field: 'organization_id', error: 'Organization not found', code: 'NOT_FOUND' }])
})

test('Of several primary contacts of an organization, the last one stays primary', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await make(client, 'organization')

  await importAll(
    client,
    'contacts',
    contacts(3).map((each) => ({ ...each, organization_id: id, is_primary: true })),
  )

  const { body } = await client.get('/api-v1-contacts?is_primary=true')
  assert.deepEqual(
    body.data.map((each: { last_name: string }) => each.last_name),
    ['Row 3'],
  )
})

test("Records beyond the plan's limit fail with the plan's message", async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  await server.store.writeAccess((tx) => tx.run("UPDATE plan SET max_contacts = 150 WHERE name = 'enterprise'"))

  const job = await importAll(client, 'contacts', contacts(152))

  const error = 'Your plan allows at most 150 contacts'
  assert.deepEqual(
    job.errors,
    [151, 152].map((row) => ({ row, error, code: 'PLAN_LIMIT_EXCEEDED' })),
  )
  assert.equal(await totalOf(client, 'contacts'), 150)
})

test('A record that fails unexpectedly is reported by its row without the cause; the others are imported', async (t) => {
  const server = await start(t, {
    prepare: (db) => {
      db.exec(`CREATE TRIGGER boom AFTER INSERT ON contact_email WHEN new.email = 'boom@x.example'
        BEGIN SELECT RAISE(ABORT, 'secret detail'); END`)
    },
  })
  const client = await server.client()
  const records = ['a', 'boom', 'c'].map((name) => ({ first_name: name, emails: [{ email: `${name}@x.example` }] }))

  const job = await importAll(client, 'contacts', records)

  assert.deepEqual(job.errors, [{ row: 2, error: 'The record could not be processed', code: 'INTERNAL_ERROR' }])
  const { body } = await client.get('/api-v1-contacts?sort=first_name')
  assert.deepEqual(
    body.data.map((each: { first_name: string }) => each.first_name),
    ['a', 'c'],
  )
})
