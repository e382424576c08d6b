import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportOf } from '../export/exports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { desk } from './import-desk.ts'

for (const [file, type] of [
  ['items.csv', 'text/csv'],
  ['items.ndjson', 'application/x-ndjson'],
] as const) {
  test(`Line items of our own ${file} find their products by article numbers if several have the name`, async (t) => {
    const { client, directory, importFile } = await desk(t, {})
    const deal = await make(client, 'deal', { title: 'Shirts' })
    const products: JsonRecord[] = []
    for (const sku of ['S', 's', 'XL']) products.push(await make(client, 'product', { name: 'Shirt', sku }))
    for (const { id } of products) await make(client, 'line_item', { deal_id: deal.id, product_id: id, unit_price: 5 })
    writeFileSync(join(directory, file), await exportOf(client, '/api-v1-line-items', type))
    for (const { id } of (await client.get('/api-v1-line-items')).body.data) {
      await client.delete(`/api-v1-line-items/${id}`)
    }
    for (const { id } of products) await client.delete(`/api-v1-products/${id}`)
    for (const sku of ['XL', 's', 'S']) await make(client, 'product', { name: 'Shirt', sku })

    const { code, stderr } = await importFile('line-items', file)

    assert.equal(code, 0, stderr)
    const { data } = (await client.get('/api-v1-line-items?sort=created_at&include=product')).body
    assert.deepEqual(
      data.map(({ product }: JsonRecord) => product.sku),
      ['S', 's', 'XL'],
    )
  })
}

for (const [file, type] of [
  ['items.csv', 'text/csv'],
  ['items.ndjson', 'application/x-ndjson'],
] as const) {
  test(`Line items of a deleted product and deals of a deleted organization come back from our own ${file} without it`, async (t) => {
    const { client, directory, importFile } = await desk(t, {})
    const there = await make(client, 'organization', { name: 'There' })
    const gone = await make(client, 'organization', { name: 'Gone' })
    const deals = [
      await make(client, 'deal', { title: 'One', organization_id: gone.id }),
      await make(client, 'deal', { title: 'Two', organization_id: there.id }),
    ]
    const product = await make(client, 'product', { name: 'Shirt' })
    await make(client, 'line_item', { deal_id: deals[1]!.id, product_id: product.id, name: 'Shirt', unit_price: 5 })
    await client.delete(`/api-v1-products/${product.id}`)
    await client.delete(`/api-v1-organizations/${gone.id}`)
    writeFileSync(join(directory, file), await exportOf(client, '/api-v1-line-items', type))
    writeFileSync(join(directory, `deals-${file}`), await exportOf(client, '/api-v1-deals', type))
    await client.delete(`/api-v1-deals/${deals[0]!.id}`)
    const [item] = (await client.get('/api-v1-line-items')).body.data
    await client.delete(`/api-v1-line-items/${item.id}`)

    const outcomes = [await importFile('deals', `deals-${file}`), await importFile('line-items', file)]

    for (const { code, stdout, stderr } of outcomes) {
      assert.equal(code, 0, stderr)
      assert.match(stdout, new RegExp(`Cells without a value, left empty: 1: line . \\((${gone.id}|${product.id})\\)`))
    }
    const { data: after } = (await client.get('/api-v1-deals?sort=title&include=organization')).body
    const imported = after.filter(({ id }: JsonRecord) => deals.every((deal) => deal.id !== id))
    assert.deepEqual(
      imported.map(({ title, organization }: JsonRecord) => [title, organization?.name]),
      [
        ['One', undefined],
        ['Two', 'There'],
      ],
    )
    const { data } = (await client.get('/api-v1-line-items')).body
    assert.deepEqual(
      data.map(({ name, product_id }: JsonRecord) => [name, product_id]),
      [['Shirt', null]],
    )
  })
}

test('Article numbers with backslashes and commas are found, and keep no others from being found', async (t) => {
  const numbers = ['AB\\', 'CD', 'E\\\\F', 'G,H', 'I\\,J', '\\']
  const rows = numbers.map((sku) => `Shirts,"${sku}",1`)
  const { client, importFile } = await desk(t, { 'items.csv': ['Deal,SKU,Quantity', ...rows, ''].join('\n') })
  await make(client, 'deal', { title: 'Shirts' })
  for (const sku of numbers) await make(client, 'product', { name: 'Shirt', sku })

  const { code, stderr } = await importFile('line-items', 'items.csv')

  assert.equal(code, 0, stderr)
  const { data } = (await client.get('/api-v1-line-items?sort=created_at&include=product')).body
  assert.deepEqual(
    data.map(({ product }: JsonRecord) => product.sku),
    numbers,
  )
})
