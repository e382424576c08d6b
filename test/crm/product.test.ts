import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision T3 */
test('Article numbers of products are unique as they are', async (t) => {
  const server = await start(t)
  const fresh = async () => (await server.company('Acme')).client

  await t.test('Numbers that differ in case are two numbers, equal ones are 409', async () => {
    const client = await fresh()
    const upper = await make(client, 'product', { sku: 'XM-01' })
    const lower = await make(client, 'product', { sku: 'xm-01' })
    assert.deepEqual([upper.sku, lower.sku], ['XM-01', 'xm-01'])
    assertError(await client.post('/api-v1-products', { name: 'Another', sku: 'xm-01' }), 409, 'ALREADY_EXISTS')
    assertError(await client.patch(`/api-v1-products/${upper.id}`, { sku: 'xm-01' }), 409, 'ALREADY_EXISTS')

    await client.delete(`/api-v1-products/${lower.id}`)
    const { status } = await client.patch(`/api-v1-products/${upper.id}`, { sku: 'xm-01' })
    assert.equal(status, 200)
    assertError(await client.post(`/api-v1-trash/${lower.id}/restore`, {}), 409, 'CONFLICT')
  })

  await t.test('Prices are summed by currency', async () => {
    const client = await fresh()
    for (const [price, currency] of [
      [1, 'USD'],
      [2, 'EUR'],
      [0.5, 'EUR'],
    ] as const)
      await make(client, 'product', { price, currency })

    const { data } = (await client.get('/api-v1-products/summary?measure=sum:price')).body

    assert.deepEqual(
      data.map(({ group, ...sums }: JsonRecord) => [group.currency, sums['sum:price']]),
      [
        ['EUR', 2.5],
        ['USD', 1],
      ],
    )
  })

  await t.test('An upsert and an import change only the product with exactly this number', async () => {
    const client = await fresh()
    const upper = await make(client, 'product', { name: 'Upper', sku: 'XM-01' })
    const created = await client.put('/api-v1-products?match_on=sku', { name: 'Lower', sku: 'xm-01' })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const updated = await client.put('/api-v1-products?match_on=sku', { name: 'Upper too', sku: 'XM-01' })
    assert.deepEqual([updated.status, updated.body.data.id], [200, upper.id])

    const records = [
      { name: 'Lower too', sku: 'xm-01' },
      { name: 'Mixed', sku: 'Xm-01' },
    ]
    await importAll(client, 'products', records, { match_on: 'sku' })
    const { body } = await client.get('/api-v1-products?sort=created_at')
    assert.deepEqual(
      body.data.map(({ name, sku }: { name: string; sku: string }) => [sku, name]),
      [
        ['XM-01', 'Upper too'],
        ['xm-01', 'Lower too'],
        ['Xm-01', 'Mixed'],
      ],
    )
  })
})

/** decision B7 */
test('The description of a product has up to 100,000 characters', async (t) => {
  const client = await (await start(t)).client()

  const { id, description } = await make(client, 'product', { description: 'x'.repeat(100_000) })

  assert.equal(description.length, 100_000)
  const longer = await client.patch(`/api-v1-products/${id}`, { description: 'x'.repeat(100_001) })
  assertError(longer, 400, 'VALIDATION_ERROR')
})
