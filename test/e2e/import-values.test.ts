import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { desk } from './import-desk.ts'

test('A row whose currency contradicts the heading of its amount fails, in any order of the columns', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'a.csv': 'Title,Currency,Amount (USD)\nA,EUR,5\nB,usd,7\nC,GBP,\n',
    'b.csv': 'Titel;Wert (USD);Währung\nD;5;EUR\nE;8;\n',
    'c.csv': 'Name,Price - CHF,Currency\nF,5,EUR\n',
  })

  const results = [
    await importFile('deals', 'a.csv'),
    await importFile('deals', 'b.csv'),
    await importFile('products', 'c.csv'),
  ]

  assert.deepEqual(
    results.map(({ stdout }) => stdout.split('\n')[0]),
    ['2 deals imported.', '1 deal imported.', '0 products imported.'],
  )
  for (const [name, code] of Object.entries({ a: 'USD', b: 'USD', c: 'CHF' })) {
    const errors = readFileSync(join(directory, `${name}.errors.csv`), 'utf8')
    assert.match(errors, new RegExp(`"currency: EUR contradicts the heading, which says ${code}"`))
  }
  assert.deepEqual(await listed(client, '/api-v1-deals?sort=title', ['title', 'value', 'currency']), [
    ['B', 7, 'USD'],
    ['C', 0, 'GBP'],
    ['E', 8, 'USD'],
  ])
})

test('A number in metadata that cannot be stored exactly is refused, as from JSON', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'a.csv':
      'first_name,metadata,metadata.size\nA,"{""sf"":12345678901234567}",\nB,"{""in"":[{""sf"":0.123456789012345678901}]}",L\nC,"{""sf"":1.50}",L\nD,12345678901234567,\n',
  })

  const { stdout } = await importFile('contacts', 'a.csv')

  assert.match(stdout, /^1 contact imported\.\n3 failed/)
  const errors = readFileSync(join(directory, 'a.errors.csv'), 'utf8')
  assert.match(errors, /\nA,"\{""sf"":12345678901234567\}",,.*12345678901234567.*cannot be stored exactly/)
  assert.match(errors, /\nB,.*0\.123456789012345678901.*cannot be stored exactly/)
  assert.match(errors, /\nD,12345678901234567,,.*must be a JSON object/)
  assert.deepEqual(await listed(client, '/api-v1-contacts', ['metadata']), [[{ sf: 1.5, size: 'L' }]])
})

test('Numbers with exponents or many decimals, and milliseconds, come back equal with our own files', async (t) => {
  const { client, directory, importFile } = await desk(t, {})
  for (const [key, type] of Object.entries({ size: 'number', called: 'datetime' }))
    assert.equal((await client.post('/api-v1-fields', { resource: 'task', key, type })).status, 201)
  const numbers = [0.30000000000000004, 10 / 3, 1e-7, -1e21, 1e15, 4.35, 1.7976931348623157e308]
  for (const [at, value] of numbers.entries()) await make(client, 'deal', { title: `Deal ${at}`, value })
  for (const [at, size] of numbers.entries()) {
    const time = `2026-12-31T23:59:59.${String(at).padStart(3, '0')}Z`
    await make(client, 'task', { title: `Task ${at}`, due_date: time, metadata: { size, called: time } })
  }
  const valuesOf = async () => [
    await listed(client, '/api-v1-deals?sort=title', ['title', 'value']),
    await listed(client, '/api-v1-tasks?sort=title:asc', ['title', 'due_date', 'metadata']),
  ]
  const before = await valuesOf()

  for (const what of ['deals', 'tasks']) {
    const { body } = await client.request('GET', `/api-v1-${what}`, { headers: { Accept: 'text/csv' } })
    writeFileSync(join(directory, `${what}.csv`), body)
    assert.match((await importFile(what, `${what}.csv`)).stdout, /^7 \w+ imported/)
  }

  const twice = before.map((rows) => rows.flatMap((row) => [row, row]))
  assert.deepEqual(await valuesOf(), twice)
})

test('A declared date is read by the rules of other dates: two digits of a year, and days that may be two', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'a.csv': 'First name;Since;Called\nA;31.12.26;1.2.26 14:30\nB;31.12.2026;\nC;03/04/26;\nF;31.12.58;\nG;31.12.75;\n',
    'b.csv': 'First name,Since\nD,12/31/26\nE,03/04/26\n',
  })
  for (const [key, type] of Object.entries({ since: 'date', called: 'datetime' }))
    assert.equal((await client.post('/api-v1-fields', { resource: 'contact', key, type })).status, 201)

  const results = [await importFile('contacts', 'a.csv'), await importFile('contacts', 'b.csv')]

  assert.deepEqual(
    results.map(({ code }) => code),
    [1, 0],
  )
  const failed = readFileSync(join(directory, 'a.errors.csv'), 'utf8')
  assert.match(failed, /\nC,03.04.26.* may be a day of two months/)
  assert.match(failed, /\nF,31.12.58.* may be a year of two centuries: write it with four digits/)
  assert.deepEqual(await listed(client, '/api-v1-contacts?sort=first_name', ['first_name', 'metadata']), [
    ['A', { since: '2026-12-31', called: '2026-02-01T14:30:00' }],
    ['B', { since: '2026-12-31' }],
    ['D', { since: '2026-12-31' }],
    ['E', { since: '2026-03-04' }],
    ['G', { since: '1975-12-31' }],
  ])
})

test('The website of an organization that a row names is read as its domain', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': 'first_name,organization.domain\nA,www.acme.example\nB,https://acme.example/\nC,acme.example\n',
    'b.csv': 'title,organization.domain\nD,https://www.acme.example/x\n',
  })

  const results = [await importFile('contacts', 'a.csv'), await importFile('deals', 'b.csv')]

  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0],
  )
  assert.deepEqual(await listed(client, '/api-v1-organizations', ['name', 'domain']), [
    ['acme.example', 'acme.example'],
  ])
})

async function listed(client: Client, path: string, names: string[]): Promise<unknown[][]> {
  const { data } = (await client.get(path)).body
  return data.map((each: JsonRecord) => names.map((name) => each[name]))
}
