import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Client } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { totalOf } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import type { Run } from '../support/program.ts'
import { start } from '../support/start.ts'

interface Desk {
  client: Client
  directory: string
  importFile(what: string, name: string, content: string, ...options: string[]): Promise<Run>
}

async function desk(t: TestContext): Promise<Desk> {
  const server = await start(t)
  const client = await server.client()
  const directory = temporaryDirectory(t)
  return {
    client,
    directory,
    importFile(what, name, content, ...options) {
      writeFileSync(join(directory, name), content)
      return runHere(['import', what, join(directory, name), '--url', server.url, '--key', client.key, ...options])
    },
  }
}

const people = [
  'First name,Job title,Email,Company',
  'Ada,Buyer,ada@x.example,Acme',
  'Grace,,GRACE@x.example,Acme',
  'Grace,,grace@x.example,New company',
  ',,nobody@x.example,',
].join('\n')

test('--match-on updates the records that exist, --dry-run says so before, and --results has the outcome of each row', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const known = await make(client, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@x.example' }] })
  await make(client, 'organization', { name: 'ACME' })
  const results = join(directory, 'results.ndjson')

  const tried = await importFile('contacts', 'a.csv', people, '--match-on', 'email', '--dry-run')
  const before = [await totalOf(client, 'contacts'), await totalOf(client, 'organizations')]
  const done = await importFile('contacts', 'a.csv', people, '--match-on', 'email', '--results', results, '--json')
  const again = await importFile('contacts', 'b.csv', people, '--match-on', 'email')

  assert.match(tried.stdout, /\nThe import would end with 1 created, 2 updated, 0 unchanged\.\n/)
  assert.match(
    tried.stdout,
    /\nRows that would fail: 1\n {2}line \d+ \(nobody@x\.example\): first_name: First name is required/,
  )
  assert.deepEqual(before, [1, 1])
  const outcomes = { imported: 3, created: 1, updated: 2, unchanged: 0, failed: 1 }
  const { jobs, ...printed } = JSON.parse(done.stdout)
  assert.deepEqual(printed, { ...outcomes, errors_file: join(directory, 'a.errors.csv') })
  assert.equal(jobs.length, 1)
  assert.deepEqual([await totalOf(client, 'contacts'), await totalOf(client, 'organizations')], [2, 2])
  const lines = readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ line, outcome }) => [line, outcome]),
    [
      [2, 'updated'],
      [3, 'created'],
      [4, 'updated'],
      [5, 'failed'],
    ],
  )
  assert.deepEqual([lines[0].id, lines[1].id], [known.id, lines[2].id])
  assert.match(again.stdout, /^3 contacts imported: 0 created, 2 updated, 1 unchanged\.\n1 failed/)
})

test('A last name alone, or a single word, replaces no first name of a contact that exists, and is that of a new one', async (t) => {
  const { client, importFile } = await desk(t)
  const field = { key: 'hubspot_id', label: 'HubSpot ID', type: 'text', unique: true }
  await make(client, 'field', { resource: 'contact', ...field })
  const known = (first_name: string, last_name: string | null, email: string) =>
    make(client, 'contact', { first_name, last_name, emails: [{ email }], metadata: { hubspot_id: email } })
  await known('Jane', 'Solo', 'solo@x.example')
  await known('Ada', 'Weber', 'ada@x.example')
  await known('Cher', null, 'cher@x.example')
  const hubspot = [
    ...['Record ID,First Name,Last Name,Email', '5,,Solo,SOLO@x.example', '6,,Bono,cher@x.example'],
    ...['7,,New,new@x.example', '7,,New,new@x.example', '8,Bo,Old,bo@x.example', '8,,Nord,bo@x.example'],
  ].join('\n')
  const plain = 'Name,Email\nWeber,ada@x.example\nSmith,SOLO@x.example\nPlain,plain@x.example\n'
  const people = async () =>
    (await client.get('/api-v1-contacts?sort=first_name')).body.data.map(({ first_name, last_name }: JsonRecord) =>
      [first_name, last_name].filter(Boolean).join(' '),
    )

  const ignore = ['--ignore-columns', '--map', 'Record ID=']
  const first = await importFile('contacts', 'a.csv', hubspot, '--match-on', 'email', ...ignore)
  const second = await importFile('contacts', 'b.csv', plain, '--match-on', 'email')
  const byId = 'HubSpot ID,Name\nada@x.example,Weber\n'
  const third = await importFile('contacts', 'c.csv', byId, '--match-on', 'metadata.hubspot_id')
  const before = await people()
  const again = await importFile('contacts', 'd.csv', plain, '--match-on', 'email')

  assert.match(first.stdout, /^6 contacts imported: 2 created, 2 updated, 2 unchanged/, first.stderr)
  assert.match(second.stdout, /^3 contacts imported: 1 created, 0 updated, 2 unchanged/)
  for (const { stdout } of [third, again]) assert.match(stdout, /: 0 created, 0 updated, \d unchanged/)
  assert.deepEqual(before, ['Ada Weber', 'Bo Nord', 'Cher Bono', 'Jane Solo', 'New', 'Plain'])
  assert.deepEqual(await people(), before)
})

test('A dry run without --match-on shows which rows have the email of a record that exists', async (t) => {
  const { client, directory, importFile } = await desk(t)
  const known = await make(client, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@x.example' }] })

  const text = await importFile('contacts', 'a.csv', people, '--dry-run', '--results', join(directory, 'r.ndjson'))
  const json = await importFile('contacts', 'a.csv', people, '--dry-run', '--json')

  assert.match(text.stdout, /\nThe import would end with 3 created, 0 updated, 0 unchanged\.\n/)
  assert.match(
    text.stdout,
    /\nRows with the email of a record or an earlier row, which --match-on email would update: 2\n/,
  )
  assert.ok(text.stdout.includes(`\n  line 2: Contact with this email already exists: ${known.id}\n`))
  const { created, imported, existing } = JSON.parse(json.stdout)
  assert.deepEqual([created, imported, existing[0].by, existing[0].rows], [3, 0, 'email', 2])
  assert.equal(await totalOf(client, 'contacts'), 1)
  assert.equal(existsSync(join(directory, 'a.errors.csv')), false)
})

test('Every failed row has its reason, also beyond the hundred that a job shows', async (t) => {
  const { client, directory, importFile } = await desk(t)
  await make(client, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@x.example' }] })
  const rows = Array.from(
    { length: 300 },
    (_, row) => `Row ${row},${row % 2 === 0 ? 'ada@x.example' : `p${row}@x.example`}`,
  )

  const done = await importFile(
    ...(['contacts', 'a.csv', `First name,Email\n${rows.join('\n')}\n`] as const),
    ...['--match-on', 'email', '--mode', 'create_only'],
  )

  assert.match(done.stdout, /^150 contacts imported: 150 created, 0 updated, 0 unchanged\.\n150 failed/)
  const errors = readFileSync(join(directory, 'a.errors.csv'), 'utf8')
  assert.equal(errors.match(/email: Contact with this email already exists/g)?.length, 150)
})

test('Deals, tasks and activities are imported from files', async (t) => {
  const { client, importFile } = await desk(t)

  const deals = await importFile('deals', 'd.csv', 'Title,Value\nFleet,1500\n')
  const tasks = await importFile('tasks', 't.csv', 'Title,Due date\nCall,2026-12-01\n')
  const activities = await importFile('activities', 'a.csv', 'Type,Subject\ncall,First call\nparty,x\n')

  assert.deepEqual([deals.stdout, tasks.stdout], ['1 deal imported.\n', '1 task imported.\n'])
  assert.match(activities.stdout, /^1 activity imported\.\n1 failed/)
  assert.equal((await client.get('/api-v1-deals')).body.data[0].value, 1500)
})

test('An export as NDJSON comes back whole in another company: emails, and organizations and stages by their names', async (t) => {
  const { client, importFile } = await desk(t)
  const other = await desk(t)
  const { id: organization_id } = await make(client, 'organization', { name: 'Acme' })
  await make(client, 'contact', {
    first_name: 'Ada',
    organization_id,
    emails: [{ email: 'ada@x.example', type: 'home' }],
  })
  const stage_id = (await client.get('/api-v1-stages')).body.data[2].id
  await make(client, 'deal', { title: 'Fleet', stage_id, organization_id })
  const exported = async (what: string) =>
    (await client.get(`/api-v1-${what}`, { Accept: 'application/x-ndjson' })).body as string

  const contacts = await other.importFile('contacts', 'c.ndjson', await exported('contacts'))
  const deals = await other.importFile('deals', 'd.ndjson', await exported('deals'))
  const again = await importFile('contacts', 'c.ndjson', await exported('contacts'), '--match-on', 'email')

  assert.deepEqual([contacts.stdout, deals.stdout], ['1 contact imported.\n', '1 deal imported.\n'])
  for (const { stderr } of [contacts, deals]) assert.match(stderr, /^To take it back, .*: [\w-]{36}\n$/)
  assert.equal(again.stdout, '1 contact imported: 0 created, 0 updated, 1 unchanged.\n')
  const [contact] = (await other.client.get('/api-v1-contacts?include=emails,organization')).body.data
  assert.deepEqual([contact.organization.name, contact.contact_emails[0].type], ['Acme', 'home'])
  const [deal] = (await other.client.get('/api-v1-deals?include=stage,organization')).body.data
  assert.deepEqual([deal.stage.position, deal.organization.id], [2, contact.organization.id])
})

test('Names are found in any case; amounts and dates are read as other programs write them', async (t) => {
  const { client, importFile } = await desk(t)
  await make(client, 'organization', { name: 'Müller Feinkost' })
  const csv =
    'Deal;Value;Close date;Stage;Company\nA;1.500,50;2026-12-24 23:11;lead;MÜLLER feinkost\nB;12,5;24.12.2026;LEAD;\n'

  const { stdout } = await importFile('deals', 'd.csv', csv)

  assert.equal(stdout, '2 deals imported.\n')
  const { data } = (await client.get('/api-v1-deals?sort=title&include=stage,organization')).body
  assert.deepEqual(
    data.map((deal: JsonRecord) => [deal.value, deal.expected_close_date, deal.stage.name, deal.organization?.name]),
    [
      [1500.5, '2026-12-24', 'Lead', 'Müller Feinkost'],
      [12.5, '2026-12-24', 'Lead', undefined],
    ],
  )
})

test('What a file or a command cannot mean is refused with what to do', async (t) => {
  const { importFile } = await desk(t)
  const card = 'BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nEND:VCARD\n'

  const mapped = await importFile('organizations', 'o.ndjson', '{"name":"Acme"}\n', '--map', 'name=city')
  const cards = await importFile('organizations', 'c.vcf', card)
  const unknown = await importFile(
    'contacts',
    'c.csv',
    'First name,Account\nAda,1\n',
    '--map',
    'Account=organization.metadata.no',
  )

  assert.match(mapped.stderr, /--map is for files with columns: CSV and vCard/)
  assert.match(cards.stderr, /A vCard file has contacts/)
  assert.match(unknown.stderr, /no is not a declared field of organizations: declare it in the settings of the console/)
})

test('What is no address refers to nobody: it fails its row, and not the file', async (t) => {
  const { client, importFile } = await desk(t)
  await make(client, 'contact', { first_name: 'Ada', emails: [{ email: 'ada@x.example' }] })
  const file = 'Title,Contact\nA,ada@x.example\nB,john@\nC,Ann Lee\n'

  const { stdout } = await importFile('deals', 'deals.csv', file, '--map', 'Contact=contact.email')

  assert.match(stdout, /^1 deal imported\.\n2 failed/)
})
