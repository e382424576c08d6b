import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { deal } from '../../src/crm/deal.ts'
import { lineItem } from '../../src/crm/line-item.ts'
import { readCreate, readPatch } from '../../src/engine/records/rows/validate.ts'
import { insert, remove, update } from '../../src/engine/records/rows/write.ts'
import type { Writer } from '../../src/store/reader.ts'
import type { Client } from '../support/client.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { type Random, randomOf, rounds } from '../support/random.ts'
import { start } from '../support/start.ts'

// Sums over many deals are kept or read in other ways than those over a few. Here, they are compared with integers, made of what lists show.

/** How many deals a run sums up; KONTOR_TEST_ROUNDS=5 sums up a hundred thousand. */
const deals = 20_000 * rounds
const batch = 500

/** Decimals of the minor unit, the largest value, and the rate in EUR as integer and decimals; XTS has no rate. Sums in IDR have more digits than a double. */
const currencies = {
  EUR: { places: 2, max: 9_000, rate: [1n, 0] },
  USD: { places: 2, max: 9_000, rate: [923_457n, 6] },
  JPY: { places: 0, max: 900_000, rate: [61n, 4] },
  BHD: { places: 3, max: 400, rate: [24_439n, 4] },
  IDR: { places: 2, max: 90_000_000_000, rate: [54n, 6] },
  XTS: { places: 2, max: 9_000, rate: undefined },
} as const

type Currency = keyof typeof currencies
const codes = Object.keys(currencies) as Currency[]

function bodyOf(random: Random, stages: readonly JsonRecord[]): JsonRecord {
  const currency = random.pick(codes)
  const { places, max } = currencies[currency]
  const sign = random.below(20) === 0 ? '-' : ''
  return {
    title: 'Hampers',
    currency,
    value: Number(`${sign}${random.below(max * 10 ** places)}e-${places}`),
    stage_id: random.pick(stages).id,
    probability: random.below(4) === 0 ? null : random.below(201) / 2,
    expected_close_date: random.below(5) === 0 ? null : `2026-${10 + random.below(3)}-1${random.below(10)}`,
  }
}

function itemOf(random: Random, deal_id: string): JsonRecord {
  const [quantity, price] = [`${random.below(9_000)}e-3`, `${random.below(40_000)}e-4`]
  return { deal_id, name: 'Hamper', quantity: Number(quantity), unit_price: Number(price), discount_percent: 12.5 }
}

/** Changes, deletes and moves some deals, and gives some of them line items, of which some change. */
function meddle(tx: Writer, random: Random, ids: readonly string[], stages: readonly JsonRecord[]): void {
  for (const id of ids) {
    const chance = random.below(20)
    const items = () => insert(lineItem, tx, readCreate(lineItem, tx, itemOf(random, id)), {})
    if (chance === 0) remove(deal, tx, id)
    else if (chance === 1) update(deal, tx, id, readPatch(deal, tx, bodyOf(random, stages)))
    else if (chance === 2) {
      const made = [items(), items(), items()].map((each) => each.id as string)
      remove(lineItem, tx, made[0]!)
      update(lineItem, tx, made[1]!, readPatch(lineItem, tx, { quantity: 2.5 }))
    }
  }
}

/** Every deal that the lists of the pipelines show, with its pipeline. */
async function readLists(client: Client, pipelines: readonly string[]): Promise<JsonRecord[]> {
  const shown: JsonRecord[] = []
  for (const pipeline_id of pipelines) {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = cursor && `&cursor=${cursor}`
      const { body } = await client.get(`/api-v1-deals?filter[pipeline_id]=${pipeline_id}&limit=100${page}`)
      shown.push(...body.data.map((each: JsonRecord) => ({ ...each, pipeline_id })))
      cursor = body.pagination.next_cursor
    }
  }
  return shown
}

/** A number as an integer of millionths. Fails if it has more decimals. */
function millionths(json: number): bigint {
  const [whole, decimals = ''] = String(json).split('.') as [string, string?]
  assert.ok(decimals.length <= 6)
  return BigInt(whole + decimals.padEnd(6, '0'))
}

/** A weighted amount has 8 decimals, a plain one has zeros there. */
const placesOf = { value: 6n, weighted: 8n } as const

function amountOf({ value, probability }: JsonRecord, name: keyof typeof placesOf): bigint {
  if (name === 'value') return millionths(value)
  return probability === null ? 0n : (millionths(value) * millionths(probability)) / 1_000_000n
}

/** The number that a sum must be shown as: decimals of `units`, rounded half away from zero to `places`. */
function shownAs(units: bigint, decimals: bigint, places = decimals): number {
  const divisor = 10n ** (decimals - places)
  const size = ((units < 0n ? -units : units) * 2n + divisor) / (divisor * 2n)
  return Number(`${units < 0n ? '-' : ''}${size}e-${places}`)
}

function perCurrency(records: readonly JsonRecord[]): JsonRecord {
  const sum = (name: keyof typeof placesOf) =>
    shownAs(
      records.reduce((all, each) => all + amountOf(each, name), 0n),
      placesOf[name],
    )
  return { count: records.length, 'sum:value': sum('value'), 'weighted:value': sum('weighted') }
}

function converted(records: readonly JsonRecord[]): JsonRecord {
  const rateDecimals = 6n
  const sum = (name: keyof typeof placesOf) =>
    records.reduce((all, each) => {
      const { rate } = currencies[each.currency as Currency]
      return rate ? all + amountOf(each, name) * rate[0] * 10n ** (rateDecimals - BigInt(rate[1])) : all
    }, 0n)
  const [value, weighted] = [sum('value'), sum('weighted')]
  const without = records.filter(({ currency }) => currency === 'XTS')
  return {
    count: records.length,
    'converted:value': shownAs(value, placesOf.value + rateDecimals, 2n),
    'converted_weighted:value': shownAs(weighted, placesOf.weighted + rateDecimals, 2n),
    unconverted:
      without.length > 0
        ? [{ currency: 'XTS', count: without.length, sum: perCurrency(without)['sum:value'] }]
        : undefined,
  }
}

/** What a summary shows, by its group. */
const byGroup = (rows: readonly JsonRecord[]) =>
  Object.fromEntries(rows.map(({ group, ...rest }) => [JSON.stringify(group), JSON.stringify(rest)]))

function expectedOf(
  records: readonly JsonRecord[],
  groupOf: (record: JsonRecord) => JsonRecord,
  measure: (records: readonly JsonRecord[]) => JsonRecord,
): Record<string, string> {
  const groups = Object.groupBy(records, (record) => JSON.stringify(groupOf(record)))
  return Object.fromEntries(Object.entries(groups).map(([group, those]) => [group, JSON.stringify(measure(those!))]))
}

test(`Summaries of ${deals.toLocaleString('en')} deals are the sums of what lists show, per currency and converted`, async (t) => {
  const server = await start(t)
  const { id, client } = await server.company('Acme')
  const random = randomOf(42)
  for (const [currency, { rate }] of Object.entries(currencies)) {
    if (!rate || currency === 'EUR') continue
    await make(client, 'exchange_rate', { currency, rate: Number(`${rate[0]}e-${rate[1]}`), valid_from: '2020-01-01' })
  }
  const second = await make(client, 'pipeline', { name: 'Renewals' })
  const third = await make(client, 'pipeline', { name: 'Partners' })
  for (const [position, name] of ['Start', 'Offer', 'Done'].entries()) {
    await make(client, 'stage', { name, position, pipeline_id: second.id })
    await make(client, 'stage', { name, position, pipeline_id: third.id })
  }
  const { body } = await client.get('/api-v1-stages?limit=100')
  const stages: JsonRecord[] = body.data
  const pipelines = [...new Set(stages.map(({ pipeline_id }) => pipeline_id))]
  assert.equal(pipelines.length, 3)
  const workspaceId = findWorkspaceId(server.store.access, id, 'live')
  for (let made = 0; made < deals; made += batch) {
    await server.store.write(workspaceId, (tx) => {
      const ids = Array.from({ length: batch }, () =>
        insert(deal, tx, readCreate(deal, tx, bodyOf(random, stages)), {}),
      )
      meddle(
        tx,
        random,
        ids.map((each) => each.id as string),
        stages,
      )
    })
  }
  // A stage moves to another pipeline with its deals.
  const moved = stages.find(({ name, pipeline_id }) => name === 'Offer' && pipeline_id === second.id)!
  const { status } = await client.patch(`/api-v1-stages/${moved.id}`, { pipeline_id: third.id, name: 'Offer 2' })
  assert.equal(status, 200)

  const shown = await readLists(client, pipelines)
  const total = (await client.get('/api-v1-deals?limit=1')).body.pagination.total
  assert.equal(shown.length, total)
  assert.ok(total > deals * 0.9)
  const summary = async (query: string) => {
    const rows: JsonRecord[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await client.get(`/api-v1-deals/summary?limit=100&${query}${cursor && `&cursor=${cursor}`}`)
      assert.equal(page.status, 200, JSON.stringify(page.body))
      rows.push(...page.body.data)
      cursor = page.body.pagination.next_cursor
    }
    return byGroup(rows)
  }
  const [own, inOne] = ['measure=sum:value,weighted:value', 'measure=converted:value,converted_weighted:value']
  const by = (name: string) => (record: JsonRecord) => ({ [name]: record[name] })
  const month = 'expected_close_date:month'
  const monthOf = ({ expected_close_date: day }: JsonRecord) => ({ [month]: day && `${day.slice(0, 7)}-01` })

  assert.deepEqual(
    await summary(inOne),
    expectedOf(shown, () => ({}), converted),
  )
  for (const name of ['pipeline_id', 'stage_id', 'probability']) {
    assert.deepEqual(await summary(`${inOne}&group_by=${name}`), expectedOf(shown, by(name), converted), name)
    const currencyToo = (record: JsonRecord) => ({ ...by(name)(record), currency: record.currency })
    assert.deepEqual(await summary(`${own}&group_by=${name}`), expectedOf(shown, currencyToo, perCurrency), name)
  }
  assert.deepEqual(await summary(`${inOne}&group_by=${month}`), expectedOf(shown, monthOf, converted))
  assert.deepEqual(await summary(own), expectedOf(shown, by('currency'), perCurrency))
  for (const pipeline of pipelines) {
    const its = shown.filter(({ pipeline_id }) => pipeline_id === pipeline)
    const filter = `filter[pipeline_id]=${pipeline}`
    assert.deepEqual(await summary(`${inOne}&group_by=${month}&${filter}`), expectedOf(its, monthOf, converted))
    assert.deepEqual(await summary(`${own}&${filter}`), expectedOf(its, by('currency'), perCurrency))
  }
})
