import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { contact } from '../../../src/crm/contact.ts'
import { searchedOf } from '../../../src/engine/finding/list/search.ts'
import { resources } from '../../../src/features/index.ts'
import { enterDue } from '../../../src/threads/search-entry.ts'
import type { Client } from '../../support/client.ts'
import { addContact, declareField, fieldsPath } from '../../support/fields.ts'
import { fill, searcher } from '../../support/search.ts'
import { start } from '../../support/start.ts'
import { until } from '../../support/wait.ts'

const contactsPath = '/api-v1-contacts'

/** The first names of the contacts that a search finds, best first. */
function finder(client: Client) {
  const search = searcher(client)
  return async (q: string) => (await search(q)).map(({ title }) => title.replace(' Test', ''))
}

async function open(t: TestContext) {
  const server = await start(t)
  const company = await server.company('Acme')
  const { client } = company
  return { server, company, client, search: searcher(client), find: finder(client) }
}

test('Declared fields that hold text are searched like other fields, by the next request', async (t) => {
  const { client, search, find } = await open(t)
  await declareField(client, 'note', 'text')
  await declareField(client, 'site', 'url')
  await declareField(client, 'level', 'choice', { options: ['Größte', 'Kleinste'] })
  await addContact(client, 'Ada', { note: 'Blüten & Straße', site: 'https://Shop.example/x', level: 'Größte' })
  await addContact(client, 'Max', { note: 'other', level: 'Kleinste', rest: 'strasse' })

  for (const q of [
    'strasse',
    'BLUT',
    'lüten',
    'shop.example',
    'größ',
    'rösste',
    'strasse ada',
    'te strasse shop',
    'g',
    'st',
    'ad',
  ]) {
    assert.deepEqual(await find(q), ['Ada'], q)
  }
  assert.deepEqual(await find('ss'), [], 'a word of two characters begins a word')
  assert.deepEqual(await find('kleinste'), ['Max'])
  assert.deepEqual((await find('ste test')).toSorted(), ['Ada', 'Max'])
  const [found] = await search('strasse größte')
  assert.deepEqual(found!.matched, [
    { field: 'metadata.note', text: 'Blüten & Straße' },
    { field: 'metadata.level', text: 'Größte' },
  ])
})

test('An email, a phone or a unique value of a declared field that is the query comes first', async (t) => {
  const { client, find, search } = await open(t)
  await declareField(client, 'second', 'email')
  await declareField(client, 'fax', 'phone')
  await declareField(client, 'number', 'text', { unique: true })
  await declareField(client, 'note', 'text')
  const record = { second: 'Ada@Home.example', fax: '+49 (0)89 123-456', number: 'K-100' }
  await addContact(client, 'Ada', record)
  for (const value of Object.values(record)) await addContact(client, value, { note: value })

  assert.equal((await find('ada@home.example'))[0], 'Ada')
  assert.equal((await find('0049 89 123456'))[0], 'Ada')
  assert.equal((await find('089 123 456'))[0], 'Ada')
  assert.equal((await find('k-100'))[0], 'Ada')
  assert.deepEqual((await search('+4989123456'))[0]!.matched, [{ field: 'metadata.fax', text: '+49 (0)89 123-456' }])
})

test('Changes of a value, of a record and of a field are found at once', async (t) => {
  const { client, find } = await open(t)
  const { id } = await addContact(client, 'Ada', { note: 'former', kind: 'Partner' })
  assert.deepEqual(await find('former'), [])

  const note = await declareField(client, 'note', 'text')
  assert.deepEqual(await find('former'), ['Ada'])
  await client.patch(`${contactsPath}/${id}`, { metadata: { note: 'newer', kind: 'Partner' } })
  assert.deepEqual([await find('former'), await find('newer')], [[], ['Ada']])
  await client.patch(`${contactsPath}/${id}`, { metadata: { note: 7, kind: 'Partner' } })
  assert.deepEqual(await find('newer'), [])
  await client.patch(`${contactsPath}/${id}`, { metadata: { note: 'again', kind: 'Partner' } })
  await client.delete(`${contactsPath}/${id}`)
  assert.deepEqual(await find('again'), [])
  await client.post(`/api-v1-trash/${id}/restore`, {})
  assert.deepEqual(await find('again'), ['Ada'])
  await client.delete(`${fieldsPath}/${note.id}`)
  assert.deepEqual(await find('again'), [])
  await client.post(`/api-v1-trash/${note.id}/restore`, {})
  assert.deepEqual(await find('again'), ['Ada'])
  const kind = await declareField(client, 'kind', 'choice', { options: ['Other', 'Partner'] })
  assert.deepEqual(await find('partner'), ['Ada'])
  await client.patch(`${fieldsPath}/${kind.id}`, { options: ['Other'] })
  assert.deepEqual(await find('partner'), [])
})

test('Values of other types, and fields that hold no text, are not searched', async (t) => {
  const { client, find } = await open(t)
  for (const type of ['number', 'boolean', 'date', 'datetime']) await declareField(client, type, type)
  await declareField(client, 'note', 'text')
  const metadata = { number: 12345, boolean: true, date: '2026-01-31', datetime: '2026-01-31', note: ['listed'] }
  await addContact(client, 'Ada', metadata)

  for (const q of ['12345', 'true', '2026-01-31', 'listed']) assert.deepEqual(await find(q), [], q)
})

test('Every character of a declared value is literal', async (t) => {
  const { client, find } = await open(t)
  await declareField(client, 'note', 'text')
  const notes = ['100% wool', 'a"quoted"b', "O'Neill", 'back\\slash', 'שלום עולם', '😀😀 party', '(a OR bcd)']
  for (const note of notes) await addContact(client, `n${notes.indexOf(note)}`, { note })

  for (const [q, at] of [
    ['00% wo', 0],
    ['"quo', 1],
    ["o'nei", 2],
    ['k\\sl', 3],
    ['עולם', 4],
    ['😀😀', 5],
    ['(a or bcd)', 6],
  ] as const) {
    assert.deepEqual(await find(q), [`n${at}`], q)
  }
})

test('Fields of another company or environment neither find nor hide anything', async (t) => {
  const { server, company, client, find } = await open(t)
  const other = await server.company('Other')
  const testKey = await company.key({ environment: 'test' })
  await declareField(client, 'note', 'text')
  await addContact(client, 'Ada', { note: 'needle' })
  for (const each of [other.client, testKey]) await addContact(each, 'Eve', { note: 'needle' })

  assert.deepEqual(await find('needle'), ['Ada'])
  assert.deepEqual(await finder(other.client)('needle'), [])
  await declareField(other.client, 'note', 'text')
  assert.deepEqual([await find('needle'), await finder(other.client)('needle')], [['Ada'], ['Eve']])
})

test('In a large workspace, declared values are found before and after they enter the search index', async (t) => {
  const { server, client, find } = await open(t)
  for (let each = 0; each < 50; each++) {
    await declareField(
      client,
      `k${each}`,
      each % 2 ? 'text' : 'choice',
      each % 2 ? {} : { options: ['Gold', 'Silber'] },
    )
  }
  const records = Array.from({ length: 1_100 }, (_, row) => ({
    ...{ first_name: `Row ${row}`, last_name: 'Test' },
    metadata: { k1: `value ${row}`, k49: row === 7 ? 'nadel im heu' : 'heu', k0: row === 7 ? 'Silber' : 'Gold' },
  }))
  await fill(server, client, contact, records)
  const found = async () => [
    await find('nadel heu'),
    await find('silber'),
    await find('value 1099'),
    await find('nadel gold'),
  ]
  const before = await found()

  await enterDue(server.store, resources.map(searchedOf), new AbortController().signal)

  assert.deepEqual(before, [['Row 7'], ['Row 7'], ['Row 1099'], []])
  assert.deepEqual(await found(), before)
})

test('A field on many records is searched as soon as it is indexed', async (t) => {
  const { server, client, find } = await open(t)
  const records = Array.from({ length: 1_600 }, (_, row) => ({
    first_name: `Row ${row}`,
    metadata: { note: `n${row}x` },
  }))
  await fill(server, client, contact, records)

  await declareField(client, 'note', 'text')
  await until('the field is indexed', async () => {
    const { status } = await client.get(`${contactsPath}?metadata.note=n7x`)
    await find('n1599x')
    return status !== 503
  })

  assert.deepEqual(await find('n1599x'), ['Row 1599'])
  assert.equal((await client.get(`${contactsPath}?q=n1599x`)).body.pagination.total, 1)
})
