import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { describeResource } from '../../src/console/description.ts'
import { activity } from '../../src/crm/activity.ts'
import { contact } from '../../src/crm/contact.ts'
import { deal } from '../../src/crm/deal.ts'
import { task } from '../../src/crm/task.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { matchColumns } from '../../src/files/match.ts'
import { settleReferences } from '../../src/files/references.ts'
import { toVCard } from '../../src/files/to-vcard.ts'
import { splitName } from '../../src/files/values.ts'
import { readCards, readFile } from './read.ts'

const shapeOf = (of: Resource) => ({ ...describeResource(of), declared: [] })

test('Our own export comes back whole: ids and times are known, and the organization has its id and name', () => {
  const header =
    'id,first_name,organization_id,organization.name,metadata,metadata.size,emails.email,emails.type,emails.is_primary,emails[1].email,created_at,updated_at'
  const row = '1,Ada,7,Acme,"{""a"":1}",5,a@x.example,home,false,b@x.example,2026-01-01,2026-01-01'

  const { listed, records, match } = readFile('contacts', `${header}\n${row}\n`, 'csv', [
    { key: 'size', label: null, type: 'number' },
  ])

  assert.deepEqual([listed, match.source], [[], undefined])
  assert.deepEqual(records, [
    {
      first_name: 'Ada',
      organization_id: '7',
      organization: { name: 'Acme' },
      metadata: { a: 1, size: 5 },
      emails: [{ email: 'a@x.example', type: 'home', is_primary: false }, { email: 'b@x.example' }],
    },
  ])
})

test('Extra columns go to declared fields by key or label, by their type; others are listed', () => {
  const { listed, records } = readFile(
    'organizations',
    'Name,Employees,Renews on,VIP,Other\nAcme,12,3.2.2027,ja,x\n',
    'csv',
    [
      { key: 'employees', label: null, type: 'number' },
      { key: 'renewal', label: 'Renews on', type: 'date' },
      { key: 'vip', label: 'VIP', type: 'boolean' },
    ],
  )

  assert.deepEqual(listed, ['Other'])
  assert.deepEqual(records, [{ name: 'Acme', metadata: { employees: 12, renewal: '2027-02-03', vip: true } }])
})

test('A cell of a declared field of choices holds several, separated by semicolons', () => {
  const { records } = readFile('organizations', 'Name,Tags\nAcme,VIP; Trade fair ;\nNord,VIP\nOst,\n', 'csv', [
    { key: 'tags', label: 'Tags', type: 'choices' },
  ])

  assert.deepEqual(records, [
    { name: 'Acme', metadata: { tags: ['VIP', 'Trade fair'] } },
    { name: 'Nord', metadata: { tags: ['VIP'] } },
    { name: 'Ost' },
  ])
})

test('The columns of deals, tasks and activities are matched from their definitions', () => {
  const columns = (of: Resource, header: string[]) => matchColumns(shapeOf(of), header).paths

  assert.deepEqual(columns(deal, ['Deal', 'Betrag', 'Currency', 'Expected close date', 'organization_id', 'Phase']), [
    ...['title', 'value', 'currency', 'expected_close_date', 'organization_id', 'stage.name'],
  ])
  assert.deepEqual(columns(task, ['Aufgabe', 'Status', 'completed_at', 'deal.title', 'contact.first_name', 'Firma']), [
    ...['title', 'status', undefined, 'deal.title', undefined, 'organization.name'],
  ])
  assert.deepEqual(columns(activity, ['Art', 'Betreff', 'Notizen']), ['type', 'subject', 'description'])
})

test('The heading of a name says its order; a comma in a cell goes before it', () => {
  const namesIn = (file: string) =>
    readFile('contacts', file).records.map(({ first_name, last_name }) => [first_name, last_name])
  const lastFirst = 'Müller Eva\n"Weber, Ada"\nvon der Leyen Ursula Gertrud\nCher\n'
  const expected = [
    ['Eva', 'Müller'],
    ['Ada', 'Weber'],
    ['Ursula Gertrud', 'von der Leyen'],
    ['Cher', undefined],
  ]

  for (const heading of ['Nachname Vorname', 'Last Name First Name', '"Name, Vorname"', 'Name/Vorname'])
    assert.deepEqual(namesIn(`${heading}\n${lastFirst}`), expected, heading)
  for (const heading of ['Vorname Nachname', 'First and Last Name', 'Name'])
    assert.deepEqual(namesIn(`${heading}\nEva Müller\n`), [['Eva', 'Müller']], heading)
  assert.deepEqual(namesIn('Nachname Vorname;Nachname\nMüller Eva;Müller\n'), [['Eva', 'Müller']])
  assert.deepEqual(readFile('contacts', 'Name;Nachname Vorname\nEva Müller;Müller Eva\n').listed, ['Nachname Vorname'])
})

test('A second column with the name of the organization is kept in metadata', () => {
  const { records } = readFile(
    'contacts',
    'Record ID,First Name,Company Name,Associated Company\n1,Ada,Acme,Acme Ltd\n',
  )

  assert.deepEqual(records, [
    {
      first_name: 'Ada',
      organization: { name: 'Acme' },
      metadata: { hubspot_id: '1', associated_company: 'Acme Ltd' },
    },
  ])
})

test('A column that says the opposite of a field is listed, and never imported', () => {
  const { listed } = readFile('contacts', 'First name,Email Opt Out,Unsubscribed,Do not record\nAda,1,1,1\n')

  assert.deepEqual(listed, ['Email Opt Out', 'Unsubscribed', 'Do not record'])
})

test('An organization is found by its id or by the account imported before, and otherwise named', async () => {
  const records: Record<string, unknown>[] = [
    { organization_id: 'here', organization: { name: 'Acme' } },
    { organization_id: 'elsewhere', organization: { name: 'Acme' } },
    { organization: { metadata: { salesforce_id: 'Aa' } } },
    { organization: { metadata: { salesforce_id: 'AA' } } },
    { organization: { name: 'New' } },
    { organization_id: 'alone' },
  ]
  const asked: unknown[] = []

  const { faults } = await settleReferences(shapeOf(contact), records, async (path, query) => {
    asked.push([path, query])
    return { data: [{ id: 'here', metadata: { salesforce_id: 'Aa' } }], total: 1 }
  })

  assert.deepEqual(asked, [
    ['api-v1-organizations', { 'filter[id][in]': 'here,elsewhere', limit: 100 }],
    ['api-v1-organizations', { 'filter[metadata.salesforce_id][in]': 'Aa,AA', limit: 100 }],
  ])
  assert.deepEqual(records, [
    { organization_id: 'here' },
    { organization: { name: 'Acme' } },
    { organization_id: 'here' },
    {},
    { organization: { name: 'New' } },
    { organization_id: 'alone' },
  ])
  assert.deepEqual([...faults], [[3, 'organization: No organization has metadata.salesforce_id "AA"']])
})

test('A deal names its stage, organization and contact; a name that several or none have is an error of its row', async () => {
  const records: Record<string, unknown>[] = [
    { stage: { name: 'LEAD' }, organization: { name: 'Müller, Feinkost' }, contact: { email: 'ADA@x.example' } },
    { stage: { name: 'Lost' }, organization: { name: 'TWICE' } },
    { stage_id: 'elsewhere', stage: { name: 'Lead' }, organization: { name: 'Muller, Feinkost' } },
  ]
  const here: Record<string, Record<string, unknown>[]> = {
    'api-v1-stages': [{ id: 's1', name: 'Lead' }],
    'api-v1-organizations': ['Müller, Feinkost', 'Twice', 'twice'].map((name, at) => ({ id: `o${at}`, name })),
    'api-v1-contacts': [{ id: 'c1', contact_emails: [{ email: 'x@x.example' }, { email: 'ada@x.example' }] }],
  }
  const asked: unknown[] = []

  const { faults } = await settleReferences(shapeOf(deal), records, async (path, query) => {
    asked.push(query)
    return { data: here[path]!, total: here[path]!.length }
  })

  assert.ok(asked.some((query) => isDeepStrictEqual(query, { 'filter[name]': 'Müller, Feinkost', limit: 100 })))
  assert.deepEqual(records, [{ stage_id: 's1', organization_id: 'o0', contact_id: 'c1' }, {}, { stage_id: 's1' }])
  assert.deepEqual(
    [...faults],
    [
      [1, 'organization: Several organizations have name "TWICE"; stage: No stage has name "Lost"'],
      [2, 'organization: No organization has name "Muller, Feinkost"'],
    ],
  )
})

test('If a list has more records than a page, each name is looked up alone', async () => {
  const records = ['A', 'B'].map((title): Record<string, unknown> => ({ deal: { title } }))
  const deals = [...Array.from({ length: 150 }, (_, n) => ({ id: `a${n}`, title: 'A' })), { id: 'b', title: 'B' }]

  const { faults } = await settleReferences(shapeOf(task), records, async (_, query) => {
    const wanted = String(query['filter[title][in]'] ?? query['filter[title]']).split(',')
    const data = deals.filter(({ title }) => wanted.includes(title))
    return { data: data.slice(0, Number(query.limit)), total: data.length }
  })

  assert.deepEqual(records, [{}, { deal_id: 'b' }])
  assert.deepEqual([...faults], [[0, 'deal: Several deals have title "A"']])
})

test('Full names are split at a comma or before the last name with its particles', () => {
  const names = ['Ada Weber', 'Weber, Ada', 'Ludwig van Beethoven', 'Ada', 'Ada Maria von der Heide']

  assert.deepEqual(
    names.map((name) => Object.values(splitName(name))),
    [['Ada', 'Weber'], ['Ada', 'Weber'], ['Ludwig', 'van Beethoven'], ['Ada'], ['Ada Maria', 'von der Heide']],
  )
})

test('Of the organizations of a card, the first one counts with all its units, and the others are kept in metadata', () => {
  const card = (...lines: string[]) => ['BEGIN:VCARD', 'VERSION:3.0', 'N:;Ada;;;', ...lines, 'END:VCARD', ''].join('\n')

  const { records, listed } = readFile(
    'contacts',
    card('ORG:One GmbH;Sales', 'ORG:Two AG;Press', 'ORG:One GmbH;Support', 'ORG:One GmbH;Sales', 'ORG:Three') +
      card('ORG:One GmbH', 'ORG:One GmbH'),
    'vcard',
  )

  assert.deepEqual(listed, [])
  assert.deepEqual(records, [
    {
      first_name: 'Ada',
      organization: { name: 'One GmbH' },
      metadata: { department: 'Sales; Support', other_organizations: 'Two AG, Press; Three' },
    },
    { first_name: 'Ada', organization: { name: 'One GmbH' } },
  ])
})

test('A written vCard has short lines, and is read with the same values', () => {
  const notes = 'Line 1\nLine 2, with; marks \\ and '.concat('ß€😀'.repeat(60)).trim()
  const card = toVCard({
    ...{ id: '01a201e5-27fe-7000-8000-00fc819b70df', first_name: 'Ada; "A", B', last_name: 'von Weber' },
    ...{ job_title: 'Buyer', organization: { name: 'Müller; Feinkost' }, metadata: { notes } },
    contact_emails: [{ email: 'ada@x.example', type: 'my "own", type', is_primary: true }],
    contact_phones: [{ phone_number: '+49 89 1', type: 'mobile', is_primary: false }],
    updated_at: '2026-11-23T09:45:00.123Z',
  })

  assert.ok(card.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
  assert.match(card, /^BEGIN:VCARD\r\nVERSION:4\.0\r\n[\s\S]*REV:20261123T094500Z\r\nEND:VCARD\r\n$/)
  assert.deepEqual(readCards(card, 7), [
    {
      UID: 'urn:uuid:01a201e5-27fe-7000-8000-00fc819b70df',
      ...{ 'First name': 'Ada; "A", B', 'Last name': 'von Weber', Organization: 'Müller; Feinkost', Notes: notes },
      ...{ 'Job title': 'Buyer', 'E-mail 1 - Value': 'ada@x.example', 'E-mail 1 - Label': 'my "own", type' },
      ...{ 'E-mail 1 - Primary': 'true', 'Phone 1 - Value': '+49 89 1', 'Phone 1 - Label': 'cell' },
    },
  ])
})
