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
