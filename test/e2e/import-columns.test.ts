import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desk } from './import-desk.ts'

test('The second column with the same heading has a number, in options, dry runs, messages and JSON', async (t) => {
  const { client, importFile } = await desk(t, {
    'mails.csv': 'Vorname;E-Mail;E-Mail\nAda;ada@x.example;a@y.example\n',
    'notes.csv': 'Vorname;Notiz;Notiz;Notiz (2)\nBo;one;two;three\n',
  })

  const tried = await importFile('contacts', 'mails.csv', '--dry-run')
  const { columns } = JSON.parse((await importFile('contacts', 'mails.csv', '--dry-run', '--json')).stdout)
  const mails = await importFile('contacts', 'mails.csv', '--map', 'E-Mail (2)=')
  const stopped = await importFile('contacts', 'notes.csv', '--map', 'Notiz=metadata.a')
  const unknown = await importFile('contacts', 'notes.csv', '--map', 'Notiz (4)=metadata.a')
  const notes = await importFile(
    ...(['contacts', 'notes.csv', '--map', 'Notiz=metadata.a', '--map', 'Notiz (3)=metadata.b'] as const),
    ...['--map', 'Notiz (2)=metadata.c'],
  )

  assert.match(tried.stdout, /\n {2}E-Mail → emails\.email\n {2}E-Mail \(2\) → emails\[1\]\.email\n/)
  assert.deepEqual(columns, { Vorname: 'first_name', 'E-Mail': 'emails.email', 'E-Mail (2)': 'emails[1].email' })
  assert.match(stopped.stderr, /not be imported: Notiz \(3\), Notiz \(2\)\. .*--map "Notiz \(3\)=metadata\.<key>"/)
  assert.match(unknown.stderr, /no column "Notiz \(4\)"; the columns are Vorname, Notiz, Notiz \(3\), Notiz \(2\)/)
  assert.deepEqual([mails.code, stopped.code, unknown.code, notes.code], [0, 2, 2, 0])
  const { data } = (await client.get('/api-v1-contacts?sort=first_name&include=emails')).body
  assert.deepEqual(
    data[0].contact_emails.map(({ email }: { email: string }) => email),
    ['ada@x.example'],
  )
  const { a, b, c } = data[1].metadata
  assert.deepEqual([a, b, c], ['one', 'two', 'three'])
})

test('An option names the column with exactly its heading before one that is written in another way', async (t) => {
  const { client, importFile } = await desk(t, { 'a.csv': 'first_name,Size-EU,size eu\nAda,5,6\n' })

  const { code } = await importFile('contacts', 'a.csv', '--map', 'size eu=metadata.size', '--map', 'Size-EU=')

  const [{ metadata }] = (await client.get('/api-v1-contacts')).body.data
  assert.deepEqual([code, metadata.size], [0, '6'])
})

test('An import that matches records by a field that is not declared says to declare it as a unique one', async (t) => {
  const { importFile } = await desk(t, { 'a.csv': 'Record ID,Name\n7,Acme\n' })

  const { code, stderr } = await importFile('organizations', 'a.csv', '--match-on', 'metadata.hubspot_id')

  assert.equal(code, 1)
  assert.match(stderr, /"metadata\.hubspot_id" cannot be matched on.* Declare hubspot_id as a unique field/)
})
