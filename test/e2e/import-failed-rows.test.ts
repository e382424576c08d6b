import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { totalOf } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { desk, sample } from './import-desk.ts'

test('A row that is too long keeps its cells in the file of failed rows, and fails again until it is corrected', async (t) => {
  const { client, directory, importFile } = await desk(t, { 'a.csv': 'Name\nA, Inc\nB\n' })
  const errors = (name: string) => readFileSync(join(directory, name), 'utf8')

  await importFile('organizations', 'a.csv')
  const first = errors('a.errors.csv')
  const second = await importFile('organizations', 'a.errors.csv', '--errors', join(directory, 'b.csv'))
  const third = await importFile('organizations', 'b.csv', '--errors', join(directory, 'c.csv'))

  assert.match(first, /\r\nA,"The row has 2 cells, the header has 1"," Inc"\r\n$/)
  assert.deepEqual([second.code, third.code, await totalOf(client, 'organizations')], [1, 1, 1])
  assert.match(errors('c.csv'), /\r\nA,"The row has 3 cells, the header has 2"," Inc"\r\n$/)
})

test('A JSON record that fails keeps what it names and all digits of its numbers, and is imported whole when it is corrected', async (t) => {
  const contacts = [
    { first_name: '', organization: { name: 'Acme' } },
    { first_name: '', organization: { domain: 'mueller.example' } },
    { first_name: '', organization: 'Nord' },
  ]
  const people = [{ email: 'ada@x.example', role: 'Buyer' }, { first_name: 'Bo', last_name: 'Lund' }, { name: 'Cy' }]
  const deals = [
    { title: '', stage: 'Qualified', pipeline: 'Partners', organization: { name: 'Acme' }, value: 5, contacts: people },
    { title: '', stage: { name: 'Lead' }, contact: 'bo@x.example', organization: 'Acme' },
    { title: '', organization: { metadata: { number: '7' } } },
  ]
  const { client, directory, importFile } = await desk(t, {
    'a.json': JSON.stringify(contacts),
    'b.ndjson': deals.map((each) => `${JSON.stringify(each)}\n`).join(''),
    'c.json': '[{"first_name":"","metadata":{"sf":12345678901234567}}]',
    'd.ndjson': '{"first_name":"","metadata":{"sf":12345678901234567}}\n',
  })
  const number = { resource: 'organization', key: 'number', type: 'text' }
  assert.equal((await client.post('/api-v1-fields', number)).status, 201)
  const acme = await make(client, 'organization', { name: 'Acme', metadata: { number: '7' } })
  const partners = await make(client, 'pipeline', { name: 'Partners' })
  await make(client, 'stage', { name: 'Qualified', pipeline_id: partners.id })
  for (const [first_name, last_name] of [['Ada'], ['Bo', 'Lund'], ['Cy']])
    await make(client, 'contact', { first_name, last_name, emails: [{ email: `${first_name}@x.example` }] })
  const correct = async (what: string, name: string, column: number, value: string) => {
    const failed = await importFile(what, name)
    assert.equal(failed.code, 1, failed.stderr)
    const path = join(directory, `${name.split('.')[0]}.errors.csv`)
    const lines = readFileSync(path, 'utf8').split('\r\n')
    assert.match(lines[0]!.split(',')[column]!, /first_name|title/)
    writeFileSync(path, [lines[0], ...lines.slice(1).map((line) => line && value + line)].join('\r\n'))
    const { code, stdout, stderr } = await importFile(what, path.slice(directory.length + 1), '--errors', `${path}.csv`)
    return { code, out: stdout + stderr, lines }
  }

  const contactsDone = await correct('contacts', 'a.json', 0, 'Z')
  const dealsDone = await correct('deals', 'b.ndjson', 0, 'Z')
  const numbers = [await correct('contacts', 'c.json', 0, 'Z'), await correct('contacts', 'd.ndjson', 0, 'Z')]

  assert.equal(contactsDone.code, 0, contactsDone.out)
  assert.equal(dealsDone.code, 0, dealsDone.out)
  const made = (await client.get('/api-v1-contacts?first_name=Z&include=organization')).body.data
  assert.deepEqual(made.map((each: JsonRecord) => each.organization.name).sort(), ['Acme', 'Nord', 'mueller.example'])
  const { data } = (await client.get('/api-v1-deals?include=contacts,stage,contact&sort=created_at')).body
  assert.deepEqual(
    data.map((each: JsonRecord) => [each.organization_id, each.value, each.stage.name, each.contact?.first_name]),
    [
      [acme.id, 5, 'Qualified', 'Ada'],
      [acme.id, 0, 'Lead', 'Bo'],
      [acme.id, 0, 'Lead', undefined],
    ],
  )
  assert.deepEqual(data[0].contacts.map((each: JsonRecord) => each.first_name).sort(), ['Ada', 'Bo', 'Cy'])
  for (const { code, lines } of numbers) {
    assert.match(lines[1]!, /"\{""sf"":12345678901234567\}"/)
    assert.equal(code, 1)
  }
})

test('A card that fails is recognized in the file of failed rows, and nothing of it is lost', async (t) => {
  const card = (mail: string) =>
    [
      ...['BEGIN:VCARD', 'VERSION:3.0', 'N:Weber;Ada;M.;Dr.;Jr.', 'FN:Ada Weber', 'ORG:Acme;Sales', 'TITLE:Buyer'],
      ...[`EMAIL;TYPE=home:${mail}`, 'TEL;TYPE=cell,pref:+49 30 1', 'ADR:;;Street 1;Berlin;;10115;DE', 'NOTE:Kind'],
      ...['URL:https://acme.example', 'CATEGORIES:VIP,Press', 'NICKNAME:Addy', 'BDAY:1980-12-31', 'UID:7', 'END:VCARD'],
    ].join('\r\n')
  const { client, directory, importFile } = await desk(t, {
    'right.vcf': card('ada@x.example'),
    'wrong.vcf': card('ada@'),
    'bad-line.vcf': sample('cases/one-bad-line.vcf'),
    'plain.csv': 'First name,Last name,import_error\n,Lund,First name is required\n',
  })
  const results = [await importFile('contacts', 'right.vcf'), await importFile('contacts', 'wrong.vcf')]
  const errors = readFileSync(join(directory, 'wrong.errors.csv'), 'utf8')
  writeFileSync(join(directory, 'mended.csv'), errors.replace('ada@,', 'ada@x.example,'))
  for (const name of ['wrong.errors.csv', 'mended.csv', 'bad-line.vcf', 'bad-line.errors.csv', 'plain.csv'])
    results.push(await importFile('contacts', name))

  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 1, 1, 0, 1, 0, 1],
    results.map(({ stderr }) => stderr).join('\n'),
  )
  const path = '/api-v1-contacts?last_name=Weber&include=emails,phones,organization'
  const { data } = (await client.get(path)).body
  const [one, two] = data.map(({ first_name, job_title, metadata, organization, ...each }: JsonRecord) => [
    ...[first_name, job_title, metadata, organization.id],
    ...[each.contact_emails, each.contact_phones].map((items) => items.map(({ id, ...item }: JsonRecord) => item)),
  ])
  assert.deepEqual(one, two)
  assert.equal(Object.keys(one[2]).length, 9)
})
