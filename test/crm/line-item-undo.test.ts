import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision T3 */
test('Undoing what happened to line items', async (t) => {
  const server = await start(t)
  const fresh = async () => (await server.company('Acme')).client
  const worth = async (client: Client, { id }: JsonRecord) => (await client.get(`/api-v1-deals/${id}`)).body.data.value
  const changes = async (client: Client): Promise<JsonRecord[]> =>
    (await client.get('/api-v1-changes?after=start&limit=1000')).body.data
  const undo = async (client: Client, selector: object) => (await client.post('/api-v1-undo', selector)).body.data
  const undoNewest = async (client: Client, type: string) =>
    undo(client, { seq: (await changes(client)).findLast((each) => each.type === type)!.seq })
  const item = (client: Client, { id }: JsonRecord, unit_price: number) =>
    make(client, 'line_item', { deal_id: id, unit_price })

  await t.test('Undoing the first line item returns the entered value, and undoing that the sum', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    await item(client, deal, 10)

    await undoNewest(client, 'line_item.created')
    assert.equal(await worth(client, deal), 50)
    await undoNewest(client, 'line_item.deleted')
    assert.equal(await worth(client, deal), 10)
    await undoNewest(client, 'line_item.restored')
    assert.equal(await worth(client, deal), 50)
  })

  await t.test(
    'Undoing the request of the first line item keeps the derived value of the deal out, and says so',
    async () => {
      const client = await fresh()
      const deal = await make(client, 'deal', { value: 50 })
      await item(client, deal, 10)
      const { request_id } = (await changes(client)).at(-1)!

      const { reversed, kept, errored } = await undo(client, { request_id })

      assert.deepEqual(
        [reversed, kept, errored].map((list) => list.map(({ resource }: JsonRecord) => resource)),
        [['line_item'], ['deal'], []],
      )
      assert.equal(kept[0].message, 'Its fields follow from other records')
      assert.equal(await worth(client, deal), 50)
    },
  )

  await t.test('After the last line item is deleted, its value is the entered one for what follows', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    const first = await item(client, deal, 10)
    await client.delete(`/api-v1-line-items/${first.id}`)
    await item(client, deal, 30)

    await undoNewest(client, 'line_item.created')

    assert.equal(await worth(client, deal), 10)
  })

  await t.test(
    'Undoing the deletion of the only line item, and then its creation, returns what was entered first',
    async () => {
      const client = await fresh()
      const deal = await make(client, 'deal', { value: 50 })
      const only = await item(client, deal, 10)
      await client.patch(`/api-v1-line-items/${only.id}`, { quantity: 2 })
      await client.delete(`/api-v1-line-items/${only.id}`)

      await undoNewest(client, 'line_item.deleted')
      assert.equal(await worth(client, deal), 20)
      await undoNewest(client, 'line_item.updated')
      await undo(client, {
        seq: (await changes(client)).find(({ type }) => type === 'line_item.created')!.seq,
        force: true,
      })
      assert.equal(await worth(client, deal), 50)
    },
  )

  await t.test('The entered value is known even if the first line item is as large', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 10 })
    const only = await item(client, deal, 10)
    const types = (await client.get(`/api-v1-deals/${deal.id}/history`)).body.data.map(({ type }: JsonRecord) => type)
    assert.deepEqual(types, ['deal.created'])
    const { seq } = (await changes(client)).findLast(({ type }) => type === 'line_item.created')!
    await client.patch(`/api-v1-line-items/${only.id}`, { quantity: 3 })

    await undo(client, { seq, force: true })

    assert.equal(await worth(client, deal), 10)
  })

  await t.test('A total follows the other fields when only some of them are undone', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal')
    const { id } = await item(client, deal, 10)
    const path = `/api-v1-line-items/${id}`
    await client.patch(path, { quantity: 2 })
    const { seq } = (await changes(client)).findLast(({ type }) => type === 'line_item.updated')!
    await client.patch(path, { unit_price: 30 })

    await undo(client, { seq })

    const { data } = (await client.get(path)).body
    assert.deepEqual([data.quantity, data.unit_price, data.total, await worth(client, deal)], [1, 30, 30, 30])
  })

  await t.test('An undo of an entered value is refused while there are line items, and made after them', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    await client.patch(`/api-v1-deals/${deal.id}`, { value: 60 })
    const since = (await changes(client)).at(-1)!.seq
    await item(client, deal, 10)
    assert.equal((await undo(client, { seq: since })).kept[0].message, 'Its fields were changed again since')

    const { errored } = await undo(client, { key_id: client.keyId, since: '2000-01-01' })

    assert.deepEqual(errored, [])
    assert.equal((await client.get(`/api-v1-deals/${deal.id}`)).status, 404)
  })

  await t.test(
    'A line item that moves back while the deal that it was in is in the trash is in no other sum',
    async () => {
      const client = await fresh()
      const [from, to] = [await make(client, 'deal'), await make(client, 'deal')]
      const moved = await item(client, from, 1)
      await item(client, from, 2)
      await item(client, to, 4)
      await client.patch(`/api-v1-line-items/${moved.id}`, { deal_id: to.id })
      const move = (await changes(client)).findLast(({ record_id }) => record_id === moved.id)!
      await client.delete(`/api-v1-deals/${to.id}`)
      const gone = (await changes(client)).findLast(({ record_id }) => record_id === moved.id)!
      for (const seq of [gone.seq, move.seq]) await undo(client, { seq, force: true })
      await client.post(`/api-v1-trash/${to.id}/restore`, undefined)

      for (const deal of [from, to]) assert.equal(await worth(client, deal), await sumOf(client, deal))
    },
  )

  await t.test('A value that was entered before the line items returns, also if they are worth as much', async () => {
    const client = await fresh()
    const visit = { 'X-Request-Id': 'visit' }
    const deal = await make(client, 'deal', { value: 50 })
    await client.patch(`/api-v1-deals/${deal.id}`, { value: 60 }, visit)
    await client.post('/api-v1-line-items', { deal_id: deal.id, name: 'Hamper', unit_price: 50 }, visit)
    const predicted = await undo(client, { request_id: 'visit', dry_run: true })

    const done = await undo(client, { request_id: 'visit' })

    assert.deepEqual([done.kept, done.errored], [[], []])
    assert.deepEqual(predicted.kept, [])
    assert.equal(await worth(client, deal), 50)
  })

  await t.test('A line item that goes with the deal that an undo takes back cannot be changed back', async () => {
    const client = await fresh()
    const visit = { 'X-Request-Id': 'visit' }
    const { id } = (await client.post('/api-v1-deals', { title: 'Hampers' }, visit)).body.data
    const { id: itemId } = await item(client, { id } as JsonRecord, 10)
    await client.patch(`/api-v1-line-items/${itemId}`, { unit_price: 20 }, visit)
    await client.patch(`/api-v1-deals/${id}`, { title: 'Baskets' }, visit)
    const asked = { request_id: 'visit', force: true }

    const predicted = await undo(client, { ...asked, dry_run: true })
    const { reversed, errored } = await undo(client, asked)

    assert.deepEqual(predicted.errored, errored)
    assert.deepEqual(
      reversed.map(({ record_id }: JsonRecord) => record_id),
      [id],
    )
    assert.deepEqual(
      errored.map(({ record_id, code, message }: JsonRecord) => [record_id, code, message]),
      [[itemId, 'CONFLICT', 'The record is deleted: restore it first']],
    )
  })

  await t.test('A deal whose value was undone comes back with its line items and their sum', async () => {
    const client = await fresh()
    const deal = await make(client, 'deal', { value: 50 })
    await item(client, deal, 10)
    await client.delete(`/api-v1-deals/${deal.id}`)

    await undoNewest(client, 'deal.deleted')
    assert.equal(await worth(client, deal), 10)
    await undoNewest(client, 'line_item.created')
    assert.equal(await worth(client, deal), 10)
  })
})

async function sumOf(client: Client, { id }: JsonRecord): Promise<number> {
  const { data } = (await client.get(`/api-v1-line-items?deal_id=${id}`)).body
  return data.reduce((sum: number, { total }: JsonRecord) => sum + total, 0)
}
