import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const visit = { 'X-Request-Id': 'visit' }

/** decision T3 */
test('An undo keeps what follows the line items of a deal, and a dry run says the same', async (t) => {
  const server = await start(t)
  const fresh = async () => (await server.company('Acme')).client
  const pathOf = ({ id }: JsonRecord) => `/api-v1-deals/${id}`
  const shown = async (client: Client, deal: JsonRecord) => (await client.get(pathOf(deal))).body.data
  /** What a dry run and then the undo say, without what is about no deal. */
  const undo = async (client: Client, asked: object) => {
    const dry = await client.post('/api-v1-undo', { ...asked, dry_run: true })
    const { body } = await client.post('/api-v1-undo', asked)
    assert.deepEqual(dry.body, body)
    return Object.entries<JsonRecord[]>(body.data).flatMap(([name, items]) =>
      items
        .filter(({ resource }) => resource === 'deal')
        .map(({ fields, kept_fields, message }) => [name, fields, kept_fields, message]),
    )
  }

  await t.test('An entered value is kept and the title comes back', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { title: 'Old', value: 50 })
    await client.patch(pathOf(deal), { title: 'New', value: 60 }, visit)
    await make(client, 'line_item', { deal_id: deal.id, unit_price: 10 })

    assert.deepEqual(await undo(client, { request_id: 'visit', force: true }), [
      ['reversed', ['title'], ['value'], null],
    ])
    const { title, value } = await shown(client, deal)
    assert.deepEqual([title, value], ['Old', 10])
  })

  await t.test('A currency is kept and the title comes back', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { title: 'Old', currency: 'EUR' })
    const item = await make(client, 'line_item', { deal_id: deal.id, unit_price: 10 })
    await client.delete(`/api-v1-line-items/${item.id}`)
    await client.patch(pathOf(deal), { title: 'New', currency: 'JPY' }, visit)
    await client.post(`/api-v1-trash/${item.id}/restore`, undefined)

    assert.deepEqual(await undo(client, { request_id: 'visit' }), [['reversed', ['title'], ['currency'], null]])
    const { title, currency } = await shown(client, deal)
    assert.deepEqual([title, currency], ['Old', 'JPY'])
  })

  await t.test('A change of nothing else is kept as a whole', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    await client.patch(pathOf(deal), { value: 60 }, visit)
    await make(client, 'line_item', { deal_id: deal.id, unit_price: 10 })

    assert.deepEqual(await undo(client, { request_id: 'visit', force: true }), [
      ['kept', [], ['value'], 'Its fields follow from other records'],
    ])
    assert.equal((await shown(client, deal)).value, 10)
  })

  await t.test('A deal that returns with its line items keeps their sum', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { title: 'Old', value: 50 })
    await client.patch(pathOf(deal), { title: 'New', value: 60 }, visit)
    await make(client, 'line_item', { deal_id: deal.id, unit_price: 10 })
    await client.delete(pathOf(deal), visit)

    assert.deepEqual(await undo(client, { request_id: 'visit', force: true }), [
      ['reversed', ['title'], ['value'], null],
    ])
    const { title, value } = await shown(client, deal)
    assert.deepEqual([title, value], ['Old', 10])
  })

  await t.test('An entered value comes back if the same undo takes the line items away', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { title: 'Old', value: 50 })
    await client.patch(pathOf(deal), { title: 'New', value: 60 }, visit)
    await client.post('/api-v1-line-items', { deal_id: deal.id, name: 'A', unit_price: 10 }, visit)

    assert.deepEqual(await undo(client, { request_id: 'visit' }), [['reversed', ['title', 'value'], [], null]])
    const { title, value } = await shown(client, deal)
    assert.deepEqual([title, value], ['Old', 50])
  })

  await t.test('It is kept if only some of the line items go', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { title: 'Old', value: 50 })
    await client.patch(pathOf(deal), { title: 'New', value: 60 }, visit)
    await client.post('/api-v1-line-items', { deal_id: deal.id, name: 'A', unit_price: 10 }, visit)
    await make(client, 'line_item', { deal_id: deal.id, unit_price: 30 })

    assert.deepEqual(await undo(client, { request_id: 'visit', force: true }), [
      ['reversed', ['title'], ['value'], null],
    ])
    const { title, value } = await shown(client, deal)
    assert.deepEqual([title, value], ['Old', 30])
  })

  await t.test(
    'An entered value comes back if a later transaction of a large undo takes the line items away',
    async () => {
      const client = await fresh()
      const deal = await make(client, 'deal', { title: 'Old', value: 50 })
      await client.patch(pathOf(deal), { title: 'New', value: 60 }, visit)
      await client.post('/api-v1-line-items', { deal_id: deal.id, name: 'A', unit_price: 10 }, visit)
      const task = await make(client, 'task')
      const rename = (n: number) => client.patch(`/api-v1-tasks/${task.id}`, { title: `Task ${n}` }, visit)
      for (let n = 0; n < 1_000; n += 50) await Promise.all(Array.from({ length: 50 }, (_, more) => rename(n + more)))
      await client.patch(pathOf(deal), { title: 'Newer' }, visit)

      assert.deepEqual(await undo(client, { request_id: 'visit' }), [['reversed', ['title', 'value'], [], null]])
      const { title, value } = await shown(client, deal)
      assert.deepEqual([title, value], ['Old', 50])
    },
  )
})
