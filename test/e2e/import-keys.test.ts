import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { desk } from './import-desk.ts'

const hubspotId = { key: 'hubspot_id', label: 'HubSpot ID', type: 'text', unique: true }

async function valuesOf(client: Client, path: string, ...fields: string[]): Promise<unknown[]> {
  const { data } = (await client.get(`/api-v1-${path}`)).body
  return data.map((record: JsonRecord) => fields.map((field) => record[field]).join(' '))
}

test('A placeholder is no key: rows with one do not match each other, and the summary names what was left out', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': 'Name,Website,City\nAlpha,n/a,Bonn\nBeta,n/a,Berlin\nGamma,-,Trier\nDelta,http://,n/a\n',
    'b.csv': 'Name,SKU\nHamper,-\nCard,-\nSize,X\n',
    'c.csv': 'Record ID,First name,Private mail,Company\nn/a,Ada,keine,n/a\nn/a,Bo,k.A.,-\n',
  })
  await make(client, 'field', { resource: 'contact', ...hubspotId })
  await make(client, 'field', { resource: 'contact', key: 'mail', label: 'Private mail', type: 'email' })

  const organizations = await importFile('organizations', 'a.csv', '--match-on', 'domain')
  const products = await importFile('products', 'b.csv', '--match-on', 'sku')
  const map = ['--map', 'Record ID=metadata.hubspot_id', '--match-on', 'metadata.hubspot_id']
  const contacts = await importFile('contacts', 'c.csv', ...map)

  assert.match(organizations.stdout, /^4 organizations imported: 4 created, 0 updated/)
  assert.match(
    organizations.stdout,
    /\nCells without a value, left empty: 4: line 2 \(n\/a\), .*, line 5 \(http:\/\/\)\n/,
  )
  assert.match(products.stdout, /^3 products imported: 3 created, 0 updated/)
  assert.match(contacts.stdout, /^2 contacts imported: 2 created, 0 updated/)
  assert.match(contacts.stdout, /left empty: 6: line 2 \(n\/a\), line 2 \(keine\), line 2 \(n\/a\), line 3 \(n\/a\), /)
  assert.deepEqual(await valuesOf(client, 'organizations?sort=name', 'name', 'domain', 'city'), [
    ...['Alpha  Bonn', 'Beta  Berlin', 'Delta  n/a', 'Gamma  Trier'],
  ])
  assert.deepEqual(await valuesOf(client, 'products?sort=name', 'name', 'sku'), ['Card ', 'Hamper ', 'Size X'])
  const { data } = (await client.get('/api-v1-contacts')).body
  assert.deepEqual(
    data.map(({ metadata }: JsonRecord) => metadata),
    [{}, {}],
  )
})

test('A number that a spreadsheet has rounded is no key: its row fails, and says what to do', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'a.csv': 'Record ID,Company name,City\n1.23457E+11,Alpha,Bonn\n1.23457E+11,Beta,Berlin\n123456789012,Gamma,Trier\n',
    'b.csv': 'Record ID;Company name;City\n1,23457E+11;Alpha;Bonn\n',
    'c.csv': 'Name,SKU\nHamper,1.23E+12\nCard,1E5\n',
    'd.csv': 'Title,Company ID\nFleet,1.23457E+11\n',
  })
  await make(client, 'field', { resource: 'organization', ...hubspotId })
  const map = ['--map', 'Record ID=metadata.hubspot_id', '--match-on', 'metadata.hubspot_id']

  const runs = [
    await importFile('organizations', 'a.csv', ...map),
    await importFile('organizations', 'b.csv', ...map),
    await importFile('products', 'c.csv', '--match-on', 'sku'),
    await importFile('deals', 'd.csv', '--map', 'Company ID=organization.metadata.hubspot_id'),
  ]

  assert.deepEqual(
    runs.map(({ code, stdout }) => [code, ...stdout.match(/\d+ (?:created|failed)/g)!]),
    [
      [1, '1 created', '2 failed'],
      [1, '0 created', '1 failed'],
      [1, '1 created', '1 failed'],
      [1, '1 failed'],
    ],
  )
  assert.deepEqual(await valuesOf(client, 'organizations', 'name'), ['Gamma'])
  const errors = readFileSync(join(directory, 'a.errors.csv'), 'utf8')
  assert.match(
    errors,
    /\n1\.23457E\+11,Alpha,Bonn,"?metadata\.hubspot_id: 1\.23457E\+11 was rounded by a spreadsheet: format/,
  )
})

test('Companies with pages at one host stay apart, and rows that share a domain are named', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': [
      'Name,Website',
      'Alpha,https://www.facebook.com/alpha',
      'Beta,facebook.com/beta/',
      'Gamma,https://de.linkedin.com/company/gamma',
      'Site,https://sites.google.com/view/site',
      'View,https://sites.google.com/view/view',
      'Meta,https://www.facebook.com/',
      'Link,http://de.linkedin.com',
      'Shop,https://shop.etsy.com',
      'Nord,https://www.nord.example/de/index.html',
      'Nord Trier,http://nord.example',
    ].join('\n'),
  })

  const dry = await importFile('organizations', 'a.csv', '--match-on', 'domain', '--dry-run')
  const done = await importFile('organizations', 'a.csv', '--match-on', 'domain')
  const imported = await valuesOf(client, 'organizations?sort=name', 'name', 'domain')
  const again = await importFile('organizations', 'a.csv', '--match-on', 'domain', '--json')

  assert.deepEqual(imported, [
    ...['Alpha facebook.com/alpha', 'Beta facebook.com/beta', 'Gamma linkedin.com/company/gamma'],
    ...['Link ', 'Meta ', 'Nord Trier nord.example', 'Shop shop.etsy.com'],
    ...['Site sites.google.com/view/site', 'View sites.google.com/view/view'],
  ])
  assert.match(done.stdout, /^10 organizations imported: 9 created, 1 updated/)
  const { created, notes } = JSON.parse(again.stdout)
  assert.deepEqual([created, notes.at(-1)], [2, '  line 11: the same domain as line 10'])
  assert.match(done.stdout, /left empty: 2: line 7 \(https:\/\/www\.facebook\.com\/\), line 8 /)
  const named = /\nRows that repeat an earlier one: 1\n {2}line 11: the same domain as line 10\n/
  for (const { stdout } of [dry, done]) assert.match(stdout, named)
})

test('What a name refers to does not depend on the other rows: the exact name, or else the only one in another case', async (t) => {
  const { client, directory, importFile } = await desk(t, {})
  await make(client, 'organization', ...['ACME', 'Acme', 'Nord', 'Twin', 'Twin'].map((name) => ({ name })))
  const people = ['ADA WEBER', 'Ada Weber', 'Bo Nord', 'Cy Twin', 'Cy Twin'].map((name) => name.split(' '))
  await make(client, 'contact', ...people.map(([first_name, last_name]) => ({ first_name, last_name })))
  const names = {
    'organization.name': ['acme', 'Acme', 'ACME', 'nord', 'Twin', 'twin', 'None such'],
    'contacts:name': ['ada weber', 'Ada Weber', 'ADA WEBER', 'bo nord', 'Cy Twin', 'cy twin', 'No One'],
  }
  const right = [false, true, true, true, false, false, false]

  for (const [path, values] of Object.entries(names)) {
    const files = [values, values.toReversed(), ...values.map((value) => [value])]
    for (const [at, rows] of files.entries()) {
      const [name, results] = [`${path.length}-${at}.csv`, join(directory, `${path.length}-${at}.ndjson`)]
      writeFileSync(join(directory, name), `Title,Whose\n${rows.map((value) => `${value},${value}\n`).join('')}`)
      await importFile('deals', name, '--map', `Whose=${path}`, '--results', results)
      const outcomes = readFileSync(results, 'utf8').trim().split('\n')
      assert.deepEqual(
        outcomes.map((line) => JSON.parse(line).outcome === 'created'),
        rows.map((value) => right[values.indexOf(value)]),
        `${path}: ${rows}`,
      )
    }
  }

  const { data } = (await client.get('/api-v1-deals?include=organization,contact&limit=100')).body
  const named = data.map(({ title, organization, contact }: JsonRecord) => {
    return `${title}: ${organization?.name ?? `${contact.first_name} ${contact.last_name}`}`
  })
  assert.deepEqual([...new Set(named)].sort(), [
    ...['ACME: ACME', 'ADA WEBER: ADA WEBER', 'Acme: Acme', 'Ada Weber: Ada Weber', 'bo nord: Bo Nord', 'nord: Nord'],
  ])
})
