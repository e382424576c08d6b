import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportOf } from '../export/exports.ts'
import { declareField } from '../support/fields.ts'
import { make } from '../support/make.ts'
import { desk } from './import-desk.ts'

type Desk = Awaited<ReturnType<typeof desk>>

const hubspotDeals = `Record ID,Deal Name,Amount,Pipeline,Deal Stage,Associated Contact IDs,Associated Contact
1,Hampers,120.50,Partners,Lead,7;8,Ada Weber (ada@mueller.example);Grace Hopper
2,Coaches,10,Unknown,Signed up,99,Nobody Known
`
const pipedriveDeals = `Deal - ID,Deal - Title,Deal - Value,Deal - Pipeline,Deal - Stage,Deal - Contact person
1,Vans,5,Partners,Lead,Grace Hopper
`

async function setUp(client: Desk['client']): Promise<Record<string, string>> {
  await declareField(client, 'hubspot_id', 'text')
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  await make(client, 'stage', { name: 'Lead', pipeline_id })
  await make(client, 'stage', { name: 'Signed up', pipeline_id })
  const ada = await make(client, 'contact', {
    ...{ first_name: 'Ada', last_name: 'Weber', metadata: { hubspot_id: '7' } },
    emails: [{ email: 'ada@mueller.example' }],
  })
  const grace = await make(client, 'contact', {
    ...{ first_name: 'Grace', last_name: 'Hopper', metadata: { hubspot_id: '8' } },
  })
  return { ada: ada.id, grace: grace.id, pipeline: pipeline_id }
}

interface Listed {
  title: string
  contacts: { id: string; first_name: string; role: string | null }[]
  contact_id: string | null
  stage_id: string
}

/** The deals with the names of their people, whether the first one is the contact, and the pipelines of their stages. */
async function dealsOf(client: Desk['client']): Promise<unknown[][]> {
  const { body } = await client.get('/api-v1-deals?sort=title&include=contacts,stage')
  const { body: stages } = await client.get('/api-v1-stages?limit=100')
  const pipelineOf = (id: string) => stages.data.find((each: { id: string }) => each.id === id).pipeline_id
  return body.data.map(({ title, contacts, contact_id, stage_id }: Listed) => [
    title,
    contacts.map(({ first_name, role }) => [first_name, role]),
    contact_id === (contacts[0]?.id ?? null),
    pipelineOf(stage_id),
  ])
}

test('Deals of HubSpot and Pipedrive come with their pipelines and all their contacts, by id, address or name', async (t) => {
  const { client, importFile } = await desk(t, { 'hubspot.csv': hubspotDeals, 'pipedrive.csv': pipedriveDeals })
  const { pipeline } = await setUp(client)

  assert.equal((await importFile('deals', 'hubspot.csv')).code, 0)
  assert.equal((await importFile('deals', 'pipedrive.csv')).code, 0)

  const both = [
    ['Ada', null],
    ['Grace', null],
  ]
  assert.deepEqual(await dealsOf(client), [
    ['Coaches', [], true, pipeline],
    ['Hampers', both, true, pipeline],
    ['Vans', [['Grace', null]], true, pipeline],
  ])
  const { body } = await client.get('/api-v1-deals?title=Coaches')
  const { hubspot_contact_ids, contact, pipeline: named } = body.data[0].metadata
  assert.deepEqual([hubspot_contact_ids, contact, named], ['99', 'Nobody Known', 'Unknown'])
})

for (const [file, type] of [
  ['deals.csv', 'text/csv'],
  ['deals.ndjson', 'application/x-ndjson'],
] as const)
  test(`Our own ${file} comes back with the same pipelines, people and roles`, async (t) => {
    const { client, directory, importFile } = await desk(t, { [file]: '' })
    const { ada, grace, pipeline } = await setUp(client)
    const stages = (await client.get(`/api-v1-stages?filter[pipeline_id]=${pipeline}`)).body.data
    const deal = await make(client, 'deal', { title: 'Hampers', contact_id: ada, stage_id: stages[0].id, value: 12.5 })
    await client.put(`/api-v1-deals/${deal.id}/contacts/${grace}`, { role: 'Buyer; decides' })
    await client.put(`/api-v1-deals/${deal.id}/contacts/${ada}`, { role: 'User' })
    await make(client, 'deal', { title: 'Alone' })
    const without = await make(client, 'deal', { title: 'Without a first person' })
    await client.put(`/api-v1-deals/${without.id}/contacts/${grace}`, {})
    const before = await dealsOf(client)
    const exported = await exportOf(client, `/api-v1-deals${type === 'text/csv' ? '?raw=1' : ''}`, type)
    writeFileSync(join(directory, file), exported)
    if (type === 'text/csv')
      assert.match(exported.split('\r\n')[0]!, /stage\.name,pipeline\.name,.*contacts\.id,contacts\.first_name/)
    for (const { id } of (await client.get('/api-v1-deals')).body.data) await client.delete(`/api-v1-deals/${id}`)

    const { code } = await importFile('deals', file)

    assert.equal(code, 0)
    assert.deepEqual(await dealsOf(client), before)
  })

test('A CSV file of deals has no columns of pipelines and people until there are several', async (t) => {
  const { client } = await desk(t, {})
  const contact = await make(client, 'contact', { first_name: 'Ada' })
  await make(client, 'deal', { title: 'Hampers', contact_id: contact.id })

  const [head] = (await exportOf(client, '/api-v1-deals')).split('\r\n')

  assert.doesNotMatch(head!, /pipeline|contacts/)
  const named = await exportOf(client, '/api-v1-deals?columns=title,pipeline.name,contacts')
  assert.deepEqual(named.trim().split('\r\n')[1]!.split(',').slice(0, 2), ['Hampers', 'Sales'])
})

test('Numbers of more than 15 digits come in whole, from CSV and from JSON, and line items of HubSpot find their deal and product', async (t) => {
  const price = '123456789012.345678'
  const { client, importFile } = await desk(t, {
    'products.csv': `Record ID,Name,SKU,Unit Price\n1,Hamper,XM-01,${price}\n`,
    'products.ndjson': `{"name":"Vase","sku":"V-1","price":${price}}\n`,
    'items.csv': `Record ID,Name,SKU,Quantity,Unit Price,Associated Deal IDs\n5,Hamper,XM-01,2,10.5,700\n`,
  })
  await declareField(client, 'hubspot_id', 'text')
  const { status } = await client.post('/api-v1-fields', {
    ...{ resource: 'deal', key: 'hubspot_id', label: 'HubSpot ID', type: 'text' },
  })
  assert.equal(status, 201)
  const deal = await make(client, 'deal', { title: 'Christmas', metadata: { hubspot_id: '700' } })

  for (const [what, file] of [
    ['products', 'products.csv'],
    ['products', 'products.ndjson'],
    ['line-items', 'items.csv'],
  ] as const) {
    const { code, stderr } = await importFile(what, file)
    assert.equal(code, 0, stderr)
  }

  const csv = await exportOf(client, '/api-v1-products?columns=sku,price&sort=sku')
  assert.deepEqual(csv.trim().split('\r\n').slice(1), [`V-1,${price}`, `XM-01,${price}`])
  assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).body.data.value, 21)
})

test('Our own file of deals finds the first person by name where the ids are others', async (t) => {
  const { client, directory, importFile } = await desk(t, {})
  const { ada, grace } = await setUp(client)
  const deal = await make(client, 'deal', { title: 'Hampers', contact_id: ada })
  await client.put(`/api-v1-deals/${deal.id}/contacts/${grace}`, { role: 'Buyer' })
  const before = await dealsOf(client)
  writeFileSync(join(directory, 'deals.csv'), await exportOf(client, '/api-v1-deals?raw=1'))
  await client.delete(`/api-v1-deals/${deal.id}`)
  for (const id of [ada, grace]) await client.delete(`/api-v1-contacts/${id}`)
  await make(client, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  await make(client, 'contact', { first_name: 'Grace', last_name: 'Hopper' })

  const { code, stderr } = await importFile('deals', 'deals.csv')

  assert.equal(code, 0, stderr)
  assert.deepEqual(await dealsOf(client), before)
})

test('A person whose name is null, which means empty to filters, is one that does not exist', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'a.csv': 'Title,Who\nA,Ada Lee; null\nB,Bo null\nC,Ada Lee\n',
  })
  await make(client, 'contact', { first_name: 'Ada', last_name: 'Lee' }, { first_name: 'Bo' })

  const { stdout, stderr } = await importFile('deals', 'a.csv', '--map', 'Who=contacts:name')

  assert.match(stdout, /^1 deal imported\.\n2 failed/, stderr)
  const errors = readFileSync(join(directory, 'a.errors.csv'), 'utf8')
  assert.match(errors, /\nA,.*No contact has name ""null""/)
  assert.match(errors, /\nB,.*No contact has name ""Bo null""/)
})

test('The summary names rows whose contact does not exist, which keep their organization', async (t) => {
  const { client, importFile } = await desk(t, {
    'a.csv': 'Deal - Title,Deal - Organization,Deal - Contact person\nA,Acme,Nobody\n',
  })
  const acme = await make(client, 'organization', { name: 'Acme' })

  const { stdout } = await importFile('deals', 'a.csv')

  assert.match(
    stdout,
    /Rows that name an organization or a contact that does not exist: 1; the name or id is in metadata/,
  )
  const [deal] = (await client.get('/api-v1-deals')).body.data
  assert.deepEqual([deal.organization_id, deal.metadata], [acme.id, { contact: 'Nobody' }])
})
