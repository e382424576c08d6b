import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChanges } from '../../support/changes.ts'
import { assertError, type Client } from '../../support/client.ts'
import { declareField, fieldsPath } from '../../support/fields.ts'
import { ended, importAll, importResults, outcomesOf, resultsOf, runBatches, submit } from '../../support/imports.ts'
import { make } from '../../support/make.ts'
import { start } from '../../support/start.ts'

const person = (email: string, rest: object = {}) => ({ first_name: 'Ada', emails: [{ email }], ...rest })
const byEmail = { match_on: 'email' }

async function contactsOf(client: Client) {
  return (await client.get('/api-v1-contacts?sort=created_at&limit=100')).body.data
}

test('The same email three times in one import is one contact: created, updated, unchanged', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const records = [
    person('ada@example.com'),
    person('ADA@example.com', { last_name: 'Weber' }),
    person('ada@example.com', { last_name: 'Weber' }),
  ]

  const path = await submit(client, 'contacts', records, byEmail)

  const job = await ended(client, path)
  const results = await resultsOf(client, path)
  const [{ id, last_name }, ...others] = await contactsOf(client)
  assert.deepEqual(
    results,
    ['created', 'updated', 'unchanged'].map((outcome, index) => ({ row: index + 1, outcome, id, errors: [] })),
  )
  assert.deepEqual([last_name, others], ['Weber', []])
  const { match_on, mode, dry_run, successful_records, created_records, updated_records, unchanged_records } = job
  assert.deepEqual([match_on, mode, dry_run, successful_records], ['email', 'merge', false, 3])
  assert.deepEqual([created_records, updated_records, unchanged_records], [1, 1, 1])
})

test('A second import of the same records changes and logs nothing but its job', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const records = Array.from({ length: 250 }, (_, row) => person(`p${row}@example.com`, { metadata: { row } }))
  await importAll(client, 'contacts', records, byEmail)
  const before = await readChanges(client)

  const job = await importAll(client, 'contacts', records, byEmail)

  const added = (await readChanges(client)).slice(before.length)
  assert.equal(job.unchanged_records, 250)
  assert.deepEqual(
    added.map(({ type }) => type),
    ['bulk_job.created', 'bulk_job.completed'],
  )
})

test('The mode decides what an import may do, and a record without an email is created where that is possible', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await make(client, 'contact', person('ada@example.com', { last_name: 'Weber' }))
  const records = [
    person('ada@example.com', { last_name: 'Other', job_title: 'Buyer' }),
    person('new@example.com'),
    { first_name: 'Nobody' },
  ]
  const outcomes = async (mode: string) =>
    outcomesOf(await importResults(client, 'contacts', records, { ...byEmail, mode, dry_run: true }))

  assert.deepEqual(await outcomes('merge'), ['updated', 'created', 'created'])
  assert.deepEqual(await outcomes('create_only'), [
    `email: Contact with this email already exists: ${id}`,
    'created',
    'created',
  ])
  assert.deepEqual(await outcomes('update_only'), ['updated', 'No contact has this email', 'No contact has this email'])
  const filled = await importResults(client, 'contacts', records, { ...byEmail, mode: 'fill_empty' })
  assert.deepEqual(outcomesOf(filled), ['updated', 'created', 'created'])
  const { body } = await client.get(`/api-v1-contacts/${id}`)
  assert.deepEqual([body.data.last_name, body.data.job_title], ['Weber', 'Buyer'])
})

test('A record that matches several is an error of its row, which lists them for a key that may read them', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const one = await make(client, 'contact', person('one@example.com'))
  const two = await make(client, 'contact', person('two@example.com'))
  const gone = await make(client, 'contact', person('gone@example.com'))
  await client.delete(`/api-v1-contacts/${gone.id}`)
  const both = { first_name: 'Both', emails: [{ email: 'one@example.com' }, { email: 'two@example.com' }] }
  const records = [both, person('gone@example.com')]
  const writer = await key({ scopes: ['write:contacts'] })

  const shown = await importResults(client, 'contacts', records, { ...byEmail, dry_run: true })
  const hidden = await importResults(writer, 'contacts', records, byEmail)

  assert.deepEqual(outcomesOf(shown), [`email: Several contacts have this email: ${one.id}, ${two.id}`, 'created'])
  assert.deepEqual(outcomesOf(hidden), ['email: Several contacts have this email', 'created'])
  assert.deepEqual(
    hidden.map(({ id }) => id),
    [null, null],
  )
})

test('Sixteen identical imports at once make one record', async (t) => {
  const { client } = await (await start(t, { work: 'thread' })).company('Acme')

  const jobs = await Promise.all(
    Array.from({ length: 16 }, () => importAll(client, 'contacts', [person('ada@example.com')], byEmail)),
  )

  const count = (name: string) => jobs.reduce((sum, job) => sum + job[name], 0)
  assert.deepEqual([count('created_records'), count('unchanged_records')], [1, 15])
  assert.equal((await contactsOf(client)).length, 1)
})

test('Every resource that can change is matched by a unique declared field, also activities are imported', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const envelope = { match_on: 'metadata.number' }
  for (const [what, name, field] of [
    ['deals', 'deal', 'title'],
    ['tasks', 'task', 'title'],
    ['organizations', 'organization', 'name'],
  ] as const) {
    await declareField(client, 'number', 'text', { resource: name, unique: true })
    const records = ['A', 'B', 'A'].map((number, row) => ({ [field]: `Row ${row}`, metadata: { number } }))

    const results = await importResults(client, what, records, envelope)

    assert.deepEqual(outcomesOf(results), ['created', 'created', 'updated'], what)
    assert.equal(results[0]!.id, results[2]!.id)
  }
  const results = await importResults(client, 'activities', [{ type: 'call' }, { type: 'x' }])
  assert.deepEqual(outcomesOf(results), ['created', 'type: Type must be one of: call, email, meeting, note, rating'])
  const { body } = await client.get(`/api-v1-activities/${results[0]!.id}`)
  assert.deepEqual([body.data.type, body.data.metadata], ['call', { created_via: 'api' }])
})

test('A field that is no longer unique is an error of each row', async (t) => {
  const server = await start(t, { work: 'nowhere' })
  const { client } = await server.company('Acme')
  const { id } = await declareField(client, 'number', 'text', { unique: true })
  const path = await submit(client, 'contacts', [person('a@example.com', { metadata: { number: '1' } })], {
    match_on: 'metadata.number',
  })
  await client.delete(`${fieldsPath}/${id}`)

  await runBatches(server.store)

  const message = 'metadata.number: metadata.number is no longer a unique declared field'
  assert.deepEqual(outcomesOf(await resultsOf(client, path)), [message])
})

const faults: [body: object, field: string, message: string][] = [
  [
    { match_on: 'phone' },
    'match_on',
    '"phone" cannot be matched on; allowed: email, metadata.<key> of a unique declared field',
  ],
  [
    { match_on: 'metadata.none' },
    'match_on',
    '"metadata.none" cannot be matched on; allowed: email, metadata.<key> of a unique declared field',
  ],
  [
    { match_on: ['email'] },
    'match_on',
    'match_on must be a string; allowed: email, metadata.<key> of a unique declared field',
  ],
  [{ match_on: 'email', mode: 'replace' }, 'mode', 'mode must be one of: merge, fill_empty, create_only, update_only'],
  [{ mode: 'merge' }, 'mode', 'mode needs match_on'],
  [{ dry_run: 'yes' }, 'dry_run', 'dry_run must be true or false'],
]

for (const [envelope, field, message] of faults) {
  test(`An import with ${JSON.stringify(envelope)} is refused at once, naming what is allowed`, async (t) => {
    const { client } = await (await start(t)).company('Acme')

    const response = await client.post('/api-v1-bulk/contacts', { records: [person('a@example.com')], ...envelope })

    assertError(response, 400, 'VALIDATION_ERROR', message, [field])
    assert.equal((await client.get('/api-v1-bulk/jobs')).body.pagination.total, 0)
  })
}

test('Every fault of the envelope is listed, and activities are not matched', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const post = (what: string, rest: object) => client.post(`/api-v1-bulk/${what}`, { records: [{}], ...rest })

  assertError(await post('contacts', { match_on: 1, mode: 2, dry_run: 3 }), 400, 'VALIDATION_ERROR', undefined, [
    'match_on',
    'mode',
    'dry_run',
  ])
  const message = '"email" cannot be matched on; nothing is allowed here'
  assertError(await post('activities', { match_on: 'email' }), 400, 'VALIDATION_ERROR', message, ['match_on'])
  assert.equal((await post('contacts', { match_on: null, mode: null, dry_run: null })).status, 202)
})
