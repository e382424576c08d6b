import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

/** decision T3 */
test('A value that has stayed after the last line item is the entered one', async (t) => {
  const server = await start(t)
  const begin = async () => {
    const { client } = await server.company('Acme')
    const deal = await make(client, 'deal', { value: 500 })
    const { id } = await make(client, 'line_item', { deal_id: deal.id, unit_price: 100 })
    return { client, deal, path: `/api-v1-line-items/${id}`, id }
  }
  const worth = async (client: Client, { id }: JsonRecord) => (await client.get(`/api-v1-deals/${id}`)).body.data.value
  const changesOf = async (client: Client, id: string): Promise<JsonRecord[]> =>
    (await client.get('/api-v1-changes?after=start&limit=1000')).body.data.filter(
      ({ record_id }: JsonRecord) => record_id === id,
    )
  const undo = async (client: Client, seq: number) => {
    const { reversed } = (await client.post('/api-v1-undo', { seq, force: true })).body.data
    assert.equal(reversed.length, 1)
  }
  /** Undoes the newest change of a line item so many times: every second one undoes an undo. */
  const undoNewest = async (client: Client, id: string, times: number, note: () => Promise<unknown>) => {
    const seen: unknown[] = []
    for (let n = 0; n < times; n++) {
      await undo(client, (await changesOf(client, id)).at(-1)!.seq)
      seen.push(await note())
    }
    return seen
  }

  await t.test('when the deletion is undone, and that again', async () => {
    const { client, deal, path, id } = await begin()
    await client.delete(path)

    assert.deepEqual(await undoNewest(client, id, 4, () => worth(client, deal)), [100, 100, 100, 100])
  })

  await t.test('when the line item is restored, and that is undone', async () => {
    const { client, deal, path, id } = await begin()
    await client.delete(path)
    assert.equal((await client.patch(`/api-v1-deals/${deal.id}`, { value: 100 })).status, 200)
    await client.post(`/api-v1-trash/${id}/restore`, undefined)

    assert.deepEqual(await undoNewest(client, id, 2, () => worth(client, deal)), [100, 100])
  })

  await t.test('when a move to another deal is undone, and that again', async () => {
    const { client, deal, path, id } = await begin()
    const other = await make(client, 'deal', { value: 900 })
    await client.patch(path, { deal_id: other.id })
    const both = async () => [await worth(client, deal), await worth(client, other)]

    const seen = await undoNewest(client, id, 4, both)

    const [back, moved] = [
      [100, 900],
      [100, 100],
    ]
    assert.deepEqual(seen, [back, moved, back, moved])
  })

  await t.test('but not when the creation is undone after all, unless another one was entered', async () => {
    for (const [entered, expected] of [
      [undefined, 500],
      [700, 700],
    ]) {
      const { client, deal, path, id } = await begin()
      await client.delete(path)
      if (entered) await client.patch(`/api-v1-deals/${deal.id}`, { value: entered })
      await client.post(`/api-v1-trash/${id}/restore`, undefined)
      await undo(client, (await changesOf(client, id))[0]!.seq)

      assert.equal(await worth(client, deal), expected)
    }
  })

  await t.test('and what was entered is known after the deal has left and returned with its line item', async () => {
    const { client, deal, id } = await begin()
    await client.delete(`/api-v1-deals/${deal.id}`)
    await client.post(`/api-v1-trash/${deal.id}/restore`, undefined)
    await undo(client, (await changesOf(client, id))[0]!.seq)

    assert.equal(await worth(client, deal), 500)
  })

  await t.test('and no change of the deal is logged that shows nothing', async () => {
    const { client, deal, path, id } = await begin()
    await client.delete(path)
    await client.post(`/api-v1-trash/${id}/restore`, undefined)

    const changed = (await changesOf(client, deal.id)).map((each) => each.changed)
    assert.deepEqual(changed, [[], ['value']])
  })
})

test('The value that was entered before a request returns with its undo, also if it has added line items twice', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const visit = { 'X-Request-Id': 'visit' }
  const { id } = await make(client, 'deal', { value: 500 })
  const add = (name: string, unit_price: number) =>
    client.post('/api-v1-line-items', { deal_id: id, name, unit_price }, visit)
  const worth = async () => (await client.get(`/api-v1-deals/${id}`)).body.data.value
  const first = (await add('Baskets', 40)).body.data
  await client.delete(`/api-v1-line-items/${first.id}`, visit)
  await add('Ribbons', 7)
  const seen = [await worth()]

  for (const [of, as] of [
    ['visit', 'first'],
    ['first', 'second'],
    ['second', 'third'],
  ]) {
    const { body } = await client.post('/api-v1-undo', { request_id: of }, { 'X-Request-Id': as! })
    assert.deepEqual(body.data.errored, [])
    seen.push(await worth())
  }

  assert.deepEqual(seen, [7, 500, 7, 500])
})
