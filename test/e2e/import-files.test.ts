import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { totalOf } from '../support/imports.ts'
import { bundle, type Run, run } from '../support/program.ts'
import { start } from '../support/start.ts'

interface Desk {
  client: Client
  directory: string
  importFile(what: string, name: string, ...options: string[]): Promise<Run>
}

/** A server, and a directory with files. Names without a content are samples. */
async function desk(t: TestContext, files: Record<string, string | Buffer>): Promise<Desk> {
  const server = await start(t)
  const client = await server.client()
  const directory = temporaryDirectory(t)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return {
    client,
    directory,
    importFile: (what, name, ...options) =>
      run(bundle, ['import', what, join(directory, name), '--url', server.url, '--key', client.key, ...options]),
  }
}

function sample(name: string): Buffer {
  return readFileSync(new URL(`../samples/${name}`, import.meta.url))
}

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
    assert.match(stdout, /Rows whose account was not imported before: 1; they have no organization/)
  }
  const { data } = (await client.get('/api-v1-contacts?sort=first_name')).body
  assert.equal(data[0].organization_id, null)
  assert.equal(data[0].metadata.salesforce_organization_id, '0015g00000AbCdEAAV')
})

test('An import that matches records by a field stops if no column fills it: it would create every record again', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': 'first_name,Mail of work\nAda,a@x.example\n',
    'a.ndjson': '{"first_name":"Ada"}\n',
    'b.ndjson': '{"first_name":"Ada","emails":[{"email":"a@x.example"}]}\n',
  })

  const by = ['--match-on', 'email']
  const unmapped = await importFile('contacts', 'a.csv', '--ignore-columns', ...by)
  const records = await importFile('contacts', 'a.ndjson', ...by)
  const declared = await importFile('contacts', 'a.csv', '--ignore-columns', '--match-on', 'metadata.number')
  const before = await totalOf(client, 'contacts')
  const mapped = await importFile('contacts', 'a.csv', '--map', 'Mail of work=emails.email', ...by)
  const again = await importFile('contacts', 'b.ndjson', ...by)

  for (const { code, stderr } of [unmapped, records]) {
    assert.equal(code, 2)
    assert.match(stderr, /Nothing in the file is imported into emails, so that --match-on email would create every row/)
  }
  assert.deepEqual([declared.code, before], [2, 0])
  assert.deepEqual([mapped.code, again.code, await totalOf(client, 'contacts')], [0, 0, 1], mapped.stderr)
})

test('The encoding of a file is detected and named with samples, and one that is not certain has to be chosen', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'polish.csv': sample('cases/windows-1250.csv'),
    'short.csv': Buffer.from('first_name\n\xc0\n', 'latin1'),
  })

  const { code, stderr } = await importFile('contacts', 'polish.csv')
  const unsure = await importFile('contacts', 'short.csv')
  const before = await totalOf(client, 'contacts')
  const chosen = await importFile('contacts', 'short.csv', '--encoding', 'cp1251')
  const unknown = await importFile('contacts', 'short.csv', '--encoding', 'klingon')

  assert.equal(code, 0)
  assert.match(stderr, /^Read as windows-1250: Łukasz, Świętochowski, Žluťoučký s\.r\.o\./)
  assert.equal(unsure.code, 2)
  assert.ok(unsure.stderr.includes(`The encoding of ${join(directory, 'short.csv')} is not certain. Choose one with`))
  assert.match(unsure.stderr, /\n {2}windows-1252: À\n/)
  assert.deepEqual([before, chosen.code, unknown.code], [1, 0, 2])
  assert.match(unknown.stderr, /It must be auto or an encoding: utf-8, windows-1252/)
  const { data } = (await client.get('/api-v1-contacts?sort=first_name')).body
  assert.deepEqual(data.map((each: { first_name: string }) => each.first_name).sort(), ['Łukasz', 'А'])
})

test('What is no record is named: lines above and below the table, groups of contacts, and cells without a value', async (t) => {
  const { importFile } = await desk(t, {
    'a.csv': 'Export of today\n\nFirst name,E-mail,Phone\nAda,n/a,4.9E+11\n\nTotal: 1 contact\n',
    'b.vcf': sample('cases/group-cards.vcf'),
  })

  const table = await importFile('contacts', 'a.csv')
  const cards = await importFile('contacts', 'b.vcf', '--dry-run')

  assert.equal(
    table.stdout,
    [
      '1 contact imported.',
      'Lines above the header, not imported: 1: line 1 (Export of today)',
      'Lines below the table, not imported: 1: line 6 (Total: 1 contact)',
      'Cells without a value, left empty: 2: line 4 (n/a), line 4 (4.9E+11: a spreadsheet has rounded it)\n',
    ].join('\n'),
  )
  assert.match(cards.stdout, /Groups of contacts, not imported: 2: line 8 \(Team Nord\), line 17 \(Team Sued\)/)
})

test('A card or a row at fault is written to the file of failed rows, and the others are imported', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'a.vcf': sample('cases/one-bad-line.vcf'),
    'b.csv': `first_name,E-mail\nBo,b@x.example${',x'.repeat(3_000)}\nCy,c@x.example\n`,
    'c.csv': 'Titel,Wert\nA,1.500\nB,2.000\nC,7\n',
  })

  const results = [
    await importFile('contacts', 'a.vcf'),
    await importFile('contacts', 'b.csv'),
    await importFile('deals', 'c.csv'),
  ]

  assert.deepEqual(
    results.map(({ code, stdout }) => [code, stdout.split('\n')[0]]),
    [
      [1, '2 contacts imported.'],
      [1, '1 contact imported.'],
      [1, '1 deal imported.'],
    ],
  )
  const errors = (name: string) => readFileSync(join(directory, `${name}.errors.csv`), 'utf8')
  assert.match(errors('a'), /\nZwei,Zoe,"Hauptstr\. 1, Hinter",Line 11 is not a property of a vCard/)
  assert.match(errors('b'), /\nBo,b@x\.example,"The row has 3002 cells, the header has 2"/)
  assert.match(errors('c'), /\nA,1\.500,value: 1\.500 may be 1500 or 1\.500: write one of them/)
  assert.equal(await totalOf(client, 'contacts'), 3)
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
