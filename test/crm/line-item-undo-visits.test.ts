import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { start } from '../support/start.ts'

const visits = 25 * rounds
const actsMax = 6
const itemsPath = '/api-v1-line-items'

/** decision T3 */
test('An undo of all that a visit did to line items returns every value, and the undo of that what it had done', async (t) => {
  const { client } = await (await start(t)).company('Acme')

  for (let seed = 1; seed <= visits; seed++) {
    const random = randomOf(seed)
    const deals = [await make(client, 'deal', { value: random.below(3) * 50 }), await make(client, 'deal')]
    const items: string[] = []
    for (let acts = random.below(4); acts > 0; acts--) await act(client, random, deals, items)
    const before = await read(client, deals, items)

    const visit = { 'X-Request-Id': `visit-${seed}` }
    for (let acts = 1 + random.below(actsMax); acts > 0; acts--) await act(client, random, deals, items, visit)
    const after = await read(client, deals, items)
    await undo(client, `visit-${seed}`, `undo-${seed}`)
    const undone = await read(client, deals, items)
    await undo(client, `undo-${seed}`, `redo-${seed}`)

    const kept = Object.fromEntries(Object.keys(undone).map((id) => [id, before[id] ?? null]))
    assert.deepEqual(undone, kept, `seed ${seed}`)
    assert.deepEqual(await read(client, deals, items), after, `seed ${seed}`)
  }
})

/** decision T3 */
test('The value of a deal is not undone by itself, also if its line item has left', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const { id } = await make(client, 'deal', { value: 50 })
  const item = await make(client, 'line_item', { deal_id: id, unit_price: 10 })
  await client.delete(`${itemsPath}/${item.id}`)
  const { data } = (await client.get(`/api-v1-deals/${id}/history`)).body
  const { seq } = data.find(({ changed }: JsonRecord) => (changed as string[]).includes('value'))

  const { kept } = (await client.post('/api-v1-undo', { seq })).body.data

  assert.equal(kept[0].message, 'Its fields follow from other records')
  assert.equal((await client.get(`/api-v1-deals/${id}`)).body.data.value, 10)
})

/** Does something to two deals and their line items, which may be refused. */
async function act(client: Client, random: Random, deals: JsonRecord[], items: string[], headers = {}): Promise<void> {
  const deal_id = random.pick(deals).id
  const item = items.length === 0 ? undefined : random.pick(items)
  const path = `${itemsPath}/${item}`
  const act = random.below(item ? 7 : 3)
  if (act === 0) await client.patch(`/api-v1-deals/${deal_id}`, { value: random.below(40) }, headers)
  else if (act < 3) {
    const made = await client.post(itemsPath, { deal_id, name: 'Hamper', unit_price: 100 + random.below(5) }, headers)
    items.push(made.body.data.id)
  } else if (act === 3) await client.delete(path, headers)
  else if (act === 4) await client.post(`/api-v1-trash/${item}/restore`, undefined, headers)
  else if (act === 5) await client.patch(path, { unit_price: random.below(9) }, headers)
  else await client.patch(path, { deal_id }, headers)
}

/** By id, the values of deals, and the deal and total of line items; null: it is not there. */
async function read(client: Client, deals: JsonRecord[], items: string[]): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const { id } of deals) seen[String(id)] = (await client.get(`/api-v1-deals/${id}`)).body.data.value
  for (const id of items) {
    const { data } = (await client.get(`${itemsPath}/${id}`)).body
    seen[id] = data ? [data.deal_id, data.total] : null
  }
  return seen
}

/** Nothing to undo is no fault. */
async function undo(client: Client, request_id: string, as: string): Promise<void> {
  const { status, body } = await client.post('/api-v1-undo', { request_id }, { 'X-Request-Id': as })
  if (status !== 404) assert.deepEqual([status, body.data?.errored], [200, []])
}

/** decision T3 */
test('The value of one deal returns also with an undo of so many records that it is made in several transactions', async (t) => {
  const { client } = await (await start(t)).company('Acme')
  const visit = { 'X-Request-Id': 'visit' }
  const { id } = await make(client, 'deal', { value: 50 })
  const add = (name: string, unit_price: number) => client.post(itemsPath, { deal_id: id, name, unit_price }, visit)
  const first = (await add('Baskets', 10)).body.data
  await client.delete(`${itemsPath}/${first.id}`, visit)
  await add('Ribbons', 20)
  for (let n = 0; n < 998; n++) await client.post('/api-v1-contacts', { first_name: `Ada ${n}` }, visit)

  await undo(client, 'visit', 'undo')

  assert.equal((await client.get(`/api-v1-deals/${id}`)).body.data.value, 50)
})
