import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { addContact, declareField, namesOf } from '../support/fields.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'
import { cellsOf, exportOf, rowsOf } from './exports.ts'

const contacts = '/api-v1-contacts'

test('A CSV file has every field, all emails and phones, declared fields and the name of the organization', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  await declareField(client, 'tier', 'choice', { options: ['gold', 'silver'] })
  await declareField(client, 'seats', 'number')
  const organization = await make(client, 'organization', { name: 'Müller, "Söhne" & Co' })
  const full = await make(client, 'contact', {
    ...{ first_name: 'Ada', last_name: 'Weber', job_title: 'Line 1\nLine 2', organization_id: organization.id },
    emails: [{ email: 'ada@example.com' }, { email: 'a.weber@example.com', type: 'personal' }],
    phones: [{ phone_number: '+49 89 1234' }],
    metadata: { tier: 'gold', seats: 12.5, source: 'fair', tags: ['a', 'b'] },
  })
  const bare = await make(client, 'contact', { first_name: 'Bo', metadata: { seats: 'many' } })

  const csv = await exportOf(client, `${contacts}?sort=first_name`)

  assert.equal(
    csv.slice(0, csv.indexOf('\r\n')),
    [
      'id,first_name,last_name,job_title,organization_id,organization.name,is_primary,consent_to_record,metadata',
      'metadata.tier,metadata.seats,emails.email,emails.type,emails.is_primary,emails[1].email,emails[1].type',
      'emails[1].is_primary,phones.phone_number,phones.type,phones.is_primary,created_at,updated_at,last_activity_at',
    ].join(),
  )
  const [first, second, ...rest] = rowsOf(csv)
  assert.deepEqual(rest, [])
  assert.deepEqual(first, {
    ...{ id: full.id, first_name: 'Ada', last_name: 'Weber', job_title: 'Line 1\nLine 2' },
    ...{ organization_id: organization.id, 'organization.name': 'Müller, "Söhne" & Co' },
    ...{ is_primary: 'false', consent_to_record: 'false', metadata: '{"source":"fair","tags":["a","b"]}' },
    ...{ 'metadata.tier': 'gold', 'metadata.seats': '12.5' },
    ...{ 'emails.email': 'ada@example.com', 'emails.type': 'work', 'emails.is_primary': 'true' },
    ...{ 'emails[1].email': 'a.weber@example.com', 'emails[1].type': 'personal', 'emails[1].is_primary': 'false' },
    ...{ 'phones.phone_number': "'+49 89 1234", 'phones.type': 'work', 'phones.is_primary': 'true' },
    ...{ created_at: full.created_at, updated_at: full.updated_at, last_activity_at: '' },
  })
  assert.equal(second!.id, bare.id)
  assert.deepEqual(
    [second!.metadata, second!['metadata.seats'], second!['organization.name'], second!['emails.email']],
    ['{"seats":"many"}', '', '', ''],
    'a value of another type stays in the metadata',
  )
})

test('An export has every record of the filters in the order of the list, without a page limit', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  await declareField(client, 'seats', 'number')
  for (let n = 0; n < 130; n++) {
    await addContact(client, `Person ${(n * 7) % 130}`, n % 3 === 0 ? {} : { seats: n % 11 })
  }
  const gone = await addContact(client, 'Gone')
  await client.delete(`${contacts}/${gone.id}`)
  const queries = ['', 'sort=first_name', 'sort=-metadata.seats,first_name', 'metadata.seats[gt]=4&sort=-created_at']
  queries.push(
    'first_name[like]=person%201&sort=last_name,-first_name',
    'metadata.seats=7',
    'email=null',
    'q=person%2012&sort=first_name',
  )

  for (const query of queries) {
    const exported = rowsOf(await exportOf(client, `${contacts}?${query}`)).map((row) => row.first_name!)
    assert.deepEqual(exported, await namesOf(client, query), query)
    assert.ok(exported.length > 5, query)
  }
})

test('Cells that a spreadsheet would run as formulas begin with an apostrophe, unless raw is 1; numbers do not', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const titles = ['=1+1', '+1 x', '-cmd', '@sum', "'=quoted", "it's", '-12.5', '-1e+308']
  for (const title of titles) await make(client, 'deal', { title, value: -5 })
  const titlesOf = async (query: string) =>
    rowsOf(await exportOf(client, `/api-v1-deals?sort=created_at&columns=title,value${query}`)).map((row) => row.title)

  const csv = await exportOf(client, '/api-v1-deals?sort=created_at&columns=title,value')

  assert.deepEqual(await titlesOf(''), ["'=1+1", "'+1 x", "'-cmd", "'@sum", "''=quoted", "it's", '-12.5', '-1e+308'])
  assert.deepEqual(await titlesOf('&raw=1'), titles)
  assert.deepEqual(csv.split('\r\n').slice(0, 2), ['title,value', "'=1+1,-5"])
})

test('A CSV file begins with a byte order mark if bom is 1', async (t) => {
  const { url, company } = await start(t)
  const { client } = await company('Acme')
  await make(client, 'contact', { first_name: 'Zoë' })

  const bytes = async (query: string) => {
    const headers = { Authorization: `Bearer ${client.key}`, Accept: 'text/csv' }
    const response = await fetch(`${url}${contacts}?${query}`, { headers })
    return Buffer.from(await response.arrayBuffer())
  }
  const [plain, marked, chosen] = [await bytes(''), await bytes('bom=1'), await bytes('columns=first_name&raw=1&bom=1')]

  assert.equal(plain.subarray(0, 3).toString(), 'id,')
  assert.deepEqual(marked, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]))
  assert.equal(chosen.toString(), '\uFEFFfirst_name\r\nZoë\r\n')
})

test('The columns of a CSV file can be chosen, and come in the order in which they are named', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  await make(client, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@example.com' }] })

  const csv = await exportOf(client, `${contacts}?columns=emails,first_name,emails`)

  assert.deepEqual(csv.split('\r\n').map(cellsOf), [
    ['emails.email', 'emails.type', 'emails.is_primary', 'first_name'],
    ['ada@example.com', 'work', 'true', 'Ada'],
    [''],
  ])
})

test('Parameters that an export does not take are named', async (t) => {
  const { company } = await start(t)
  const { client } = await company('Acme')
  const messageOf = async (query: string, type = 'text/csv') => {
    const response = await client.get(`/api-v1-stages?${query}`, { Accept: type })
    assertError(response, 400, 'VALIDATION_ERROR')
    return response.body.error.details.map((detail: { message: string }) => detail.message).join()
  }

  assert.match(await messageOf('page=2'), /^Unknown parameter "page"; allowed: sort, columns, raw, bom, /)
  assert.match(await messageOf('columns=name,nmae'), /^There is no column "nmae"; allowed: id, name, color, position, /)
  assert.equal(await messageOf('raw=true&bom='), 'raw must be 1 or left out,bom must be 1 or left out')
  assert.match(await messageOf('bom=1', 'application/x-ndjson'), /^Unknown parameter "bom"/)
  assert.match(await messageOf('columns=name', 'application/x-ndjson'), /^Unknown parameter "columns"/)
  assert.match(await messageOf('columns=name', 'application/json'), /^Unknown parameter "columns"/)
  assert.match(await messageOf('color=red'), /^Unknown parameter "color"/)
})
