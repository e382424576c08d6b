import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { totalOf } from '../support/imports.ts'
import { desk, sample } from './import-desk.ts'

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
    'd.vcf': sample('cases/idn-email.vcf'),
  })

  const results = [
    await importFile('contacts', 'a.vcf'),
    await importFile('contacts', 'b.csv'),
    await importFile('deals', 'c.csv'),
    await importFile('contacts', 'd.vcf'),
  ]

  assert.deepEqual(
    results.map(({ code, stdout }) => [code, stdout.split('\n')[0]]),
    [
      [1, '2 contacts imported.'],
      [1, '1 contact imported.'],
      [1, '1 deal imported.'],
      [1, '1 contact imported.'],
    ],
  )
  const errors = (name: string) => readFileSync(join(directory, `${name}.errors.csv`), 'utf8')
  assert.match(errors('a'), /\nZwei,Zoe,"Hauptstr\. 1, Hinter",Line 11 is not a property of a vCard/)
  assert.match(errors('b'), /\nBo,b@x\.example,"The row has 3002 cells, the header has 2"/)
  assert.match(errors('c'), /\nA,1\.500,"value: 1\.500 may be 1500 or 1\.500: write one of them/)
  assert.match(errors('d'), /\nLocal,Leo,leo@localhost,.*Email must be a valid email address/)
  assert.equal(await totalOf(client, 'contacts'), 4)
})

test('Cards without a given name are imported by their last name, or fail like rows; a file without cards is empty', async (t) => {
  const card = (...lines: string[]) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
  const company = card('ORG:One GmbH', 'EMAIL:one@x.example')
  const { client, directory, importFile } = await desk(t, {
    'a.vcf': card('N:Solo;;;;', 'FN:Solo', 'EMAIL:solo@x.example') + company,
    'b.vcf': company,
    'c.vcf': '\r\n',
  })

  const solo = await importFile('contacts', 'a.vcf')
  const nobody = await importFile('contacts', 'b.vcf')
  const errors = join(directory, 'b.errors.csv')
  writeFileSync(errors, readFileSync(errors, 'utf8').replace(/,(?=first_name: First name is required)/, 'Una,'))
  const named = await importFile('contacts', 'b.errors.csv')
  const empty = await importFile('contacts', 'c.vcf')

  assert.match(solo.stdout, /^1 contact imported\.\n1 failed/)
  assert.match(nobody.stdout, /^0 contacts imported\.\n1 failed/)
  assert.equal(named.code, 0, named.stderr)
  assert.match(empty.stderr, /c\.vcf is empty\./)
  const { data } = (await client.get('/api-v1-contacts?sort=first_name&include=organization')).body
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => [each.first_name, each.last_name, each.organization]),
    [
      ['Solo', null, null],
      ['Una', null, data[1].organization],
    ],
  )
  assert.equal(data[1].organization.name, 'One GmbH')
})

test('Numbers and dates of which a file does not tell how they are written are refused with the option that settles it', async (t) => {
  const file = 'title,value,expected_close_date\nA,1.234,03/04/2025\nB,2.500,12/05/2025\n'
  const { client, directory, importFile } = await desk(t, { 'a.csv': file, 'a.ndjson': '{"title":"A"}\n' })

  const refused = await importFile('deals', 'a.csv')
  const errors = readFileSync(join(directory, 'a.errors.csv'), 'utf8')
  const dry = await importFile('deals', 'a.csv', '--decimal', '.', '--date-order', 'mdy', '--dry-run', '--json')
  const german = await importFile(
    'deals',
    'a.csv',
    '--decimal',
    ',',
    '--date-order',
    'dmy',
    '--errors',
    join(directory, 'b.csv'),
  )
  const other = await importFile('deals', 'a.csv', '--decimal', ';')
  const records = await importFile('deals', 'a.ndjson', '--date-order', 'dmy')

  assert.deepEqual([refused.code, JSON.parse(dry.stdout).created, german.code], [1, 2, 0], dry.stderr + german.stderr)
  assert.match(
    errors,
    /value: 1\.234 may be 1234 or 1\.234: write one of them, or say with --decimal how the file writes/,
  )
  assert.match(errors, /03\/04\/2025 may be a day of two months: write it as 2026-12-31, or say with --date-order how/)
  const { data } = (await client.get('/api-v1-deals?sort=title')).body
  const values = data.map((each: Record<string, unknown>) => [each.value, each.expected_close_date])
  assert.deepEqual(values, [
    [1234, '2025-04-03'],
    [2500, '2025-05-12'],
  ])
  assert.deepEqual([other.code, records.code], [2, 2])
  assert.match(other.stderr, /Allowed choices are \., ,/)
  assert.match(records.stderr, /--date-order is for files with columns/)
})

test('What a person says about numbers goes before what their column shows, and not before what a cell can only mean', async (t) => {
  const { client, importFile } = await desk(t, { 'a.csv': 'title;value\nA;1.234\nB;3.4\nC;1.234,5\n' })

  assert.equal((await importFile('deals', 'a.csv', '--decimal', ',')).code, 0)

  const { data } = (await client.get('/api-v1-deals?sort=title')).body
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => each.value),
    [1234, 3.4, 1234.5],
  )
})

const wrongAddresses: Record<string, [code: number, message: RegExp]> = {
  'http://127.0.0.1:99999': [2, /--url has the port 99999: ports are 1 to 65535/],
  'http://127.0.0.1:0/kontor': [2, /--url has the port 0/],
  'ftp://127.0.0.1': [2, /--url must be an http or https URL of a server/],
  'localhost:8080': [2, /--url must be an http or https URL of a server/],
  'http://127.0.0.1:6000': [1, /127\.0\.0\.1:6000 cannot be reached: HTTP never uses this port: correct --url/],
  'http://nowhere.invalid': [1, /nowhere\.invalid cannot be reached: .*nowhere\.invalid: correct --url/],
}

for (const [url, [code, message]] of Object.entries(wrongAddresses)) {
  test(`An import into ${url} ends at once, and says that the address is wrong`, async (t) => {
    const { importFile } = await desk(t, { 'a.csv': 'first_name\nAda\n' })

    const done = await importFile('contacts', 'a.csv', '--url', url)

    assert.equal(done.code, code, done.stderr)
    assert.match(done.stderr, message)
    assert.doesNotMatch(done.stderr, /trying again/)
  })
}

test('An import by https into a server that speaks http ends at once, and says so', async (t) => {
  const { url, importFile } = await desk(t, { 'a.csv': 'first_name\nAda\n' })
  const address = url.replace('http:', 'https:')

  const done = await importFile('contacts', 'a.csv', '--url', address)

  assert.equal(done.code, 1)
  assert.equal(done.stderr, `kontor: ${address} cannot be reached: it does not speak https: correct --url.\n`)
})
