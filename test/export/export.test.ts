import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resources } from '../../src/features/index.ts'
import { assertError } from '../support/client.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { until } from '../support/wait.ts'
import { exportOf, rowsOf } from './exports.ts'

const ndjson = 'application/x-ndjson'

for (const { name, path, pageSize, includes } of resources
  .filter(({ ownedBy }) => ownedBy === undefined)
  .map((each) => ({
    ...each,
    includes: Object.keys({ ...each.relations, ...each.collections }),
  }))) {
  test(`A list of ${path.slice('api-v1-'.length)} is exported as lines of JSON and as CSV`, async (t) => {
    const { company } = await start(t)
    const { client } = await company('Acme')
    for (let n = 0; n < 3; n++) await make(client, name)
    const include = includes.length === 0 ? '' : `&include=${includes.join()}`
    const listed = (await client.get(`/${path}?limit=${pageSize.max}${include}`)).body.data

    const lines = (await exportOf(client, `/${path}`, ndjson)).trimEnd().split('\n')
    const rows = rowsOf(await exportOf(client, `/${path}`))

    assert.deepEqual(
      lines.map((line) => withoutUse(JSON.parse(line))),
      listed.map(withoutUse),
    )
    assert.deepEqual(
      rows.map(({ id }) => id),
      listed.map(({ id }: { id: string }) => id),
    )
  })
}

/** A record without the use of a key, which the requests of the test change. */
function withoutUse({ last_used_at, last_used_ip, request_count, ...record }: Record<string, unknown>): object {
  return record
}

test('An export is a file with a name, and a list that was asked for as JSON is still JSON', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  await make(client, 'contact')
  const get = (accept: string) => client.get('/api-v1-contacts', { Accept: accept })

  for (let round = 0; round < 2; round++) {
    assert.equal((await get('application/json')).body.pagination.total, 1)
    assert.equal((await get('*/*')).body.pagination.total, 1)
    assert.equal((await get('text/html, */*')).body.pagination.total, 1)
    const csv = await get('text/csv')
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="contacts.csv"')
    assert.match(csv.headers.get('vary')!, /Accept/)
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
  }
  assert.equal((await client.request('HEAD', '/api-v1-contacts', { headers: { Accept: 'text/csv' } })).status, 200)
  assert.equal((await get('text/csv;q=0.5, application/json')).body.pagination.total, 1)
})

test('An export needs the scope that reads the list, and has no records of another company or environment', async (t) => {
  const { company } = await start(t)
  const [acme, other] = [await company('Acme'), await company('Other')]
  await make(acme.client, 'contact', {
    first_name: 'Ada',
    emails: Array(3)
      .fill(0)
      .map((_, n) => ({ email: `${n}@a.example` })),
  })
  await make(other.client, 'contact', { first_name: 'Bo' })
  const tests = await acme.key({ environment: 'test' })
  const noContacts = await acme.key({ scopes: ['read:deals', 'write:contacts'] })

  assert.deepEqual(
    rowsOf(await exportOf(other.client, '/api-v1-contacts')).map((row) => row.first_name),
    ['Bo'],
  )
  assert.ok(!(await exportOf(other.client, '/api-v1-contacts')).includes('emails[1]'), 'not even their number shows')
  assert.deepEqual(rowsOf(await exportOf(tests, '/api-v1-contacts')), [])
  assertError(
    await noContacts.get('/api-v1-contacts', { Accept: 'text/csv' }),
    403,
    'INSUFFICIENT_PERMISSIONS',
    'Insufficient permissions. Required scope: read:contacts',
  )
})

test('Contacts are exported as vCards, and nothing else is', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const organization = await make(client, 'organization', { name: 'Müller, Söhne' })
  await make(client, 'contact', {
    ...{ first_name: 'Ada', last_name: 'Weber', organization_id: organization.id },
    emails: [{ email: 'ada@example.com' }],
    phones: [{ phone_number: '+49 89 1234', type: 'mobile' }],
  })
  await make(client, 'contact', { first_name: 'Bo' })

  const cards = await exportOf(client, '/api-v1-contacts?sort=first_name', 'text/vcard')
  const other = await client.get('/api-v1-organizations', { Accept: 'text/vcard' })

  assert.equal(cards.split('BEGIN:VCARD\r\nVERSION:4.0\r\n').length, 3)
  for (const line of ['FN:Ada Weber', 'ORG:Müller\\, Söhne', 'TEL;TYPE=cell;PREF=1:+49 89 1234']) {
    assert.ok(cards.includes(`\r\n${line}\r\n`), line)
  }
  assertError(other, 406, 'INVALID_REQUEST')
})

test('An export uses the filters and the sort of a view', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  for (const title of ['b', 'a', 'c']) await make(client, 'deal', { title, value: title === 'c' ? 1 : 5 })
  const view = await make(client, 'view', {
    name: 'Five',
    resource: 'deal',
    filter: 'value=5',
    sort: 'title',
    visibility: 'shared',
  })

  const titles = async (query: string) =>
    rowsOf(await exportOf(client, `/api-v1-deals?${query}`)).map((row) => row.title)

  assert.deepEqual(await titles(`view=${view.id}`), ['a', 'b'])
  assert.deepEqual(await titles(`view=${view.id}&sort=-title&columns=title`), ['b', 'a'])
})

test('An export shows one moment while others write', async (t) => {
  const server = await start(t)
  const client = await server.client()
  for (let n = 0; n < 40; n++) await make(client, 'activity', { subject: `${n}`, description: 'x'.repeat(50_000) })
  let written = 0
  let writing = true
  const writer = (async () => {
    while (writing) await make(client, 'activity', { subject: `new ${written++}` })
  })()

  for (let n = 0; n < 5; n++) {
    const subjects = rowsOf(await exportOf(client, '/api-v1-activities?sort=created_at:asc&columns=subject')).map(
      (row) => row.subject,
    )
    const late = subjects.slice(40)
    assert.deepEqual(
      late,
      late.map((_, at) => `new ${at}`),
      'no record is missing between two others',
    )
  }
  writing = false
  await writer
  assert.ok(written > 5)
})

test('A company reads one export at a time; one that is dropped makes place', async (t) => {
  const server = await start(t)
  const client = await server.client()
  const description = 'x'.repeat(99_000)
  await Promise.all(Array.from({ length: 150 }, () => make(client, 'activity', { description })))
  const aborted = new AbortController()
  const headers = { Authorization: `Bearer ${client.key}`, Accept: 'text/csv', 'Accept-Encoding': 'identity' }
  const held = await fetch(`${server.url}/api-v1-activities`, { headers, signal: aborted.signal })
  assert.equal(held.status, 200)

  assertError(
    await client.get('/api-v1-stages', { Accept: 'text/csv' }),
    503,
    'SERVICE_UNAVAILABLE',
    'Another snapshot or export of this company is being read',
  )

  aborted.abort()
  await until('the place is free', async () => (await client.get('/api-v1-stages', { Accept: 'text/csv' })).status, {
    is: (status) => status !== 503,
  })
})

test('Parameters of a media type make no difference, and a format that a list does not have is 406', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await make(client, 'organization', { name: 'Acme' })
  const typeOf = async (path: string, accept: string) => {
    const { status, headers } = await client.get(path, { Accept: accept })
    return `${status} ${headers.get('content-type')?.split(';')[0]}`
  }
  const organizations = '/api-v1-organizations'

  for (const accept of [
    'text/csv; charset=utf-8',
    'TEXT/CSV;header=present;q=0.9',
    'text/csv;charset="utf-8", application/json;q=0.1',
    'text/vcard, text/csv;q=0.2',
    'application/json;q=0, text/*',
  ]) {
    assert.equal(await typeOf(organizations, accept), '200 text/csv', accept)
  }
  for (const accept of [
    'application/json; charset=utf-8',
    'text/vcard, application/json;q=0.1',
    'text/vcard, */*;q=0.1',
    'text/csv;q=0, */*',
    'text/html',
    '*/*',
  ]) {
    assert.equal(await typeOf(organizations, accept), '200 application/json', accept)
  }
  for (const [path, accept, there] of [
    [organizations, 'text/vcard', 'application/json, text/csv, application/x-ndjson'],
    [organizations, 'text/vcard; version=4.0, text/html', 'application/json, text/csv, application/x-ndjson'],
    ['/api-v1-deals', 'text/vcard', 'application/json, text/csv, application/x-ndjson'],
    ['/api-v1-views', 'text/csv', 'application/json'],
  ] as const) {
    const response = await client.get(path, { Accept: accept })
    assertError(response, 406, 'INVALID_REQUEST')
    assert.match(response.body.error.message, new RegExp(`: accept ${there}$`))
  }
  assert.equal(await typeOf('/api-v1-contacts', 'text/vcard;charset=utf-8'), '200 text/vcard')
  assert.equal(await typeOf('/api-v1-changes', 'text/event-stream;q=0.1, application/json'), '200 application/json')
})
