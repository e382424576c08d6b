import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { verifyLog } from '../../src/changes/verify.ts'
import { deal } from '../../src/crm/deal.ts'
import { lineItem } from '../../src/crm/line-item.ts'
import { loggedResources } from '../../src/features/index.ts'
import type { Client } from '../support/client.ts'
import { exchange } from '../support/exchange.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { type Server, start } from '../support/start.ts'

/** How many histories a run tries; KONTOR_TEST_ROUNDS=2500 tries ten thousand. */
const histories = 4 * rounds
const actsMax = 30
/** Histories at a time: their writes share the waits for the disk. */
const lanes = 16

/** Decimals of a minor unit. */
const currencies = { EUR: 2, JPY: 0, BHD: 3 } as const

interface Item {
  /** In millionths. */
  quantity: bigint
  unit_price: bigint
  discount_percent: bigint
  deal: string
  place: 'there' | 'trash' | 'with its deal'
}

/** What deals and items must be, in integers. */
class Model {
  readonly deals = new Map<string, { places: number; entered: bigint; isGone: boolean }>()
  readonly items = new Map<string, Item>()

  itemsOf(deal: string): Item[] {
    return [...this.items.values()].filter((item) => item.deal === deal && item.place === 'there')
  }

  /** In minor units. */
  valueOf(deal: string): bigint {
    const { places, entered } = this.deals.get(deal)!
    const items = this.itemsOf(deal)
    return items.length === 0 ? entered : items.reduce((sum, item) => sum + totalOf(item, places), 0n)
  }

  /** Makes a change, after which the value of each deal stays what it is if its last item has gone. */
  change(act: () => void): void {
    const before = new Map([...this.deals.keys()].map((id) => [id, this.valueOf(id)]))
    act()
    for (const [id, value] of before) if (this.itemsOf(id).length === 0) this.deals.get(id)!.entered = value
  }
}

/** Rounded half away from zero, in minor units. */
function totalOf({ quantity, unit_price, discount_percent }: Item, places: number): bigint {
  const exact = quantity * unit_price * (100_000_000n - discount_percent)
  const divisor = 10n ** BigInt(20 - places)
  return exact < 0n ? -((-exact * 2n + divisor) / (divisor * 2n)) : (exact * 2n + divisor) / (divisor * 2n)
}

/** The JSON of a number of minor units. */
function decimalOf(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  const decimals = fraction.replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${decimals && `.${decimals}`}`
}

test('After random histories of line items, values are those of a model with integers', async (t) => {
  const server = await start(t)
  await tryHistories(server, async (client, round) => {
    const [model, random] = [new Model(), randomOf(round)]
    for (const [currency, places] of Object.entries(currencies)) {
      const { id } = await make(client, 'deal', { currency, value: 7 })
      model.deals.set(id, { places, entered: 7n * 10n ** BigInt(places), isGone: false })
    }
    for (let n = 0; n < actsMax; n++) await act(client, model, random)

    for (const [id, { isGone }] of model.deals) {
      if (isGone) await client.post(`/api-v1-trash/${id}/restore`, undefined)
      if (isGone) model.change(() => bringBack(model, id))
    }
    const { text } = await exchange(`${server.url}/api-v1-deals`, {
      headers: { Authorization: `Bearer ${client.key}` },
    })
    for (const [id, { places }] of model.deals) {
      const [, shown] = new RegExp(`"id":"${id}",.*?"value":([^,]+),`).exec(text)!
      assert.equal(shown, decimalOf(model.valueOf(id), places), `round ${round}`)
    }
  })
})

/** Runs histories, each in a company of its own, after which its sums and its log must verify. */
async function tryHistories({ company, store }: Server, run: (client: Client, round: number) => Promise<void>) {
  let next = 0
  const runSome = async () => {
    for (let round = next++; round < histories; round = next++) {
      const { id, client } = await company('Acme')
      await run(client, round)
      const reader = store.workspace(findWorkspaceId(store.access, id, 'live'))
      const faults = [...lineItem.verify!(reader), ...deal.verify!(reader), ...verifyLog(loggedResources, reader)]
      assert.deepEqual(faults, [], `round ${round}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, runSome))
}

function bringBack(model: Model, deal: string): void {
  model.deals.get(deal)!.isGone = false
  for (const item of model.items.values()) {
    if (item.deal === deal && item.place === 'with its deal') item.place = 'there'
  }
}

async function act(client: Client, model: Model, random: Random): Promise<void> {
  const there = [...model.deals].filter(([, { isGone }]) => !isGone).map(([id]) => id)
  const gone = [...model.deals].filter(([, { isGone }]) => isGone).map(([id]) => id)
  const items = [...model.items].filter(([, { place }]) => place === 'there')
  const trash = [...model.items].filter(([, { place, deal }]) => place === 'trash' && there.includes(deal))
  const acts: (() => Promise<unknown>)[] = []
  if (there.length > 0) acts.push(() => add(client, model, random, random.pick(there)))
  if (there.length > 0) acts.push(() => enter(client, model, random, random.pick(there)))
  if (items.length > 0) acts.push(() => edit(client, model, random, random.pick(items), random.pick(there)))
  if (items.length > 0) acts.push(() => remove(client, model, random.pick(items)))
  if (trash.length > 0) acts.push(() => restore(client, model, random.pick(trash)))
  if (there.length > 1 && random.below(4) === 0) acts.push(() => removeDeal(client, model, random.pick(there)))
  if (gone.length > 0) {
    acts.push(async () => {
      const id = random.pick(gone)
      await client.post(`/api-v1-trash/${id}/restore`, undefined)
      model.change(() => bringBack(model, id))
    })
  }
  await random.pick(acts)()
}

/** A number in millionths, with up to 6 decimals, and its JSON. */
function draw(random: Random, max: number, min = 0): [millionths: bigint, json: number] {
  const places = random.below(7)
  const units = min * 10 ** places + random.below((max - min) * 10 ** places)
  return [BigInt(units) * 10n ** BigInt(6 - places), Number(`${units}e-${places}`)]
}

/** Half of them are so large that sums have more digits than a double. */
function drawPrice(random: Random): [millionths: bigint, json: number] {
  if (random.below(2) === 0) return draw(random, 900, -300)
  const cents = random.below(10_000_000) * 1_000_000 + random.below(1_000_000)
  return [BigInt(cents) * 10_000n, Number(`${cents}e-2`)]
}

async function add(client: Client, model: Model, random: Random, deal: string): Promise<void> {
  const [quantity, price, discount] = [draw(random, 90), drawPrice(random), draw(random, 100)]
  const numbers = { quantity: quantity[1], unit_price: price[1], discount_percent: discount[1] }
  const { id } = await make(client, 'line_item', { deal_id: deal, ...numbers })
  const item: Item = {
    quantity: quantity[0],
    unit_price: price[0],
    discount_percent: discount[0],
    deal,
    place: 'there',
  }
  model.change(() => model.items.set(id, item))
}

async function enter(client: Client, model: Model, random: Random, deal: string): Promise<void> {
  const value = random.below(1_000)
  const { status } = await client.patch(`/api-v1-deals/${deal}`, { value })
  const { places } = model.deals.get(deal)!
  const entered = BigInt(value) * 10n ** BigInt(places)
  const isRefused = model.itemsOf(deal).length > 0 && entered !== model.valueOf(deal)
  assert.equal(status, isRefused ? 409 : 200)
  if (!isRefused) model.deals.get(deal)!.entered = entered
}

async function edit(client: Client, model: Model, random: Random, found: [string, Item], other: string): Promise<void> {
  const [id, item] = found
  const [millionths, json] = draw(random, 90)
  const name = random.pick(['quantity', 'unit_price', 'discount_percent'] as const)
  const deal = random.below(3) === 0 ? other : item.deal
  const { status } = await client.patch(`/api-v1-line-items/${id}`, { [name]: json, deal_id: deal })
  assert.equal(status, 200)
  model.change(() => Object.assign(item, { [name]: millionths, deal }))
}

async function remove(client: Client, model: Model, [id, item]: [string, Item]): Promise<void> {
  await client.delete(`/api-v1-line-items/${id}`)
  model.change(() => {
    item.place = 'trash'
  })
}

async function restore(client: Client, model: Model, [id, item]: [string, Item]): Promise<void> {
  await client.post(`/api-v1-trash/${id}/restore`, undefined)
  model.change(() => {
    item.place = 'there'
  })
}

async function removeDeal(client: Client, model: Model, id: string): Promise<void> {
  await client.delete(`/api-v1-deals/${id}`)
  const deal = model.deals.get(id)!
  if (model.itemsOf(id).length > 0) deal.entered = model.valueOf(id)
  deal.isGone = true
  for (const item of model.itemsOf(id)) item.place = 'with its deal'
}

test('After random histories with undos, restores and erasures, values are the sums of the line items that are there', async (t) => {
  await tryHistories(await start(t), (client, round) => meddle(client, randomOf(1_000_000 + round)))
})

/** Writes at random. Refused requests are part of it. */
async function meddle(client: Client, random: Random): Promise<void> {
  const deals = [await make(client, 'deal'), await make(client, 'deal', { currency: 'JPY' })].map(({ id }) => id)
  const items: string[] = []
  const some = () => `/api-v1-line-items/${items.length > 0 ? random.pick(items) : deals[0]}`
  const price = () => drawPrice(random)[1]
  const acts: (() => Promise<unknown>)[] = [
    async () =>
      items.push(
        (await client.post('/api-v1-line-items', { deal_id: random.pick(deals), name: 'A', unit_price: price() })).body
          .data?.id ?? deals[0],
      ),
    () => client.patch(some(), { unit_price: price() }),
    () => client.patch(some(), { deal_id: random.pick(deals) }),
    () => client.delete(some()),
    () => client.patch(`/api-v1-deals/${random.pick(deals)}`, { value: price() }),
    () => client.patch(`/api-v1-deals/${random.pick(deals)}`, { currency: random.pick(['EUR', 'BHD']) }),
    () => client.delete(`/api-v1-deals/${random.pick(deals)}`),
    async () => {
      const { body } = await client.get('/api-v1-trash')
      if (body.data.length === 0) return
      const { id } = random.pick<JsonRecord>(body.data)
      await (random.below(6) === 0
        ? client.delete(`/api-v1-trash/${id}`)
        : client.post(`/api-v1-trash/${id}/restore`, undefined))
    },
    async () => {
      const { body } = await client.get('/api-v1-changes?after=start&limit=1000')
      const { seq, request_id } = random.pick<JsonRecord>(body.data)
      await client.post('/api-v1-undo', random.pick([{ seq }, { request_id }, { seq, force: true }]))
    },
  ]
  await acts[0]!()
  for (let n = 0; n < actsMax; n++) await random.pick(acts)()
}
