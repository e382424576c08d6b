import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { totalOf } from '../support/imports.ts'
import { bundle, run } from '../support/program.ts'
import { desk, sample } from './import-desk.ts'

test('Nothing is imported of a file with data in columns that match no field, until a flag or a map says what to do', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': sample('outlook.csv'),
    'b.csv': 'first_name,Size,Empty\nAda,5,\n',
  })

  const stopped = await importFile('contacts', 'b.csv')
  const before = await totalOf(client, 'contacts')
  const mapped = await importFile('contacts', 'b.csv', '--map', 'Size=metadata.size')
  const ignored = await importFile('contacts', 'b.csv', '--ignore-columns')
  const vendor = await importFile('contacts', 'a.csv')

  assert.deepEqual([stopped.code, before], [2, 0])
  assert.match(
    stopped.stderr,
    /These columns have data that would not be imported: Size\. .*--map "Size=metadata\.<key>"/,
  )
  assert.deepEqual([mapped.code, ignored.code, vendor.code], [0, 0, 0])
  assert.match(ignored.stderr, /Columns that are not imported: Size/)
  assert.equal(await totalOf(client, 'contacts'), 4)
})

test('Nothing is imported of a JSON file with members that are no fields, until they are left out', async (t) => {
  const own = { id: 'x', created_at: '2026-01-01', stage: 'Lead', contacts: [], organization: null, pipeline: 'Sales' }
  const deals = [
    { title: 'Ours', ...own },
    { title: 'Theirs', amount: 5, tags: ['vip'], address: { city: 'Ulm' }, empty: [{ of: null }, ''] },
  ]
  const { client, importFile } = await desk(t, {
    'a.json': JSON.stringify(deals),
    'b.ndjson': deals.map((each) => `${JSON.stringify(each)}\n`).join(''),
    'c.json': JSON.stringify(deals.slice(0, 1)),
  })

  const stopped = [await importFile('deals', 'a.json', '--dry-run'), await importFile('deals', 'b.ndjson')]
  const before = await totalOf(client, 'deals')
  const ignored = await importFile('deals', 'b.ndjson', '--ignore-columns')
  const whole = await importFile('deals', 'c.json')

  for (const { code, stderr } of stopped) {
    assert.equal(code, 2)
    assert.match(stderr, /These members have data that would not be imported: amount, tags, address\. /)
  }
  assert.equal(before, 0)
  assert.match(ignored.stderr, /Members that are not imported: amount, tags, address$/m)
  assert.deepEqual([ignored.code, whole.code, whole.stderr.includes('not imported')], [0, 0, false])
  assert.equal(await totalOf(client, 'deals'), 3)
})

test('A dry run shows the columns, the repeated and the invalid rows, and writes nothing', async (t) => {
  const csv = 'Name,E-Mail\nAda Weber,ada@x.example\nAnn,ADA@x.example\n,nobody\n'
  const { client, directory, importFile } = await desk(t, { 'a.csv': csv })

  const text = await importFile('contacts', 'a.csv', '--dry-run')
  const json = await importFile('contacts', 'a.csv', '--dry-run', '--json')

  assert.equal(text.code, 1)
  assert.match(
    text.stdout,
    /^3 contacts in the file\. Nothing was written\.\n {2}Name → full_name\n {2}E-Mail → emails\.email\n/,
  )
  assert.match(
    text.stdout,
    /line 3: the same email as line 2\nRows with the email of .*: 1\n {2}line 3: .*\nRows that would fail: 1\n {2}line 4 \(nobody\): first_name: First name is required/,
  )
  const { rows, duplicates, failed, dry_run } = JSON.parse(json.stdout)
  assert.deepEqual([rows, duplicates, failed, dry_run], [3, 1, 1, true])
  assert.equal(await totalOf(client, 'contacts'), 0)
  assert.equal(existsSync(join(directory, 'a.errors.csv')), false)
})

test('Contacts of Salesforce get the account that was imported before, and deleted rows are skipped and counted', async (t) => {
  const files = { 'accounts.csv': sample('salesforce-accounts.csv'), 'contacts.csv': sample('salesforce-contacts.csv') }
  const { client, importFile } = await desk(t, files)
  const field = { resource: 'organization', key: 'salesforce_id', type: 'text' }
  await client.post('/api-v1-fields', field)

  const accounts = await importFile('organizations', 'accounts.csv')
  const contacts = await importFile('contacts', 'contacts.csv', '--map', 'Shoe_Size__c=metadata.shoe_size')

  assert.equal(accounts.stdout, '1 organization imported.\n1 row marked as deleted: skipped.\n')
  assert.equal(contacts.stdout, '2 contacts imported.\n1 row marked as deleted: skipped.\n')
  const { data } = (await client.get('/api-v1-contacts?include=organization,phones&sort=first_name')).body
  assert.equal(data[0].organization.name, 'Müller Feinkost')
  assert.equal(data[0].metadata.shoe_size, '38')
  assert.deepEqual(
    data[0].contact_phones.map((each: { type: string }) => each.type),
    ['work', 'mobile'],
  )
})

test('Contacts of Salesforce are imported without the accounts, and the summary says so, whether or not the key is declared', async (t) => {
  const { client, importFile } = await desk(t, { 'c.csv': sample('salesforce-contacts.csv') })

  const undeclared = await importFile('contacts', 'c.csv', '--ignore-columns')
  await client.post('/api-v1-fields', { resource: 'organization', key: 'salesforce_id', type: 'text' })
  const declared = await importFile('contacts', 'c.csv', '--ignore-columns')

  for (const { code, stdout } of [undeclared, declared]) {
    assert.equal(code, 0)
    assert.match(
      stdout,
      /Rows that name an organization or a contact that does not exist: 1; the name or id is in metadata/,
    )
  }
  const { data } = (await client.get('/api-v1-contacts?sort=first_name')).body
  assert.equal(data[0].organization_id, null)
  assert.equal(data[0].metadata.salesforce_organization_id, '0015g00000AbCdEAAV')
})

test('A vCard file is imported with its emails and phones', async (t) => {
  const { client, importFile } = await desk(t, { 'c.vcf': sample('contacts.vcf') })

  const { code, stderr } = await importFile('contacts', 'c.vcf', '--map', 'X-SOCIALPROFILE=metadata.linkedin')

  assert.equal(code, 0, stderr)
  const { data } = (await client.get('/api-v1-contacts?include=emails,phones&sort=first_name')).body
  const [ada, juergen, otto] = data
  assert.equal(ada.metadata.linkedin, 'https://social.example/ada')
  assert.deepEqual(
    ada.contact_emails.map((each: { type: string; is_primary: boolean }) => [each.type, each.is_primary]),
    [
      ['work', false],
      ['personal', true],
    ],
  )
  assert.deepEqual([juergen.last_name, otto.contact_phones[0].phone_number], ['Groß', '+49-8022-1'])
})

test('The help of an import names vCard if its records are people, and what they are matched by', async () => {
  const help = async (what: string) => (await run(bundle, ['import', what, '--help'])).stdout.replace(/\s+/g, ' ')

  assert.match(await help('contacts'), /a CSV, vCard, JSON or NDJSON file/)
  assert.doesNotMatch(await help('products'), /vcard/i)
  assert.match(await help('contacts'), /another: email or metadata\.<key> of a unique declared field/)
})

const unreadable: Record<string, [content: string | Buffer, message: RegExp]> = {
  'that is empty': ['', /is empty/],
  'with mixed encodings': [
    Buffer.concat([Buffer.from('first_name\nZoë\n'), Buffer.from('Zo\xeb\n', 'latin1')]),
    /both UTF-8 and/,
  ],
  'with a million columns': [`first_name${',x'.repeat(1_000_000)}\n`, /line 1: has more than 2000 columns/],
  'whose last quote is never closed': ['first_name\nAda\n"Grace\n', /line 3: a quote is never closed/],
}

for (const [what, [content, message]] of Object.entries(unreadable)) {
  test(`Nothing is imported of a file ${what}`, async (t) => {
    const { client, importFile } = await desk(t, { 'a.csv': content })

    const { code, stderr } = await importFile('contacts', 'a.csv')

    assert.equal(code, 1)
    assert.match(stderr, message)
    assert.equal(await totalOf(client, 'contacts'), 0)
  })
}

test('Nothing is sent to a server that does not know what to match records by, and would create all of them', async (t) => {
  const requests: string[] = []
  const older = createServer(({ method, url }, res) => {
    requests.push(`${method} ${url}`)
    res.writeHead(url === '/openapi.json' ? 200 : 403).end('{"paths":{}}')
  })
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve))
  t.after(() => older.close())
  const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`
  const { importFile } = await desk(t, { 'a.csv': 'first_name,email\nAda,a@x.example\n' })

  const { code, stderr } = await importFile('contacts', 'a.csv', '--url', url, '--match-on', 'email')

  assert.equal(code, 1)
  assert.match(stderr, /does not support match_on: upgrade the server/)
  assert.deepEqual(requests, ['GET /api-v1-fields?resource=contact&limit=100', 'GET /openapi.json'])
})
