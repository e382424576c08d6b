import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFile, readSample } from './read.ts'

const work = { email: 'ada@mueller.example', type: 'work' }
const mobile = { phone_number: '+49 170 1234567', type: 'mobile' }

interface Sample {
  what: string
  file: string
  source: string | undefined
  /** The columns that match no field. */
  listed: string[]
  /** The number of records, and members of the first one. */
  count: number
  first: Record<string, unknown>
}

const samples: Sample[] = [
  {
    ...{ what: 'contacts', file: 'google-contacts.csv', source: 'Google Contacts', count: 2 },
    listed: ['Phonetic First Name', 'Phonetic Middle Name', 'Phonetic Last Name'],
    first: {
      ...{ first_name: 'Ada Maria', last_name: 'Weber', job_title: 'Head of purchasing' },
      organization: { name: 'Müller Feinkost' },
      emails: [
        work,
        { email: 'a.weber@mueller.example', type: 'work' },
        { email: 'ada.weber@example.com', type: 'personal' },
      ],
      phones: [{ phone_number: '+49 89 1234567', type: 'work' }, mobile],
    },
  },
  {
    ...{ what: 'contacts', file: 'google-contacts-2015.csv', source: 'Google Contacts', count: 2, listed: [] },
    first: { first_name: 'Ada', emails: [work], phones: [mobile, { ...mobile, phone_number: '+49 171 7654321' }] },
  },
  {
    ...{ what: 'contacts', file: 'outlook.csv', source: 'Outlook', count: 2, listed: ['Home Street'] },
    first: {
      ...{ first_name: 'Jürgen', last_name: 'Groß', job_title: 'Leiter Einkauf' },
      organization: { name: 'Müller Feinkost' },
      emails: [{ email: 'juergen@mueller.example' }, { email: 'j.gross@example.com' }],
      phones: [
        { phone_number: '+49 89 123', type: 'work' },
        { phone_number: '+49 89 124', type: 'work' },
        { phone_number: '+49 8022 1', type: 'home' },
        { phone_number: '+49 170 1', type: 'mobile' },
      ],
    },
  },
  {
    ...{ what: 'contacts', file: 'hubspot-contacts.csv', source: 'HubSpot', count: 2, listed: ['Email Opt Out'] },
    first: {
      ...{ first_name: 'Ada', emails: [{ email: 'ada@mueller.example' }], organization: { name: 'Müller Feinkost' } },
      phones: [{ phone_number: '+49 89 1234567', type: 'work' }],
    },
  },
  {
    ...{ what: 'organizations', file: 'hubspot-companies.csv', source: 'HubSpot', count: 1, listed: [] },
    first: { name: 'Müller Feinkost', domain: 'mueller.example', city: 'Munich', organization_type: 'Retail' },
  },
  {
    ...{ what: 'contacts', file: 'pipedrive-people.csv', source: 'Pipedrive', count: 2 },
    listed: ['Person - Marketing status'],
    first: {
      ...{ first_name: 'Ada', last_name: 'Weber', organization: { name: 'Müller Feinkost' } },
      emails: [
        work,
        { email: 'ada.weber@example.com', type: 'personal' },
        { email: 'a.w@example.com', type: 'personal' },
      ],
      phones: [{ phone_number: '+49 89 1234567', type: 'work' }, mobile],
    },
  },
  {
    ...{ what: 'organizations', file: 'pipedrive-organizations.csv', source: 'Pipedrive', count: 1, listed: [] },
    first: { name: 'Müller Feinkost', address: 'Viktualienmarkt 3, 80331 Munich' },
  },
  {
    ...{ what: 'organizations', file: 'salesforce-accounts.csv', source: 'Salesforce', count: 1, listed: [] },
    first: { name: 'Müller Feinkost', domain: 'mueller.example', postal_code: '80331' },
  },
  {
    ...{ what: 'contacts', file: 'salesforce-contacts.csv', source: 'Salesforce', count: 2, listed: ['Shoe_Size__c'] },
    first: {
      ...{ first_name: 'Ada', last_name: 'Weber', job_title: 'Head of purchasing' },
      organization: { metadata: { salesforce_id: '0015g00000AbCdEAAV' } },
      phones: [{ phone_number: '+49 89 1234567', type: 'work' }, mobile],
    },
  },
  {
    ...{ what: 'contacts', file: 'plain-german.csv', source: undefined, count: 1, listed: [] },
    first: {
      ...{ first_name: 'Jürgen', last_name: 'Groß', organization: { name: 'Müller Feinkost' } },
      emails: [{ email: 'juergen@mueller.example' }, { email: 'j.gross@example.com', type: 'personal' }],
      phones: [{ phone_number: '+49 89 123' }, { phone_number: '+49 170 1', type: 'mobile' }],
    },
  },
  {
    ...{ what: 'contacts', file: 'contacts.vcf', source: 'vCard', count: 3, listed: ['X-SOCIALPROFILE'] },
    first: {
      ...{ first_name: 'Jürgen', last_name: 'Groß', organization: { name: 'Backhaus GmbH' } },
      phones: [
        { phone_number: '+49 89 123', type: 'work' },
        { phone_number: '+49 170 1', type: 'mobile', is_primary: true },
      ],
    },
  },
]

for (const { what, file, source, listed, count, first } of samples) {
  test(`${file} is recognized; each column is imported or listed, and each cell of an imported one is in its record`, () => {
    const read = readSample(what, file)

    assert.deepEqual([read.match.source, read.listed, read.records.length], [source, listed, count])
    const { metadata: _, ...members } = read.records[0]!
    for (const [name, value] of Object.entries(first)) assert.deepEqual(members[name], value, name)
    for (const [row, record] of read.records.entries()) {
      const text = JSON.stringify(record)
      for (const [at, cell] of read.rows[row]!.entries()) {
        const path = read.match.paths[at]
        if (path === undefined || /label|type|is_primary|domain|full_name/.test(path)) continue
        for (const part of cell.split(/ ::: |, (?=\S+@)/))
          assert.ok(text.includes(JSON.stringify(part).slice(1, -1)), cell)
      }
    }
  })
}

for (const [what, name] of [
  ['contacts', 'First Name'],
  ['organizations', 'Company name'],
  ['deals', 'Deal Name'],
  ['products', 'Name'],
  ['line-items', 'Name'],
] as const)
  test(`The creation time of ${what} of HubSpot is kept`, () => {
    const { match, listed, records } = readFile(what, `Record ID,${name},Create Date\n1,A,2025-02-03 10:15\n`, 'csv')

    const { source_created_at } = records[0]!.metadata as Record<string, unknown>
    assert.deepEqual([match.source, listed, source_created_at], ['HubSpot', [], '2025-02-03 10:15'])
  })

test('The heading of an amount may have the code of its currency, or a sign that means one', () => {
  const headings = [
    'Betrag (EUR)',
    'Betrag in €',
    'Betrag in EUR',
    'Betrag (€)',
    'Value - £',
    'Value in $',
    'Value in k',
  ]

  assert.deepEqual(
    headings.map((heading) => readFile('deals', `Title,${heading}\nA,5\n`, 'csv').match.paths[1]),
    ['value:EUR', 'value:EUR', 'value:EUR', 'value:EUR', 'value:GBP', undefined, undefined],
  )
  const hubspot = readFile('deals', 'Record ID,Deal Name,Amount (£)\n1,A,5\n', 'csv')
  assert.equal(hubspot.match.paths[2], 'value:GBP')
})
