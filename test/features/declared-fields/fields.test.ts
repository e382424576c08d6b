import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/client.ts'
import { addContact, declareField, fieldsPath, namesOf } from '../../support/fields.ts'
import { start } from '../../support/start.ts'

const values = {
  a: 'Öl',
  b: 'oel',
  c: 'Zebra',
  d: 10,
  e: true,
  f: '2026-03-01',
  g: '2026-03-01T12:00:00+02:00',
  h: 'gold',
  i: 'https://example.com/A',
  j: 'Grace@Example.com',
  k: '+49 89 1234',
  l: ['a'],
  m: null,
  n: { toString: 1, valueOf: 2 },
  o: 'https://example.com\\@evil.example/A',
  p: ' https://example.com/A',
  q: 'https://[example.com/A',
}

/** For each type: filters with the names of the records that they find. */
const cases: [type: string, filters: Record<string, string>, options?: string[]][] = [
  ['text', { '=Öl': 'a', '=ÖL': '', '[like]=ÖL': 'ah', '[in]=Zebra,gold': 'ch', '[lt]=b': 'fgk', '=null': 'delmn' }],
  [
    'number',
    { '=10': 'd', '[gt]=9': 'd', '[lt]=9': '', '[ne]=10': 'abcefghijklmnopq', '[ne]=null': 'd', '[in]=1,10': 'd' },
  ],
  ['boolean', { '=true': 'e', '=false': '', '[ne]=null': 'e' }],
  ['date', { '=2026-03-01': 'f', '[gte]=2026-03-02': '', '[ne]=null': 'f' }],
  ['datetime', { '=2026-03-01': 'fg', '[gt]=2026-03-01T10:00:00Z': '', '[gte]=2026-03-01T10:00:00Z': 'g' }],
  [
    'choice',
    { '=gold': 'h', '[gt]=silver': 'h', '[lt]=gold': '', '[in]=gold,null': 'abcdefghijklmnopq' },
    ['silver', 'gold'],
  ],
  ['url', { '=https://example.com/A': 'ip', '=https://example.com/a': '', '[like]=EXAMPLE': 'ip', '[ne]=null': 'ip' }],
  ['email', { '=grace@example.COM': 'j', '[like]=GRACE': 'j', '[ne]=null': 'j', '[in]=x@y.de,GRACE@EXAMPLE.com': 'j' }],
  ['phone', { '=0049891234': 'k', '=%2B49-89-1234': 'k', '[like]=9%2012': 'k', '[in]=1,%2B4989 1234': 'k' }],
]

for (const [type, filters, options] of cases) {
  test(`A declared field of type ${type} finds its values, and those of other types as empty`, async (t) => {
    const { client } = await (await start(t)).company('Acme')
    for (const [name, value] of Object.entries(values).slice(0, 6)) await addContact(client, name, { v: value })
    await declareField(client, 'v', type, { options })
    for (const [name, value] of Object.entries(values).slice(6)) await addContact(client, name, { v: value })

    for (const [filter, expected] of Object.entries(filters)) {
      for (const query of [`metadata.v${filter}`, `filter[metadata.v]${filter}`]) {
        const names = await namesOf(client, `${query}&sort=first_name`)

        assert.equal(names.join(''), expected, query)
      }
    }
    const { body } = await client.get('/api-v1-contacts?sort=first_name')
    assert.deepEqual(
      body.data.map(({ metadata }: { metadata: { v: unknown } }) => metadata.v),
      Object.values(values),
    )
  })
}

test('A list sorts by declared fields: empty values first, text folded, choices in the order of their options', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'word', 'text')
  await declareField(client, 'tier', 'choice', { options: ['low', 'mid', 'high'] })
  await addContact(client, '1', { word: 'Zebra', tier: 'mid' })
  await addContact(client, '2', { word: 'Äpfel', tier: 'high' })
  await addContact(client, '3', { word: 'apfel', tier: 'low' })
  await addContact(client, '4', { word: 5, tier: 'unknown' })
  await addContact(client, '5', { tier: 'mid' })
  const sorted = async (sort: string) => (await namesOf(client, `sort=${sort}`, 2)).join('')

  assert.equal(await sorted('metadata.tier'), '43152')
  assert.equal(await sorted('-metadata.tier'), '25134')
  assert.equal(await sorted('metadata.tier,-metadata.word'), '43152')
  assert.equal(await sorted('metadata.tier:desc,first_name:asc'), '21534')
  assert.equal(await sorted('metadata.word'), '45321')
  assert.equal(await sorted('-metadata.word'), '12354')
})

test('A declared field whose key is in the text of a cursor or its name does not make the cursor invalid', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  for (const key of ['cursor', 'c', 'I']) await declareField(client, key, 'number')
  for (const name of ['1', '2', '3']) await addContact(client, name, { c: Number(name) })

  assert.deepEqual(await namesOf(client, 'sort=first_name', 1), ['1', '2', '3'])
  assert.deepEqual(await namesOf(client, 'sort=-metadata.c', 1), ['3', '2', '1'])
})

test('Filtering or sorting by an undeclared key is an error that names the declared ones and says what to do', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'tier', 'text')

  const filtered = await client.get('/api-v1-contacts?metadata.other=x')
  const sorted = await client.get('/api-v1-contacts?sort=metadata.other')
  const elsewhere = await client.get('/api-v1-deals?metadata.tier=x')
  const operator = await client.get('/api-v1-contacts?metadata.tier[near]=x')

  assertError(filtered, 400, 'VALIDATION_ERROR', undefined, ['metadata.other'])
  assertError(sorted, 400, 'VALIDATION_ERROR', undefined, ['sort'])
  assertError(elsewhere, 400, 'VALIDATION_ERROR', undefined, ['metadata.tier'])
  assertError(operator, 400, 'VALIDATION_ERROR', undefined, ['metadata.tier[near]'])
  for (const { body } of [filtered, sorted])
    assert.match(body.error.message, /metadata\.tier, metadata\.<key> once the field is declared/)
})

test('A summary takes the filters on declared fields, which the OpenAPI document describes', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'n', 'number')
  for (const n of [1, 2, 3]) await addContact(client, String(n), { n })

  const { body } = await client.get('/api-v1-contacts/summary?metadata.n[gte]=2')

  assert.deepEqual(body.data, [{ group: {}, count: 2 }])
})

test('Text that has more than 2,048 characters, as it is sent or as it is compared, is kept and not indexed', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await declareField(client, 'v', 'text')
  const sizes = { a: 'x'.repeat(2_048), b: 'x'.repeat(2_049), c: '\ufdfa'.repeat(113), d: '\ufdfa'.repeat(114) }
  for (const [name, v] of Object.entries(sizes)) await addContact(client, name, { v })

  assert.deepEqual(await namesOf(client, 'metadata.v[ne]=null&sort=first_name'), ['a', 'c'])
})

test('A field may have the name of a built-in one or of a member of every object', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  await addContact(client, 'a', { first_name: 'x', constructor: 'y' })
  await addContact(client, 'b', {})

  for (const key of ['first_name', 'constructor', 'toString']) await declareField(client, key, 'text')

  assert.deepEqual(await namesOf(client, 'metadata.first_name=x'), ['a'])
  assert.deepEqual(await namesOf(client, 'first_name=x'), [])
  assert.deepEqual(await namesOf(client, 'metadata.constructor=null'), ['b'])
  assert.deepEqual(await namesOf(client, 'metadata.toString=null&sort=first_name'), ['a', 'b'])
})

test('A resource has at most 50 fields, deleted ones not counted', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const first = await declareField(client, 'f0', 'text')
  for (let n = 1; n < 50; n++) await declareField(client, `f${n}`, 'number')

  const more = await client.post(fieldsPath, { resource: 'contact', key: 'f50', type: 'text' })
  const other = await client.post(fieldsPath, { resource: 'deal', key: 'f50', type: 'text' })
  await addContact(client, 'a', { f49: 7 })
  await client.delete(`${fieldsPath}/${first.id}`)
  await declareField(client, 'f50', 'text')
  const restored = await client.post(`/api-v1-trash/${first.id}/restore`, {})

  assertError(more, 409, 'CONFLICT', 'A workspace has at most 50 fields for each resource: delete one first')
  assert.equal(other.status, 201)
  assertError(restored, 409, 'CONFLICT')
  assert.deepEqual(await namesOf(client, 'metadata.f49=7'), ['a'])
})

test('The fields of one workspace have no effect in another one', async (t) => {
  const server = await start(t)
  const [acme, globex] = [await server.company('Acme'), await server.company('Globex')]
  const { id } = await declareField(acme.client, 'tier', 'text', { unique: true })
  await addContact(acme.client, 'a', { tier: 'x' })

  for (const other of [globex.client, await acme.key({ environment: 'test' })]) {
    await addContact(other, 'b', { tier: 'x' })
    await addContact(other, 'c', { tier: 'x' })
    assertError(await other.get('/api-v1-contacts?metadata.tier=x'), 400, 'VALIDATION_ERROR')
    assertError(await other.get(`${fieldsPath}/${id}`), 404, 'NOT_FOUND')
    assertError(await other.patch(`${fieldsPath}/${id}`, { label: 'x' }), 404, 'NOT_FOUND')
    assertError(await other.delete(`${fieldsPath}/${id}`), 404, 'NOT_FOUND')
    await declareField(other, 'tier', 'text')
    assert.deepEqual(await namesOf(other, 'metadata.tier=x&sort=first_name'), ['b', 'c'])
  }
  assert.deepEqual(await namesOf(acme.client, 'metadata.tier=x'), ['a'])
})

test('Every key that reads anything sees the fields, and only admin:all changes them', async (t) => {
  const { client, key } = await (await start(t)).company('Acme')
  const { id } = await declareField(client, 'tier', 'text')
  const reader = await key({ scopes: ['read:tasks'] })
  const writer = await key({ scopes: ['read:all', 'write:all'] })

  const read = await reader.get(`${fieldsPath}/${id}`)
  const listed = await reader.get(`${fieldsPath}?resource=contact`)
  const refused = [
    await writer.post(fieldsPath, { resource: 'contact', key: 'more', type: 'text' }),
    await writer.patch(`${fieldsPath}/${id}`, { label: 'x' }),
    await writer.delete(`${fieldsPath}/${id}`),
  ]
  await client.delete(`${fieldsPath}/${id}`)
  refused.push(await writer.post(`/api-v1-trash/${id}/restore`, {}))

  assert.deepEqual([read.status, listed.body.data.length], [200, 1])
  for (const response of refused) assertError(response, 403, 'INSUFFICIENT_PERMISSIONS')
})
