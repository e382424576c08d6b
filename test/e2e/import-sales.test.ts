import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportOf } from '../export/exports.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { declareField } from '../support/fields.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { bundle, run } from '../support/program.ts'
import { start } from '../support/start.ts'
import { desk } from './import-desk.ts'

type Client = Awaited<ReturnType<typeof desk>>['client']

async function declare(client: Client, key: string, resources: readonly string[]): Promise<void> {
  for (const resource of resources) {
    const { status } = await client.post('/api-v1-fields', { resource, key, label: key, type: 'text', unique: true })
    assert.equal(status, 201)
  }
}

async function listed(client: Client, path: string, names: readonly string[]): Promise<unknown[][]> {
  const { body } = await client.get(path)
  return body.data.map((each: JsonRecord) => names.map((name) => each[name]))
}

test('“Stage (Pipeline)” of HubSpot is that stage of that pipeline, unless a stage has the whole name', async (t) => {
  const { client, directory, importFile } = await desk(t, {
    'deals.csv': `Record ID,Deal Name,Deal Stage,Pipeline
1,A,Lead (Partners),Partners
2,B,lead (partners),
3,C,Lead (Sales),Sales
4,D,Lead (EU),
5,E,Offer (EU) (Partners),
6,F,Signed (Unknown),Unknown
`,
    'plain.csv': 'Title,Stage\nG,Lead (Partners)\n',
    'wrong.csv': 'Title,Stage,Pipeline\nH,Lead (Partners),Sales\nI,Lead (Nowhere),\n',
  })
  await declareField(client, 'hubspot_id', 'text')
  const { id: pipeline_id } = await make(client, 'pipeline', { name: 'Partners' })
  const { id: sales } = (await client.get('/api-v1-pipelines?filter[name]=Sales')).body.data[0]
  for (const name of ['Lead', 'Offer (EU)', 'Signed']) await make(client, 'stage', { name, pipeline_id })
  await make(client, 'stage', { name: 'Lead (EU)', pipeline_id: sales })

  for (const file of ['deals.csv', 'plain.csv']) {
    const { code, stderr } = await importFile('deals', file, '--ignore-columns')
    assert.equal(code, 0, stderr)
  }
  const { code } = await importFile('deals', 'wrong.csv')

  assert.notEqual(code, 0)
  const errors = readFileSync(join(directory, 'wrong.errors.csv'), 'utf8')
  assert.match(errors, /No stage has name "+Lead \(Partners\)"+/)
  assert.match(errors, /No stage has name "+Lead \(Nowhere\)"+/)
  const { body } = await client.get('/api-v1-deals?sort=title&include=stage')
  const { body: stages } = await client.get('/api-v1-stages?limit=100')
  const pipelineOf = new Map(stages.data.map((each: JsonRecord) => [each.id, each.pipeline_id]))
  assert.deepEqual(
    body.data.map(({ title, stage }: JsonRecord) => [title, stage.name, pipelineOf.get(stage.id)]),
    [
      ['A', 'Lead', pipeline_id],
      ['B', 'Lead', pipeline_id],
      ['C', 'Lead', sales],
      ['D', 'Lead (EU)', sales],
      ['E', 'Offer (EU)', pipeline_id],
      ['F', 'Signed', pipeline_id],
      ['G', 'Lead', pipeline_id],
    ],
  )
})

test('An amount is in the currency of its heading, and a second amount is named, not lost', async (t) => {
  const { client, importFile } = await desk(t, {
    'pipedrive.csv': 'Product - Name,Product - Product code,Product - Price (CHF)\nHamper,XM-01,49.90\nCard,C-1,\n',
    'plain.csv': 'Artikel,Artikelnummer,Preis - JPY,Währung\nVase,V-1,1200,\nUrn,U-1,7,jpy\n',
    'two.csv': 'Name,Price (EUR),Price (USD)\nBox,5,6\n',
    'deals.csv': 'Title,Amount (USD)\nHampers,12.5\n',
    'none.csv': 'Name,Price (NET)\nBag,5\n',
  })
  for (const [what, file] of [
    ['products', 'pipedrive.csv'],
    ['products', 'plain.csv'],
    ['deals', 'deals.csv'],
  ] as const) {
    const { code, stderr } = await importFile(what, file)
    assert.equal(code, 0, stderr)
  }
  for (const [file, column] of [
    ['two.csv', /Price \(USD\)/],
    ['none.csv', /Price \(NET\)/],
  ] as const) {
    const { code, stderr } = await importFile('products', file)
    assert.notEqual(code, 0)
    assert.match(stderr, column)
  }

  assert.deepEqual(await listed(client, '/api-v1-products?sort=sku', ['sku', 'price', 'currency']), [
    ['C-1', 0, 'EUR'],
    ['U-1', 7, 'JPY'],
    ['V-1', 1200, 'JPY'],
    ['XM-01', 49.9, 'CHF'],
  ])
  assert.deepEqual(await listed(client, '/api-v1-deals', ['value', 'currency']), [[12.5, 'USD']])
})

test('Products and line items of Pipedrive come in: by the id or title of the deal, and the code or name of the product', async (t) => {
  const { client, importFile } = await desk(t, {
    'products.csv':
      'Product - ID,Product - Name,Product - Product code,Product - Unit,Product - Unit price\n1,Hamper,XM-01,piece,10\n2,Vase,,,5\n',
    'items.csv': `Deal - ID,Deal - Title,Product - Name,Product - Product code,Product - Quantity,Product - Unit price,Product - Discount,Product - Tax,Product - Amount
700,Christmas,Hamper,XM-01,3,9.5,10,19,25.65
,Easter,Vase,,2,5,0,7,10
`,
    'positionen.csv': 'Deal,Artikel,Menge,Einzelpreis,Rabatt\nEaster,Vase,"1,5","4,00",\n',
  })
  await declare(client, 'pipedrive_id', ['deal', 'product'])
  await make(client, 'deal', { title: 'Christmas', metadata: { pipedrive_id: '700' } })
  await make(client, 'deal', { title: 'Easter' })

  for (const [what, file] of [
    ['products', 'products.csv'],
    ['line-items', 'items.csv'],
    ['line-items', 'positionen.csv'],
  ] as const) {
    const { code, stderr } = await importFile(what, file)
    assert.equal(code, 0, stderr)
  }

  const names = ['name', 'quantity', 'unit_price', 'discount_percent', 'tax_percent', 'total']
  assert.deepEqual(await listed(client, '/api-v1-line-items?sort=-total', names), [
    ['Hamper', 3, 9.5, 10, 19, 25.65],
    ['Vase', 2, 5, 0, 7, 10],
    ['Vase', 1.5, 4, 0, 0, 6],
  ])
  assert.deepEqual(await listed(client, '/api-v1-deals?sort=title', ['title', 'value']), [
    ['Christmas', 25.65],
    ['Easter', 16],
  ])
})

/** What a company sells, without ids: pipelines with stages, products, deals with people and line items. */
async function soldBy(client: Client): Promise<unknown> {
  const all = async (path: string): Promise<JsonRecord[]> => (await client.get(path)).body.data
  const [pipelines, stages] = [await all('/api-v1-pipelines'), await all('/api-v1-stages?limit=100')]
  const nameOf = (id: string) => pipelines.find((each) => each.id === id)!.name
  const stageOf = (id: string) => stages.find((each) => each.id === id)!
  const deals = await all('/api-v1-deals?sort=title&include=contacts')
  const people = await all('/api-v1-contacts')
  const titleOf = (id: string) => people.find((each) => each.id === id)!.job_title
  const columns = 'deal.title,product.name,name,quantity,unit_price,discount_percent,tax_percent,position,total'
  const items = await exportOf(client, `/api-v1-line-items?raw=1&sort=position,name&columns=${columns}`)
  const own = ({ id: _, created_at: __, updated_at: ___, metadata: ____, ...rest }: JsonRecord) => rest
  return {
    stages: stages.map(({ name, kind, pipeline_id }) => [nameOf(pipeline_id), name, kind]).sort(),
    products: (await all('/api-v1-products?sort=name')).map(own),
    deals: deals.map(({ title, value, currency, contact_id, contacts, stage_id }) => [
      ...[title, value, currency, stageOf(stage_id).name, nameOf(stageOf(stage_id).pipeline_id), contact_id !== null],
      contacts.map(({ id, first_name, last_name, role }: JsonRecord) => [first_name, last_name, titleOf(id), role]),
    ]),
    items: items.split('\r\n'),
  }
}

test('Pipelines, people, products and line items of our own files come back equal in another company', async (t) => {
  const server = await start(t)
  const [one, other] = [await server.client(), await server.client()]
  const directory = temporaryDirectory(t)
  const [ada, grace, ann, otherAnn] = [
    await make(one, 'contact', { first_name: 'Ada', last_name: 'Weber' }),
    await make(one, 'contact', { first_name: 'Grace', last_name: 'Hopper' }),
    await make(one, 'contact', { first_name: 'Ann', last_name: 'Lee', job_title: 'Buyer' }),
    await make(one, 'contact', { first_name: 'Ann', last_name: 'Lee', job_title: 'Cook' }),
  ]
  const pipeline = await make(one, 'pipeline', { name: 'Partners' })
  const lead = await make(one, 'stage', { name: 'Lead', pipeline_id: pipeline.id })
  await make(one, 'stage', { name: 'Signed', pipeline_id: pipeline.id, kind: 'won', position: 1 })
  const hamper = await make(one, 'product', {
    ...{
      name: 'Hamper; "large", ripe',
      sku: 'XM-01',
      price: 49.9,
      currency: 'CHF',
      unit: 'piece',
      description: 'A\nB',
    },
  })
  const vase = await make(one, 'product', { name: 'Vase', price: 0.000001, is_active: false })
  const christmas = await make(one, 'deal', {
    title: 'Christmas',
    currency: 'CHF',
    stage_id: lead.id,
    contact_id: ada.id,
  })
  await one.put(`/api-v1-deals/${christmas.id}/contacts/${grace.id}`, { role: 'Buyer' })
  const autumn = await make(one, 'deal', { title: 'Autumn' })
  for (const { id, job_title: role } of [otherAnn, ann])
    await one.put(`/api-v1-deals/${autumn.id}/contacts/${id}`, { role })
  const easter = await make(one, 'deal', { title: 'Easter', value: 7, currency: 'JPY' })
  await make(one, 'deal', { title: 'Plain', value: 12.345 })
  const exact = '{"deal_id":"%","name":"Exact","quantity":0.123456,"unit_price":-123456789012.345678,"position":3}'
  for (const item of [
    { deal_id: christmas.id, product_id: hamper.id, quantity: 3, discount_percent: 33.333333, tax_percent: 7.7 },
    { deal_id: christmas.id, name: 'Delivery', unit_price: 12.5, position: 1 },
    { deal_id: easter.id, product_id: vase.id, unit_price: 999, position: 2 },
  ]) {
    await make(one, 'line_item', item)
  }
  const { status } = await one.request('POST', '/api-v1-line-items', {
    headers: { 'Content-Type': 'application/json' },
    body: exact.replace('%', easter.id),
  })
  assert.equal(status, 201)
  const files = ['contacts', 'products', 'deals', 'line-items']
  for (const name of files) writeFileSync(join(directory, `${name}.csv`), await exportOf(one, `/api-v1-${name}?raw=1`))

  await declare(other, 'kontor_id', ['contact', 'product', 'deal', 'line_item'])
  const { id: pipeline_id } = await make(other, 'pipeline', { name: 'Partners' })
  await make(other, 'stage', { name: 'Lead', pipeline_id })
  await make(other, 'stage', { name: 'Signed', pipeline_id, kind: 'won', position: 1 })
  const maps: Record<string, string[]> = {
    contacts: [],
    products: [],
    deals: ['contact_id=contact.metadata.kontor_id', 'contacts.id=contacts.metadata.kontor_id'],
    'line-items': [
      'deal_id=deal.metadata.kontor_id',
      'deal.title=',
      'product_id=product.metadata.kontor_id',
      'product.name=',
    ],
  }
  for (const name of files) {
    const options = ['id=metadata.kontor_id', ...maps[name]!].flatMap((map) => ['--map', map])
    const where = ['--url', server.url, '--key', other.key, '--match-on', 'metadata.kontor_id']
    const { code, stdout, stderr } = await run(bundle, [
      'import',
      name,
      join(directory, `${name}.csv`),
      ...where,
      ...options,
    ])
    const failed = join(directory, `${name}.errors.csv`)
    assert.equal(code, 0, `${stdout} ${stderr} ${existsSync(failed) ? readFileSync(failed, 'utf8') : ''}`)
  }

  assert.deepEqual(await soldBy(other), await soldBy(one))
})
