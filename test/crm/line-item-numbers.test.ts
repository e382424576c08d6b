import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, send } from '../support/client.ts'
import { ended, importAll } from '../support/imports.ts'
import { make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision T3 */
test('The numbers of products and line items', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const deal = await make(client, 'deal', { currency: 'CLF' })
  const headers = { 'Content-Type': 'application/json' }
  const write = (method: string, path: string, body: string) => client.request(method, path, { headers, body })
  const create = (fields: string) =>
    write('POST', '/api-v1-line-items', `{"deal_id":"${deal.id}","name":"Gold",${fields}}`)

  await t.test(
    'Numbers are stored and shown exactly as the JSON text has them, with more digits than a double',
    async () => {
      const digits = '999999999999.123456'
      const { status, body } = await write('POST', '/api-v1-products', `{"name":"Gold","price":${digits}}`)
      assert.equal(status, 201)
      const path = `/api-v1-products/${body.data.id}`
      assert.ok((await rawText(server.url, client, path)).includes(`"price":${digits},`))

      await client.patch(path, { price: 1 })
      const seq = (await client.get(`${path}/history`)).body.data[0].seq
      assert.ok((await rawText(server.url, client, `${path}/history`)).includes(`"previous":{"price":${digits}}`))
      assert.ok((await rawText(server.url, client, `${path}?as_of=${seq - 1}`)).includes(`"price":${digits},`))
      await client.post('/api-v1-undo', { seq })
      assert.ok((await rawText(server.url, client, path)).includes(`"price":${digits},`))
      const csv = await rawText(server.url, client, '/api-v1-products?sku=null', { Accept: 'text/csv' })
      assert.ok(csv.includes(`,${digits},`), csv)
    },
  )

  await t.test('A total of nineteen digits is exact', async () => {
    const { status, body } = await create('"quantity":1,"unit_price":99999999999.12345')
    assert.equal(status, 201, JSON.stringify(body))
    assert.ok(
      (await rawText(server.url, client, `/api-v1-line-items/${body.data.id}`)).includes('"total":99999999999.1235,'),
    )
    await client.delete(`/api-v1-line-items/${body.data.id}`)
  })

  await t.test('A number with more than 6 decimals or beyond its range is 400 OUT_OF_RANGE', async () => {
    const refused = [
      ['"unit_price":1.0000001', 'unit_price'],
      ['"unit_price":1.0000000000000000001', 'unit_price'],
      ['"unit_price":1e-7', 'unit_price'],
      ['"unit_price":1000000000000.000001', 'unit_price'],
      ['"unit_price":-1000000000001', 'unit_price'],
      ['"unit_price":1e400', 'unit_price'],
      ['"unit_price":1e-400', 'unit_price'],
      ['"quantity":-0.1E-0999', 'quantity'],
      ['"discount_percent":1e-999999999999', 'discount_percent'],
      ['"unit_price":1.0000000000000001e999999999', 'unit_price'],
      ['"quantity":1000000001', 'quantity'],
      ['"quantity":1000000000.000001', 'quantity'],
      ['"discount_percent":100.000001', 'discount_percent'],
      ['"discount_percent":-1', 'discount_percent'],
      ['"tax_percent":101', 'tax_percent'],
      ['"quantity":1000000000,"unit_price":1000000.01', 'total'],
      ['"quantity":1000000000,"unit_price":1000000000000', 'total'],
    ] as const
    for (const [fields, field] of refused) {
      const { status, body } = await create(fields)
      const [detail] = body.error?.details ?? []
      assert.deepEqual([status, detail?.field, detail?.code], [400, field, 'OUT_OF_RANGE'], fields)
    }
    const largest = await create('"quantity":1e9,"unit_price":1000000.000000')
    assert.deepEqual([largest.status, largest.body.data?.total], [201, 1e15])
    const { status, body } = await create('"unit_price":0.0001')
    assert.deepEqual([status, body.error?.details[0].code], [400, 'OUT_OF_RANGE'])
    assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).body.data.value, 1e15)
  })

  await t.test('Bulk imports keep the digits of their records', async () => {
    const digits = '123456789012.123457'
    const records = `{"records":[{"name":"Bulk","sku":"B-1","price":${digits}}]}`
    const submitted = await write('POST', '/api-v1-bulk/products', records)
    await ended(client, submitted.headers.get('location')!)

    assert.ok((await rawText(server.url, client, '/api-v1-products?sku=B-1')).includes(`"price":${digits},`))
  })

  await t.test('Lists and summaries compare prices as numbers', async () => {
    const { client } = await server.company('Beta')
    await importAll(
      client,
      'products',
      [9, 10, -2.5, 100].map((price) => ({ name: `P ${price}`, price })),
    )
    const prices = async (query: string) =>
      (await client.get(`/api-v1-products?${query}`)).body.data.map(({ price }: { price: number }) => price)

    assert.deepEqual(await prices('sort=price:asc'), [-2.5, 9, 10, 100])
    assert.deepEqual(await prices('price[gte]=10&sort=price:asc'), [10, 100])
    assert.deepEqual(await prices('price=-2.5'), [-2.5])
    const { data } = (await client.get('/api-v1-products/summary?measure=sum:price')).body
    assert.equal(data[0]['sum:price'], 116.5)
  })
})

async function rawText(
  url: string,
  { key }: Client,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> {
  await send(`${url}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } })
  const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } })
  return response.text()
}
