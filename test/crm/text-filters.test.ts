import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { start } from '../support/start.ts'

const organizations = '/api-v1-organizations'
const contacts = '/api-v1-contacts'

async function open(t: TestContext): Promise<Client> {
  return (await (await start(t)).company('Acme')).client
}

async function makeAll(client: Client, path: string, bodies: object[]): Promise<void> {
  for (const body of bodies) assert.equal((await client.post(path, body)).status, 201)
}

/** The values of a field in a list, in order. */
async function listed(client: Client, path: string, query: Record<string, string>, field: string): Promise<string[]> {
  const { status, body } = await client.get(`${path}?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify([query, body]))
  assert.equal(body.pagination.total, body.data.length)
  return body.data.map((record: Record<string, string>) => record[field])
}

test('like finds text with and without accents, in any case', async (t) => {
  const client = await open(t)
  const names = [
    'Straße & Söhne',
    'MÜLLER',
    'Ærøskøbing',
    'Łódź',
    'Þórður',
    'İzmir',
    'Nguyễn',
    'ΟΔΥΣΣΕΥΣ',
    '100％',
    '50%',
  ]
  await makeAll(
    client,
    organizations,
    names.map((name) => ({ name })),
  )

  for (const [pattern, found] of [
    ['strasse', 'Straße & Söhne'],
    ['STRASSE%sohne', 'Straße & Söhne'],
    ['muller', 'MÜLLER'],
    ['Mu\u0308ller', 'MÜLLER'],
    ['aeroskobing', 'Ærøskøbing'],
    ['lodz', 'Łódź'],
    ['thordur', 'Þórður'],
    ['izmir', 'İzmir'],
    ['nguyen', 'Nguyễn'],
    ['σευς', 'ΟΔΥΣΣΕΥΣ'],
    ['100％', '100％'],
  ] as const) {
    assert.deepEqual(await listed(client, organizations, { 'name[like]': pattern }, 'name'), [found], pattern)
  }
})

test('Text is sorted without accents, and equal text by code points, in pages too', async (t) => {
  const client = await open(t)
  const sorted = ['Apfel', 'apfel', 'Äpfel', 'äpfel', 'Birne', 'Oslo', 'Østfold', 'strasse', 'straße', 'Strauß', 'Zoo']
  await makeAll(
    client,
    organizations,
    sorted.toSorted(() => -1).map((name) => ({ name })),
  )

  assert.deepEqual(await listed(client, organizations, { sort: 'name' }, 'name'), sorted)
  assert.deepEqual(await listed(client, organizations, { sort: '-name' }, 'name'), sorted.toReversed())
  const seen: string[] = []
  for (let cursor = ''; cursor !== null; ) {
    const query = new URLSearchParams({ sort: 'name', limit: '1', ...(cursor && { cursor }) })
    const { body } = await client.get(`${organizations}?${query}`)
    seen.push(body.data[0].name)
    cursor = body.pagination.next_cursor
  }
  assert.deepEqual(seen, sorted)
  assert.deepEqual(await listed(client, organizations, { 'name[gt]': 'STRÄSSE', sort: 'name' }, 'name'), [
    'Strauß',
    'Zoo',
  ])
  assert.deepEqual(
    await listed(client, organizations, { 'name[lte]': 'APFEL', sort: 'name' }, 'name'),
    sorted.slice(0, 4),
  )
  assert.deepEqual(await listed(client, organizations, { name: 'Apfel' }, 'name'), ['Apfel'])
})

test('Emails, domains and currencies are equal in upper and lower case, but not without accents', async (t) => {
  const client = await open(t)
  await makeAll(client, contacts, [
    { first_name: 'P', emails: [{ email: 'p0@ex.de' }, { email: 'Second@Ex.de' }] },
    { first_name: 'Q', emails: [{ email: 'q@ex.de' }] },
    { first_name: 'None' },
  ])
  await makeAll(client, organizations, [
    { name: 'A', domain: 'Müller.example' },
    { name: 'B', domain: 'muller.example' },
    { name: 'C' },
  ])
  await makeAll(client, '/api-v1-deals', [
    { title: 'Euro', currency: 'EUR' },
    { title: 'Franc', currency: 'CHF' },
  ])
  const first = (query: Record<string, string>) =>
    listed(client, contacts, { sort: 'first_name', ...query }, 'first_name')
  const named = (query: Record<string, string>) => listed(client, organizations, { sort: 'name', ...query }, 'name')
  const titled = (query: Record<string, string>) =>
    listed(client, '/api-v1-deals', { sort: 'title', ...query }, 'title')

  assert.deepEqual(await first({ email: 'P0@EX.DE' }), ['P'])
  assert.deepEqual(await first({ 'email[in]': 'SECOND@ex.de, Q@ex.de' }), ['P', 'Q'])
  assert.deepEqual(await first({ 'email[ne]': 'P0@EX.DE' }), ['None', 'Q'])
  assert.deepEqual(await named({ domain: 'MÜLLER.EXAMPLE' }), ['A'])
  assert.deepEqual(await named({ 'domain[in]': 'MULLER.example,x' }), ['B'])
  assert.deepEqual(await named({ 'domain[ne]': 'MÜLLER.EXAMPLE' }), ['B', 'C'])
  assert.deepEqual(await named({ 'domain[like]': 'muller' }), ['A', 'B'])
  assert.deepEqual(await titled({ currency: 'eur' }), ['Euro'])
  assert.deepEqual(await titled({ 'currency[in]': 'eur,Chf' }), ['Euro', 'Franc'])
  assert.deepEqual(await titled({ 'currency[ne]': 'eur' }), ['Franc'])
  assert.deepEqual(await named({ name: 'a' }), [], 'other text is exact')
})

test('Phone numbers are compared by their digits', async (t) => {
  const client = await open(t)
  const numbers = { A: '+4989123', B: '0049 30 / 456-78', C: '+49 (0)40 100 12 34', D: '089 123', E: '030 9 ext. 5' }
  const bodies = Object.entries(numbers).map(([first_name, phone_number]) => ({
    first_name,
    phones: [{ phone_number }],
  }))
  await makeAll(client, contacts, [...bodies, { first_name: 'F' }])

  for (const [query, found] of [
    [{ phone: '+49 89 123' }, 'A'],
    [{ phone: '0049-89-123' }, 'A'],
    [{ phone: '4989123' }, 'A'],
    [{ phone: '49 (89) 1-23' }, 'A'],
    [{ phone: ' 4989123' }, 'A'],
    [{ phone: '+089 123' }, 'D'],
    [{ 'phone[in]': '4989123,493045678' }, 'AB'],
    [{ 'phone[ne]': '4989123' }, 'BCDEF'],
    [{ 'phone[like]': ' 4930' }, 'B'],
    [{ 'phone[lt]': ' 4940' }, 'B'],
    [{ phone: '+493045678' }, 'B'],
    [{ phone: '+49 40 1001234' }, 'C'],
    [{ phone: '(089) 123' }, 'D'],
    [{ phone: '030 9' }, ''],
    [{ 'phone[in]': '0049 89 123, +49-30-456 78' }, 'AB'],
    [{ 'phone[ne]': '+49 89 123' }, 'BCDEF'],
    [{ 'phone[like]': '89 12' }, 'AD'],
    [{ 'phone[like]': '+49 89' }, 'A'],
    [{ 'phone[like]': '0049 30' }, 'B'],
    [{ 'phone[like]': '00 12' }, 'C'],
    [{ 'phone[like]': '49 (0)40' }, 'C'],
    [{ 'phone[like]': '0%ext.5' }, 'E'],
    [{ phone: 'null' }, 'F'],
    [{ 'phone[ne]': 'null' }, 'ABCDE'],
    [{ 'phone[in]': 'null,+4989123' }, 'AF'],
  ] as [Record<string, string>, string][]) {
    const names = await listed(client, contacts, { sort: 'first_name', ...query }, 'first_name')
    assert.equal(names.join(''), found, JSON.stringify(query))
  }
})

test('null finds empty fields, and nothing where a field is never empty', async (t) => {
  const client = await open(t)
  await makeAll(client, organizations, [{ name: 'A', city: 'Ulm' }, { name: 'B' }, { name: 'null', city: 'null' }])
  const named = (query: Record<string, string>) => listed(client, organizations, { sort: 'name', ...query }, 'name')

  assert.deepEqual(await named({ city: 'null' }), ['B'])
  assert.deepEqual(await named({ 'city[ne]': 'null' }), ['A', 'null'])
  assert.deepEqual(await named({ 'city[in]': 'null, Ulm' }), ['A', 'B'])
  assert.deepEqual(await named({ 'city[like]': 'null' }), ['null'])
  for (const field of ['name', 'status', 'created_at', 'updated_at', 'id']) {
    assert.deepEqual(await named({ [field]: 'null' }), [], field)
    assert.deepEqual(await named({ [`${field}[in]`]: 'null' }), [], field)
    assert.deepEqual(await named({ [`${field}[ne]`]: 'null' }), ['A', 'B', 'null'], field)
  }
  assertError(await client.get(`${organizations}?status[gt]=null`), 400, 'VALIDATION_ERROR', undefined, ['status[gt]'])
})

test('Values of a list are trimmed, and a comma within one is escaped', async (t) => {
  const client = await open(t)
  const names = ['Weber, Klein', 'Weber', 'Klein', 'a\\b', 'a\\', 'x\\,y']
  await makeAll(
    client,
    organizations,
    names.map((name) => ({ name })),
  )

  for (const [list, found] of [
    ['Weber\\, Klein', ['Weber, Klein']],
    [' Weber , Klein ', ['Weber', 'Klein']],
    ['a\\b,Weber', ['a\\b', 'Weber']],
    ['a\\\\,Weber', ['a\\', 'Weber']],
    ['a\\', ['a\\']],
    ['x\\\\\\,y', ['x\\,y']],
    ['Weber,,', ['Weber']],
  ] as const) {
    const made = await listed(client, organizations, { 'name[in]': list, sort: 'created_at' }, 'name')
    assert.deepEqual(made.toSorted(), found.toSorted(), list)
  }
  for (const empty of ['', ' ', ',', ' , ,']) {
    const response = await client.get(`${organizations}?${new URLSearchParams({ 'name[in]': empty })}`)
    assertError(response, 400, 'VALIDATION_ERROR', undefined, ['name[in]'])
  }
})

test('Names of stages that differ only in accents are different, and in case the same', async (t) => {
  const client = await open(t)
  await makeAll(client, '/api-v1-stages', [{ name: 'Über' }, { name: 'Uber' }])

  const message = 'Stage with this name already exists'
  assertError(await client.post('/api-v1-stages', { name: 'ÜBER' }), 409, 'ALREADY_EXISTS', message, ['name'])
  assert.deepEqual(await listed(client, '/api-v1-stages', { 'name[like]': 'uber', sort: 'name' }, 'name'), [
    'Uber',
    'Über',
  ])
})
