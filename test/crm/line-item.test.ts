import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, type Client } from '../support/client.ts'
import { importAll } from '../support/imports.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const worth = async (client: Client, { id }: JsonRecord): Promise<number> =>
  (await client.get(`/api-v1-deals/${id}`)).body.data.value

/** decision T3 */
test('Line items', async (t) => {
  const server = await start(t)
  const fresh = async () => (await server.company('Acme')).client
  const url = ({ id }: JsonRecord) => `/api-v1-line-items/${id}`

  await t.test('A total is quantity × unit price less the discount, rounded once, half away from zero', async () => {
    const client = await fresh()
    const cases = [
      ['EUR', { quantity: 3, unit_price: 19.99 }, 59.97],
      ['EUR', { quantity: 1, unit_price: 0.1, discount_percent: 33.3 }, 0.07],
      ['EUR', { quantity: 1, unit_price: 1.005 }, 1.01],
      ['EUR', { quantity: -1, unit_price: 1.005 }, -1.01],
      ['EUR', { quantity: 0.5, unit_price: 0.01 }, 0.01],
      ['JPY', { quantity: 1, unit_price: 0.5 }, 1],
      ['BHD', { quantity: 1, unit_price: 1.0005 }, 1.001],
      ['CLF', { quantity: 1, unit_price: 1.00005 }, 1.0001],
      ['XYZ', { quantity: 1, unit_price: 1.005 }, 1.01],
      ['EUR', { quantity: 20, unit_price: 49.9, discount_percent: 5, tax_percent: 19 }, 948.1],
    ] as const
    for (const [currency, fields, total] of cases) {
      const deal = await make(client, 'deal', { currency })
      const item = await make(client, 'line_item', { deal_id: deal.id, ...fields })
      assert.deepEqual([item.total, await worth(client, deal)], [total, total], JSON.stringify([currency, fields]))
    }
  })

  await t.test('The value of a deal with line items is their exact sum, whatever happens to them', async () => {
    const client = await fresh()
    const [deal, other] = [await make(client, 'deal', { value: 7 }), await make(client, 'deal', { value: 5 })]
    const tenth = await make(client, 'line_item', { deal_id: deal.id, unit_price: 0.1 })
    const fifth = await make(client, 'line_item', { deal_id: deal.id, unit_price: 0.2 })
    assert.equal(await worth(client, deal), 0.3)

    await client.patch(url(fifth), { quantity: 3 })
    assert.equal(await worth(client, deal), 0.7)
    await client.patch(url(fifth), { deal_id: other.id })
    assert.deepEqual([await worth(client, deal), await worth(client, other)], [0.1, 0.6])
    await client.delete(url(tenth))
    assert.equal(await worth(client, deal), 0.1)
    await client.patch(`/api-v1-deals/${deal.id}`, { value: 9 })
    assert.equal(await worth(client, deal), 9)
  })

  await t.test('Totals are summed by the currency of the deal, in pages', async () => {
    const client = await fresh()
    for (const [currency, unit_price] of [
      ['USD', 1],
      ['EUR', 2],
      ['EUR', 0.5],
    ] as const) {
      const deal = await make(client, 'deal', { currency })
      await make(client, 'line_item', { deal_id: deal.id, name: 'Hamper', unit_price })
    }
    const path = '/api-v1-line-items/summary?group_by=name&measure=sum:total&limit=1'

    const first = (await client.get(path)).body
    const second = (await client.get(`${path}&cursor=${first.pagination.next_cursor}`)).body

    assert.deepEqual(
      [...first.data, ...second.data],
      [
        { group: { name: 'Hamper', currency: 'EUR' }, count: 2, 'sum:total': 2.5 },
        { group: { name: 'Hamper', currency: 'USD' }, count: 1, 'sum:total': 1 },
      ],
    )
    assert.equal(second.pagination.has_more, false)
  })

  await t.test('Another value or currency of a deal with line items is 409, the same ones are no change', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { currency: 'CHF' })
    const path = `/api-v1-deals/${deal.id}`
    const item = await make(client, 'line_item', { deal_id: deal.id, unit_price: 12.5 })

    assertError(await client.patch(path, { value: 13 }), 409, 'CONFLICT')
    assertError(await client.patch(path, { currency: 'EUR' }), 409, 'CONFLICT')
    const same = await client.patch(path, { value: 12.5, currency: 'chf', title: 'Renamed' })
    assert.deepEqual([same.status, same.body.data.title, same.body.data.value], [200, 'Renamed', 12.5])
    await client.delete(url(item))
    assert.equal((await client.patch(path, { value: 13, currency: 'EUR' })).body.data.currency, 'EUR')
  })

  await t.test('A derived value is in the change of the deal, without a change if the sum stays', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    const item = await make(client, 'line_item', { deal_id: deal.id, unit_price: 10 })
    await client.patch(url(item), { name: 'Box' })

    const { data } = (await client.get(`/api-v1-deals/${deal.id}/history`)).body

    const seen = data.map(({ type, changed, previous }: JsonRecord) => [type, changed, previous])
    assert.deepEqual(seen, [
      ['deal.updated', ['value'], { value: 50 }],
      ['deal.created', [], null],
    ])
  })

  await t.test('Name and unit price come from the product if they are missing', async () => {
    const client = await fresh()
    const product = await make(client, 'product', { name: 'Hamper', price: 49.95, currency: 'EUR' })
    const [euros, francs] = [
      await make(client, 'deal', { currency: 'EUR' }),
      await make(client, 'deal', { currency: 'CHF' }),
    ]
    const create = (body: object) => client.post('/api-v1-line-items', { product_id: product.id, ...body })

    const { body } = await create({ deal_id: euros.id, quantity: 2 })
    assert.deepEqual([body.data.name, body.data.unit_price, body.data.total], ['Hamper', 49.95, 99.9])
    const named = (await create({ deal_id: euros.id, name: 'Gift', unit_price: 1 })).body.data
    assert.deepEqual([named.name, named.unit_price], ['Gift', 1])
    assertError(await create({ deal_id: francs.id }), 400, 'VALIDATION_ERROR', undefined, ['unit_price'])
    assert.equal((await create({ deal_id: francs.id, unit_price: 55 })).body.data.total, 55)
    const nameless = await client.post('/api-v1-line-items', { deal_id: euros.id, unit_price: 1 })
    assertError(nameless, 400, 'VALIDATION_ERROR', 'Name is required', ['name'])
  })

  await t.test('Line items leave and return with their deal, and those that left by themselves stay', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal')
    const [one, two, gone] = [
      await make(client, 'line_item', { deal_id: deal.id, unit_price: 1 }),
      await make(client, 'line_item', { deal_id: deal.id, unit_price: 2 }),
      await make(client, 'line_item', { deal_id: deal.id, unit_price: 4 }),
    ]
    await client.delete(url(gone))
    await client.delete(`/api-v1-deals/${deal.id}`)
    assert.equal((await client.get(url(one))).status, 404)
    assertError(await client.post(`/api-v1-trash/${gone.id}/restore`, undefined), 409, 'CONFLICT')

    await client.post(`/api-v1-trash/${deal.id}/restore`, undefined)

    const { data } = (await client.get(`/api-v1-line-items?deal_id=${deal.id}`)).body
    assert.deepEqual(new Set(data.map(({ id }: JsonRecord) => id)), new Set([one.id, two.id]))
    assert.equal(await worth(client, deal), 3)
    const types = (await client.get(`/api-v1-deals/${deal.id}/history`)).body.data.map(({ type }: JsonRecord) => type)
    assert.deepEqual(types.slice(0, 2), ['deal.restored', 'deal.deleted'])
  })

  await t.test('A deal has at most 200 line items, by whatever way they come', async () => {
    const client = await fresh()
    const [deal, other] = [await make(client, 'deal'), await make(client, 'deal')]
    const records = Array.from({ length: 200 }, (_, at) => ({ deal_id: deal.id, name: `Item ${at}`, unit_price: 1 }))
    assert.equal((await importAll(client, 'line-items', records)).created_records, 200)
    const item = await make(client, 'line_item', { deal_id: other.id })

    const more = await client.post('/api-v1-line-items', records[0])
    assertError(more, 409, 'CONFLICT', 'A deal has at most 200 line items: delete one first')
    assertError(await client.patch(url(item), { deal_id: deal.id }), 409, 'CONFLICT')
    assert.equal(await worth(client, deal), 200)
  })

  await t.test('Lists of line items are in the order of their positions', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal')
    for (const [name, position] of [
      ['c', 2],
      ['a', 0],
      ['b', 1],
    ] as const) {
      await make(client, 'line_item', { deal_id: deal.id, name, position })
    }

    const { data } = (await client.get(`/api-v1-line-items?deal_id=${deal.id}`)).body

    assert.deepEqual(
      data.map(({ name }: JsonRecord) => name),
      ['a', 'b', 'c'],
    )
  })
})

test('The name of a line item cannot become blank', async (t) => {
  const client = await (await start(t)).client()
  const { id } = await make(client, 'line_item', { name: 'Hamper' })

  for (const name of ['', ' ']) {
    assertError(await client.patch(`/api-v1-line-items/${id}`, { name }), 400, 'VALIDATION_ERROR', 'Name is required', [
      'name',
    ])
  }
  assert.equal((await client.get(`/api-v1-line-items/${id}`)).body.data.name, 'Hamper')
})
