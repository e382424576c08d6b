import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChanges } from '../support/changes.ts'
import { type ApiResponse, assertError } from '../support/client.ts'
import { declareField } from '../support/fields.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { contacts, outcome, put } from './put.ts'

const emailsOf = ({ body }: ApiResponse) =>
  body.data.contact_emails.map(({ email, is_primary }: { email: string; is_primary: boolean }) => [email, is_primary])

test('An upsert creates a record, then updates it, and then changes nothing and logs nothing', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const body = { first_name: 'Ada', emails: [{ email: 'ada@example.com' }], metadata: { source: 'fair' } }

  const made = await put(client, body)
  const changed = await put(client, { ...body, last_name: 'Weber', emails: [{ email: 'ADA@example.com' }] })
  const seq = (await readChanges(client)).length
  const same = await put(client, { ...body, last_name: 'Weber' })

  assert.deepEqual([made, changed, same].map(outcome), [
    [201, 'created'],
    [200, 'updated'],
    [200, 'unchanged'],
  ])
  assert.equal(made.headers.get('location'), `${contacts}/${made.body.data.id}`)
  assert.deepEqual([changed.body.data.id, changed.body.data.last_name], [made.body.data.id, 'Weber'])
  assert.deepEqual(emailsOf(changed), [['ada@example.com', true]])
  assert.equal((await readChanges(client)).length, seq)
  assert.deepEqual((await client.get(`${contacts}/${made.body.data.id}`)).body, same.body)
})

test('An upsert adds no more emails than a contact may have', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const emails = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ email: `a${from + n}@example.com` }))
  await make(client, 'contact', { emails: emails(0, 60) })
  const add = (count: number) => put(client, { first_name: 'Ada', emails: [...emails(0, 1), ...emails(60, count)] })

  assertError(await add(41), 400, 'VALIDATION_ERROR', undefined, ['emails'])
  assert.equal((await add(40)).body.data.contact_emails.length, 100)
})

test('Metadata that become too large by merging are refused', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const emails = [{ email: 'ada@example.com' }]
  const send = (key: string, length: number) =>
    put(client, { first_name: 'Ada', emails, metadata: { [key]: 'x'.repeat(length) } })

  await send('one', 40_000)
  assertError(await send('two', 40_000), 400, 'VALIDATION_ERROR', undefined, ['metadata'])
  const { id, metadata } = (await send('two', 20_000)).body.data
  assert.equal((await client.patch(`${contacts}/${id}`, { metadata })).status, 200)
})

test('Given fields replace those of the record, metadata are merged by key, and emails and phones are added', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const { id } = await make(client, 'contact', {
    ...{ first_name: 'Ada', last_name: 'Weber', job_title: 'Buyer', consent_to_record: true },
    emails: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
    phones: [{ phone_number: '+49 89 1234' }],
    metadata: { source: 'fair', tier: 'gold' },
  })

  const merged = await put(client, {
    ...{ first_name: 'Adele', last_name: null, consent_to_record: null },
    emails: [{ email: 'B@EXAMPLE.COM' }, { email: 'c@example.com', is_primary: true }],
    phones: [{ phone_number: '0049 (89) 1234' }, { phone_number: '+49 30 99' }],
    metadata: { tier: 'silver', size: 5 },
  })

  const { data } = merged.body
  assert.deepEqual(outcome(merged), [200, 'updated'])
  assert.deepEqual(
    [data.id, data.first_name, data.last_name, data.job_title, data.consent_to_record],
    [id, 'Adele', null, 'Buyer', true],
  )
  assert.deepEqual(data.metadata, { source: 'fair', tier: 'silver', size: 5 })
  assert.deepEqual(emailsOf(merged), [
    ['a@example.com', true],
    ['b@example.com', false],
    ['c@example.com', false],
  ])
  assert.deepEqual(
    data.contact_phones.map(({ phone_number }: { phone_number: string }) => phone_number),
    ['+49 89 1234', '+49 30 99'],
  )
})

test('The mode decides what an upsert may do', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const { id } = await make(client, 'contact', {
    ...{ first_name: 'Ada', emails: [{ email: 'ada@example.com' }], metadata: { tier: 'gold', note: '' } },
  })
  const body = {
    first_name: 'Other',
    last_name: 'Weber',
    emails: [{ email: 'ada@example.com' }],
    metadata: { tier: 'x', note: 'y' },
  }
  const unknown = { first_name: 'New', emails: [{ email: 'new@example.com' }] }

  const filled = await put(client, body, 'match_on=email&mode=fill_empty')
  assert.deepEqual(outcome(filled), [200, 'updated'])
  const { first_name, last_name, metadata } = filled.body.data
  assert.deepEqual([first_name, last_name, metadata], ['Ada', 'Weber', { tier: 'gold', note: 'y' }])
  assertError(
    await put(client, body, 'match_on=email&mode=create_only'),
    409,
    'ALREADY_EXISTS',
    `Contact with this email already exists: ${id}`,
    ['email'],
  )
  assertError(
    await put(client, unknown, 'match_on=email&mode=update_only'),
    404,
    'NOT_FOUND',
    'No contact has this email',
  )
  assert.deepEqual(outcome(await put(client, body, 'match_on=email&mode=update_only')), [200, 'updated'])
  assert.deepEqual(outcome(await put(client, unknown, 'match_on=email&mode=create_only')), [201, 'created'])
})

test('An upsert of a task that is completed already leaves the time at which it was, unless it reopened it', async (t) => {
  const { company, clock } = await start(t)
  const { client } = await company('Acme')
  await declareField(client, 'number', 'text', { resource: 'task', unique: true })
  const completed = { title: 'Call', status: 'completed', metadata: { number: 'T-1' } }
  const results: ApiResponse[] = []
  for (const body of [completed, completed, { ...completed, status: 'pending' }, completed]) {
    results.push(await put(client, body, 'match_on=metadata.number', '/api-v1-tasks'))
    clock.advance(1000)
  }

  const [made, same, reopened, again] = results.map(({ body }) => body.data.completed_at)
  assert.deepEqual(results.flatMap(outcome), [201, 'created', 200, 'unchanged', 200, 'updated', 200, 'updated'])
  assert.deepEqual([same, reopened, Date.parse(again) - Date.parse(made)], [made, null, 3000])
})

test('A key that may not read gets the id alone, and no ids in errors; another company’s records match nothing', async (t) => {
  const { company } = await start(t)
  const [acme, other] = [await company('Acme'), await company('Other')]
  const emails = [{ email: 'ada@example.com' }]
  const { id } = await make(acme.client, 'contact', { first_name: 'Ada', emails })
  const writer = await acme.key({ scopes: ['write:contacts'] })
  const reader = await acme.key({ scopes: ['read:contacts'] })
  const blind = (query: string) => put(writer, { first_name: 'Adele', emails }, query)

  const { status, body, headers } = await blind('match_on=email')
  assert.deepEqual([status, body, headers.get('etag')], [200, { data: { id } }, null])
  const refused = await blind('match_on=email&mode=create_only')
  assert.equal(refused.body.error.message, 'Contact with this email already exists')
  assertError(await put(reader, { first_name: 'x', emails }), 403, 'INSUFFICIENT_PERMISSIONS')
  assert.deepEqual(outcome(await put(other.client, { first_name: 'Ada', emails })), [201, 'created'])
})

test('An upsert with a stale If-Match changes nothing, also if no record matches', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const body = { first_name: 'Ada', emails: [{ email: 'ada@example.com' }] }
  const tag = (await put(client, body)).headers.get('etag')!
  const send = (last_name: string, email = 'ada@example.com', match = tag) =>
    client.put(`${contacts}?match_on=email`, { ...body, last_name, emails: [{ email }] }, { 'If-Match': match })

  assert.deepEqual(outcome(await send('Weber')), [200, 'updated'])
  assertError(await send('Lovelace'), 412, 'CONFLICT')
  for (const match of [tag, '*']) assertError(await send('New', 'new@example.com', match), 412, 'CONFLICT')
  const { data } = (await client.get(contacts)).body
  assert.deepEqual(
    data.map(({ last_name }: { last_name: string }) => last_name),
    ['Weber'],
  )
})

test('16 identical upserts at once make one record', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const body = { first_name: 'Ada', emails: [{ email: 'ada@example.com' }] }

  const made = await Promise.all(Array.from({ length: 16 }, () => put(client, body)))

  assert.deepEqual(
    made
      .map(outcome)
      .map(([, what]) => what)
      .sort(),
    ['created', ...Array(15).fill('unchanged')],
  )
  assert.equal((await client.get(contacts)).body.pagination.total, 1)
})

test('Invalid upserts name what is wrong', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const body = { first_name: 'Ada', emails: [{ email: 'ada@example.com' }] }
  const messageOf = async (query: string, given: object = body, path = contacts) => {
    const response = await put(client, given, query, path)
    assertError(response, 400, 'VALIDATION_ERROR')
    return response.body.error.details.map(({ message }: { message: string }) => message).join()
  }

  assert.match(
    await messageOf(''),
    /^match_on is required; allowed: email, metadata\.<key> of a unique declared field$/,
  )
  assert.match(await messageOf('match_on=phone'), /^"phone" cannot be matched on; allowed: email, /)
  assert.equal(
    await messageOf('match_on=email&mode=replace'),
    'mode must be one of: merge, fill_empty, create_only, update_only',
  )
  assert.match(await messageOf('match_on=email&dry=1'), /^Unknown parameter "dry"/)
  assert.equal(await messageOf('match_on=email', { first_name: 'Ada' }), 'match_on=email needs a value in the body')
  assert.equal(await messageOf('match_on=email', { emails: body.emails }), 'First name is required')
  assert.equal((await put(client, body, 'match_on=email', '/api-v1-activities')).status, 405)
})
