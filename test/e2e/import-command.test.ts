import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { totalOf } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { bundle, type Run, run } from '../support/program.ts'
import { start } from '../support/start.ts'

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

const runProgram = (args: string[]) => run(bundle, args)

async function desk(t: TestContext, runWith: (args: string[]) => Promise<Run> = runHere) {
  const server = await start(t)
  const client = await server.client()
  const directory = temporaryDirectory(t)
  return {
    server,
    client,
    directory,
    /** Writes a file and imports it. */
    importFile(what: string, name: string, content: string | Buffer, ...options: string[]): Promise<Run> {
      writeFileSync(join(directory, name), content)
      const common = ['import', what, join(directory, name), '--url', server.url, '--key', client.key]
      return runWith([...common, ...options])
    },
  }
}

async function contactsOf(client: Client) {
  return (await client.get('/api-v1-contacts?include=emails,phones&sort=first_name')).body.data
}

test('A CSV file in any form that Excel writes is imported by its header', async (t) => {
  const { client, importFile } = await desk(t, runProgram)
  const csv = [
    '\uFEFFFirst name;LAST-NAME;E-mail;Phone;Consent to record;metadata.source;Shoe size',
    'Grace;Hopper;grace@navy.example;+1 555 0100;yes;"fair; hall 3";37',
    '"Zoë ""Z""\nMarie";;;;;;',
    '',
    'Ada;Lovelace;;;no;;',
  ].join('\r\n')

  const { code, stdout, stderr } = await importFile('contacts', 'customers.csv', csv, '--ignore-columns')

  assert.deepEqual([code, stdout], [0, '3 contacts imported.\n'])
  assert.match(stderr, /Columns that are not imported: Shoe size/)
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

test('Failed rows are written to a file with the reasons, and can be corrected and imported again', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const { id } = await make(client, 'organization')
  const csv = `first_name,email,organization_id\nAda,ada@x.example,${id}\n"Grace, B.",grace@,\nMary,,${unknownId}\n,zoe@x.example,\nOtto,,,more\n`

  const first = await importFile('contacts', 'people.csv', csv)
  const errorsPath = join(directory, 'people.errors.csv')
  const errors = readFileSync(errorsPath, 'utf8')
  const corrected = errors.replace('grace@', 'grace@x.example').replace(unknownId, id)

  const second = await importFile('contacts', 'corrected.csv', corrected)

  assert.equal(first.code, 1)
  assert.match(
    first.stdout,
    /^1 contact imported\.\n4 failed: they are in .*people\.errors\.csv with the reasons; correct it/,
  )
  assert.deepEqual(
    errors.slice(1).split('\r\n').sort(),
    [
      '',
      '"Grace, B.",grace@,,emails[0].email: Email must be a valid email address',
      ',zoe@x.example,,first_name: First name is required',
      `Mary,,${unknownId},organization_id: Organization not found`,
      'Otto,,,"The row has 4 cells, the header has 3",more',
      'first_name,email,organization_id,import_error',
    ].sort(),
  )
  assert.equal(second.code, 1)
  assert.match(second.stdout, /^2 contacts imported\.\n2 failed/)
  assert.equal(await totalOf(client, 'contacts'), 3)
})

test('Failed rows contain no formulas for a spreadsheet, and are imported again with unchanged values', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const csv = `first_name,last_name,job_title,metadata.a,metadata.b,email\n=1+1,+49 30 1,-5,@now,'=quoted,nobody\n`

  await importFile('contacts', 'people.csv', csv)
  const errors = readFileSync(join(directory, 'people.errors.csv'), 'utf8')
  const corrected = await importFile('contacts', 'corrected.csv', errors.replace('nobody', 'a@x.example'))

  assert.match(errors, /^'=1\+1,'\+49 30 1,-5,'@now,'=quoted,nobody,/m)
  assert.equal(corrected.code, 0, corrected.stderr)
  const [made] = await contactsOf(client)
  assert.deepEqual(
    [made.first_name, made.last_name, made.job_title, made.metadata],
    ['=1+1', '+49 30 1', '-5', { a: '@now', b: '=quoted' }],
  )
})

test('JSON and NDJSON records are imported unchanged; failed records go to a CSV file with every field', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const records = [
    { first_name: 'Ada', emails: [{ email: 'ada@x.example', type: 'personal' }] },
    { first_name: 5 },
    null,
  ]

  const json = await importFile('contacts', 'a.json', JSON.stringify({ records }), '--json')
  const ndjson = await importFile('contacts', 'b.ndjson', records.map((each) => `${JSON.stringify(each)}\n`).join('\n'))

  const outcomes = { imported: 1, created: 1, updated: 0, unchanged: 0, failed: 2 }
  const counts = { ...outcomes, errors_file: join(directory, 'a.errors.csv') }
  const { jobs, ...printed } = JSON.parse(json.stdout)
  assert.deepEqual([json.code, printed, jobs.length], [1, counts, 1])
  assert.ok(ndjson.code === 1 && /To take it back, undo its jobs .*: [\w-]{36}\n/.test(ndjson.stderr))
  const [header, , notAnObject] = readFileSync(join(directory, 'b.errors.csv'), 'utf8').slice(1).split('\r\n')
  assert.match(header!, /^first_name,last_name,.*,metadata,emails,phones,import_error$/)
  assert.match(notAnObject!, /Record must be an object; it is null/)
  assert.deepEqual(
    (await contactsOf(client)).map((each: { contact_emails: { type: string }[] }) => each.contact_emails[0]!.type),
    ['personal', 'personal'],
  )
})

/** A proxy that applies one trouble to each of the first requests and forwards all others. Returns its URL. */
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

test('A long file is sent in requests of 1,000 records; rate limits, failures and lost responses cause no duplicates', async (t) => {
  const { server, client, importFile } = await desk(t, runProgram)
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

test('A Windows-1252 file is recognized, and is rejected if --encoding says that it is UTF-8', async (t) => {
  const { client, importFile } = await desk(t)
  const csv = Buffer.from('name\nMüller\n', 'latin1')

  const wrong = await importFile('organizations', 'o.csv', csv, '--encoding', 'utf-8')
  const detected = await importFile('organizations', 'o.csv', csv)

  assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
  assert.match(wrong.stderr, /o\.csv is not UTF-8/)
  assert.equal(detected.code, 0)
  assert.equal((await client.get('/api-v1-organizations')).body.data[0].name, 'Müller')
})

const invalid: Record<string, [file: string, content: string, options: string[], code: number, message: RegExp]> = {
  'without a column for a required field': ['a.csv', 'title\nx\n', [], 2, /No column matches first_name; .*title/],
  'with a map of a missing column': ['a.csv', 'a\nx\n', ['--map', 'b=first_name'], 2, /no column "b"/],
  'with a map to an unknown field': [
    'a.csv',
    'a\nx\n',
    ['--map', 'a=name'],
    2,
    /there is no field "name"; the fields are first_name/,
  ],
  'with a quote that is never closed': ['a.csv', 'first_name\n"x\n', [], 1, /a\.csv, line \d+: /],
  'that is not valid NDJSON': ['a.ndjson', '{"first_name":"A"}\n{', [], 1, /a\.ndjson, line 2: is not valid JSON/],
  'with an invalid key': [
    'a.csv',
    'first_name\nx\n',
    ['--key', 'svc_live_x'],
    1,
    /Invalid API key format \(INVALID_API_KEY\)/,
  ],
  'whose file of failed rows already exists': [
    'a.csv',
    'first_name\nx\n',
    ['--errors', '/dev/null'],
    1,
    /already exists/,
  ],
}

for (const [what, [file, content, options, code, message]] of Object.entries(invalid)) {
  test(`A file ${what} is rejected with a message and without a stack`, async (t) => {
    const { client, importFile } = await desk(t)

    const done = await importFile('contacts', file, content, ...options)

    assert.equal(done.code, code, done.stderr)
    assert.match(done.stderr, message)
    assert.doesNotMatch(done.stderr, /\n\s+at /)
    assert.equal(await totalOf(client, 'contacts'), 0)
  })
}

test('A number in metadata that cannot be stored exactly fails its row, and is written unchanged', async (t) => {
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
