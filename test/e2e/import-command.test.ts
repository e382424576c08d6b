import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { totalOf } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { bundle, type Run, run } from '../support/program.ts'
import { type Served, serve } from '../support/serve.ts'

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

interface Desk {
  server: Served
  client: Client
  directory: string
  /** Writes a file and imports it. */
  importFile(what: string, name: string, content: string | Buffer, ...options: string[]): Promise<Run>
}

async function desk(t: TestContext): Promise<Desk> {
  const server = await serve(t)
  const client = await server.client()
  const directory = temporaryDirectory(t)
  return {
    server,
    client,
    directory,
    importFile(what, name, content, ...options) {
      writeFileSync(join(directory, name), content)
      const common = ['import', what, join(directory, name), '--url', server.url, '--key', client.key]
      return run(bundle, [...common, ...options])
    },
  }
}

async function contactsOf(client: Client) {
  return (await client.get('/api-v1-contacts?include=emails,phones&sort=first_name')).body.data
}

test('A CSV file is imported by its header, whatever Excel made of it', async (t) => {
  const { client, importFile } = await desk(t)
  const csv = [
    '\uFEFFFirst name;LAST-NAME;E-mail;Phone;Consent to record;metadata.source;Shoe size',
    'Grace;Hopper;grace@navy.example;+1 555 0100;yes;"fair; hall 3";37',
    '"Zoë ""Z""\nMarie";;;;;;',
    '',
    'Ada;Lovelace;;;no;;',
  ].join('\r\n')

  const { code, stdout, stderr } = await importFile('contacts', 'customers.csv', csv, '--map', 'E-mail=emails.email')

  assert.deepEqual([code, stdout], [0, '3 contacts imported.\n'])
  assert.match(stderr, /Columns that go nowhere: Shoe size/)
  const [ada, grace, zoe] = await contactsOf(client)
  assert.deepEqual([ada.last_name, ada.consent_to_record, ada.contact_emails], ['Lovelace', false, []])
  assert.deepEqual(
    [grace.last_name, grace.consent_to_record, grace.metadata],
    ['Hopper', true, { source: 'fair; hall 3' }],
  )
  assert.deepEqual(
    [grace.contact_emails[0].email, grace.contact_phones[0].phone_number],
    ['grace@navy.example', '+1 555 0100'],
  )
  assert.equal(zoe.first_name, 'Zoë "Z"\nMarie')
})

test('Rows that fail are written with their reasons, and can be mended and sent again', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const { id } = await make(client, 'organization')
  const csv = `first_name,email,organization_id\nAda,ada@x.example,${id}\n"Grace, B.",grace@,\nMary,,${unknownId}\n,,\nOtto,,,more\n`

  const first = await importFile('contacts', 'people.csv', csv)
  const errorsPath = join(directory, 'people.errors.csv')
  const errors = readFileSync(errorsPath, 'utf8')
  const mended = errors
    .replace('grace@', 'grace@x.example')
    .replace(unknownId, id)
    .replace(',,"first_name: First', 'Zoë,,"')
  const second = await importFile('contacts', 'mended.csv', mended)

  assert.equal(first.code, 1)
  assert.match(
    first.stdout,
    /^1 contacts imported\.\n4 failed: they are in .*people\.errors\.csv with the reasons; correct it/,
  )
  assert.deepEqual(
    errors.slice(1).split('\r\n').sort(),
    [
      '',
      '"Grace, B.",grace@,,emails[0].email: Email must be a valid email address',
      ',,,first_name: First name is required',
      `Mary,,${unknownId},organization_id: Organization not found`,
      'Otto,,,"The row has 4 cells, the header has 3"',
      'first_name,email,organization_id,import_error',
    ].sort(),
  )
  assert.equal(second.code, 1)
  assert.match(second.stdout, /^3 contacts imported\.\n1 failed/)
  assert.equal(await totalOf(client, 'contacts'), 4)
})

test('No cell of the failed rows is a formula to a spreadsheet, and mended they are imported as they were', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const csv = `first_name,last_name,job_title,metadata.a,metadata.b,email\n=1+1,+49 30 1,-5,@now,'=quoted,nobody\n`

  await importFile('contacts', 'people.csv', csv)
  const errors = readFileSync(join(directory, 'people.errors.csv'), 'utf8')
  const mended = await importFile('contacts', 'mended.csv', errors.replace('nobody', 'a@x.example'))

  assert.match(errors, /^'=1\+1,'\+49 30 1,-5,'@now,'=quoted,nobody,/m)
  assert.equal(mended.code, 0, mended.stderr)
  const [made] = await contactsOf(client)
  assert.deepEqual(
    [made.first_name, made.last_name, made.job_title, made.metadata],
    ['=1+1', '+49 30 1', '-5', { a: '@now', b: '=quoted' }],
  )
})

test('JSON and NDJSON are imported as they are; what fails goes to a CSV file with every field', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const records = [
    { first_name: 'Ada', emails: [{ email: 'ada@x.example', type: 'personal' }] },
    { first_name: 5 },
    null,
  ]

  const json = await importFile('contacts', 'a.json', JSON.stringify({ records }), '--json')
  const ndjson = await importFile('contacts', 'b.ndjson', records.map((each) => `${JSON.stringify(each)}\n`).join('\n'))

  const counts = { imported: 1, failed: 2, unnamed: 0, errors_file: join(directory, 'a.errors.csv') }
  assert.deepEqual([json.code, JSON.parse(json.stdout)], [1, counts])
  assert.equal(ndjson.code, 1)
  const [header, , notAnObject] = readFileSync(join(directory, 'b.errors.csv'), 'utf8').slice(1).split('\r\n')
  assert.match(header!, /^first_name,last_name,.*,metadata,emails,phones,import_error$/)
  assert.match(notAnObject!, /Record must be an object; it is null/)
  assert.deepEqual(
    (await contactsOf(client)).map((each: { contact_emails: { type: string }[] }) => each.contact_emails[0]!.type),
    ['personal', 'personal'],
  )
})

/** Between client and server, treats the first requests as told and hands on the others. */
async function troubled(t: TestContext, to: string, troubles: ('limit' | 'break' | 'lose')[]): Promise<string> {
  const proxy = createServer(async (req, res) => {
    const trouble = troubles.shift()
    if (trouble === 'limit') {
      res.writeHead(429, { 'Retry-After': '1' })
      res.end('{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Rate limit exceeded"}}')
      return
    }
    if (trouble === 'break') return void res.writeHead(503).end()
    const { host, connection, 'content-length': _length, ...headers } = req.headers as Record<string, string>
    const body = req.method === 'POST' ? await buffer(req) : undefined
    const response = await fetch(`${to}${req.url}`, { method: req.method!, headers, ...(body && { body }) })
    const text = await response.text()
    if (trouble === 'lose') return void res.destroy()
    res.writeHead(response.status, { 'Content-Type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

test('A long file is sent a thousand at a time; limits, failures and lost answers on the way import nothing twice', async (t) => {
  const { server, client, importFile } = await desk(t)
  const url = await troubled(t, server.url, ['limit', 'lose', 'break', 'break', 'lose'])
  const rows = Array.from({ length: 1_500 }, (_, row) => `Company ${row},Hamburg`)

  const { code, stdout, stderr } = await importFile(
    ...(['organizations', 'o.csv', `name,city\n${rows.join('\n')}\n`, '--url', url] as const),
  )

  assert.deepEqual([code, stdout], [0, '1,500 organizations imported.\n'])
  assert.match(stderr, /^Rate limit exceeded; trying again in 1 s\n/)
  assert.equal(await totalOf(client, 'organizations'), 1_500)
  assert.equal((await client.get('/api-v1-bulk/jobs')).body.pagination.total, 2)
})

test('Latin-1 is read when it is said, and recognised as no UTF-8 when it is not', async (t) => {
  const { client, importFile } = await desk(t)
  const csv = Buffer.from('name\nMüller\n', 'latin1')

  const silent = await importFile('organizations', 'o.csv', csv)
  const said = await importFile('organizations', 'o.csv', csv, '--encoding', 'latin1')

  assert.deepEqual([silent.code, silent.stdout], [1, ''])
  assert.match(silent.stderr, /is not UTF-8: if it comes from an older version of Excel, try --encoding latin1/)
  assert.equal(said.code, 0)
  assert.equal((await client.get('/api-v1-organizations')).body.data[0].name, 'Müller')
})

const refused: Record<string, [file: string, content: string, options: string[], code: number, message: RegExp]> = {
  'without a column for what is required': ['a.csv', 'title\nx\n', [], 2, /No column is first_name; there are title/],
  'with a map of a column that is not there': ['a.csv', 'a\nx\n', ['--map', 'b=first_name'], 2, /no column "b"/],
  'with a map to what is not there': [
    'a.csv',
    'a\nx\n',
    ['--map', 'a=name'],
    2,
    /there is no field "name"; the fields are first_name/,
  ],
  'with a quote that is never closed': ['a.csv', 'first_name\n"x\n', [], 1, /a\.csv, line \d+: /],
  'that is not the JSON it should be': [
    'a.ndjson',
    '{"first_name":"A"}\n{',
    [],
    1,
    /a\.ndjson, line 2: is not valid JSON/,
  ],
  'with a key that is none': [
    'a.csv',
    'first_name\nx\n',
    ['--key', 'svc_live_x'],
    1,
    /Invalid API key format \(INVALID_API_KEY\)/,
  ],
  'that may be mended already': ['a.csv', 'first_name\nx\n', ['--errors', '/dev/null'], 1, /already exists/],
}

for (const [what, [file, content, options, code, message]] of Object.entries(refused)) {
  test(`A file ${what} is refused with a sentence`, async (t) => {
    const { client, importFile } = await desk(t)

    const done = await importFile('contacts', file, content, ...options)

    assert.equal(done.code, code, done.stderr)
    assert.match(done.stderr, message)
    assert.doesNotMatch(done.stderr, /\n\s+at /)
    assert.equal(await totalOf(client, 'contacts'), 0)
  })
}

test('A number in metadata that would be changed fails its row, and is written as it was', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const lines = ['{"first_name":"Ada","metadata":{"n":9007199254740993}}', '{"first_name":"Grace","metadata":{"n":5}}']

  const { code } = await importFile('contacts', 'numbers.ndjson', lines.join('\n'))

  assert.equal(code, 1)
  assert.equal(await totalOf(client, 'contacts'), 1)
  assert.match(
    readFileSync(join(directory, 'numbers.errors.csv'), 'utf8'),
    /9007199254740993"*, which cannot be stored exactly/,
  )
})
