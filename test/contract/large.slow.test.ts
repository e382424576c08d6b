import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../src/commands/seed/random.ts'
import { enterPending, searchedOf } from '../../src/engine/finding/list/search.ts'
import type { Field, Resource } from '../../src/engine/records/define.ts'
import { readCreate } from '../../src/engine/records/rows/validate.ts'
import { insert, remove, update } from '../../src/engine/records/rows/write.ts'
import { recordJson } from '../../src/engine/records/select.ts'
import type { Writer } from '../../src/store/reader.ts'
import type { Client } from '../support/client.ts'
import { idsOf, isOrdered, listPath, tested } from '../support/contract.ts'
import { consistent, isNeeded, type JsonRecord, variantOf } from '../support/make.ts'
import { rounds } from '../support/random.ts'
import { validOf } from '../support/samples.ts'
import { type Server, start } from '../support/start.ts'
import { sorted } from './expected.ts'
import { filteringsOf, isFound } from './filterings.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

// If there are many records, a list chooses an index by the number of rows that a condition leaves. The choice must not change the result.

/** More than a list reads in full (`fewRecords`), after the deletions. */
const manyRecords = 2_200
/** More than a list gathers (`gatheredMax`), so that some filters leave too many rows. */
const tooManyToGather = 5_400

/** Resources differ in their conditions and indexes, but not in gathering: one with items has too many rows, all have in further rounds. */
const recordsOf = (resource: Resource) => (rounds > 1 || resource === mostVaried ? tooManyToGather : manyRecords)

/** Fills a workspace: some records change or are deleted after they entered the search index, and the last ones wait to enter it. */
async function fill(server: Server, client: Client, resource: Resource): Promise<JsonRecord[]> {
  const random = new Random(7)
  const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const workspaceId = server.store.access.value<number>(ofKey, client.keyId)!
  const write = (run: (tx: Writer) => void) => server.store.write(workspaceId, run)
  const reader = server.store.workspace(workspaceId)
  const valuesOf = await samplesFor(client, resource)
  const searched = searchedOf(resource)
  const count = recordsOf(resource)
  for (let made = 0; made < count; made += 100) {
    server.clock.advance(600_000)
    await write((tx) => {
      for (let row = 0; row < 100; row++) {
        insert(resource, tx, readCreate(resource, tx, drawBody(random, resource, valuesOf)), {})
      }
      if (made < count - 200) enterPending(searched, tx, 1_000)
    })
  }
  await write((tx) => change(resource, tx, random))
  const shown = recordJson(resource, Object.keys(resource.collections))
  const json = Object.keys(resource.unshown).reduce((all, name) => `json_set(${all}, '$.${name}', ${name})`, shown)
  const all = `SELECT ${json} FROM ${resource.table} WHERE workspace_id = :workspace AND deleted_at IS NULL`
  return reader.values<string>(all).map((text) => JSON.parse(text))
}

type Samples = ReadonlyMap<Field, readonly unknown[]>

/** Values for each field of a resource and of its items. */
async function samplesFor(client: Client, { fields, collections }: Resource): Promise<Samples> {
  const all = [fields, ...Object.values(collections).map((each) => each.fields)].flatMap((each) => Object.values(each))
  const settable = all.filter(({ readonly }) => !readonly)
  return new Map(await Promise.all(settable.map(async (field) => [field, await validOf(client, field)] as const)))
}

/** A body with values that many records have, and with text and addresses that few have. */
function drawBody(random: Random, resource: Resource, samples: Samples): Record<string, unknown> {
  const { fields, collections, unique = '' } = resource
  const items = Object.entries(collections).map(([name, each]) => {
    return [name, Array.from({ length: random.integer(0, 2) }, () => drawValues(random, each.fields, samples))]
  })
  const own = drawValues(random, fields, samples)
  const { kind, shape } = fields[unique] ?? {}
  if (kind === 'pattern') own[unique] = variantOf(own[unique], ++drawn, shape!.pattern)
  else if (own[unique] !== undefined) own[unique] = `${++drawn}.${own[unique]}`
  return consistent(resource, { ...own, ...Object.fromEntries(items) })
}

function drawValues(random: Random, fields: Resource['fields'], samples: Samples): Record<string, unknown> {
  const entries = Object.values(fields).flatMap((field) => {
    const values = samples.get(field)
    return values && (isNeeded(field) || random.chance(0.8)) ? [[field.name, drawValue(random, field, values)]] : []
  })
  return Object.fromEntries(entries)
}

let drawn = 0

function drawValue(random: Random, { kind }: Field, values: readonly unknown[]): unknown {
  const value = random.pick(values)
  if (kind === 'email') return `${++drawn}.${value}`
  return kind === 'text' && random.chance(0.5) ? `${value} ${random.integer(1, 1_000)}` : value
}

function change(resource: Resource, tx: Writer, random: Random): void {
  const ids = tx.values<string>(
    `SELECT id FROM ${resource.table} WHERE workspace_id = :workspace AND deleted_at IS NULL`,
  )
  const changeable = Object.values(resource.fields).filter(({ name }) => name !== resource.unique)
  const text = changeable.find(({ kind }) => kind === 'text')
  const number = changeable.find(({ kind }) => kind === 'number')
  const values = text ? { [text.name]: 'Zügig & neu' } : { [number!.name]: '7' } // a decimal, as it is stored
  for (const id of ids) {
    if (resource.operations.includes('patch') && random.chance(0.02)) update(resource, tx, id, values)
    else if (resource.operations.includes('delete') && random.chance(0.02)) remove(resource, tx, id)
  }
}

function sortsOf(resource: Resource): string[] {
  const single = resource.sorts.flatMap((name) => [name, `-${name}`])
  return [...single, `-${resource.sorts[0]},${resource.sorts[1]}`]
}

/** The sort parameter, with an explicit direction for each key. */
const sortText = (sort: string) =>
  sort
    .split(',')
    .map((key) => (key.startsWith('-') ? key : `${key}:asc`))
    .join()

async function assertList(list: Asked, parameters: Record<string, string>, expected: string[]): Promise<void> {
  const { client, resource } = list
  const about = JSON.stringify(parameters)
  const path = (more: Record<string, unknown>) => listPath(resource, { ...parameters, limit: 7, ...more })
  const first = await client.get(path({}))
  assert.equal(first.status, 200, `${about} ${JSON.stringify(first.body)}`)
  assert.equal(first.body.pagination.total, expected.length, about)
  assert.deepEqual(idsOf(first.body.data), expected.slice(0, 7), about)
  const ways = [
    async () => {
      const page = Math.max(1, Math.ceil(expected.length / 14))
      const middle = await client.get(path({ page }))
      assert.deepEqual(idsOf(middle.body.data), expected.slice((page - 1) * 7, page * 7), `${about} page ${page}`)
    },
    async () => {
      const cursor = first.body.pagination.next_cursor
      if (cursor === null) return assert.ok(expected.length <= 7, about)
      const second = await client.get(path({ limit: 100, cursor }))
      assert.deepEqual(idsOf(second.body.data), expected.slice(7, 107), `${about} behind the first`)
      assert.equal(second.body.pagination.total, expected.length, about)
    },
  ]
  for (const way of rounds > 1 ? ways : [ways[list.lists++ % 2]!]) await way()
}

interface Asked {
  client: Client
  resource: Resource
  /** The number of lists asserted so far. They alternate between pages and cursors; later rounds use both. */
  lists: number
}

/** Without users and keys, which other modules store, and without stages, because creating one updates the others. */
const many = tested.filter((each) => each.counted && each.operations.includes('create') && !isOrdered(each))
const mostVaried = many.find(({ itemFilters }) => Object.keys(itemFilters).length > 0) ?? many[0]

for (const resource of many) {
  test(`GET /${resource.path}: lists of many records filter, count, sort and page correctly`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const records = await fill(server, client, resource)
    const orders = sortsOf(resource).map(
      (sort) => [sortText(sort), idsOf(sorted(resource, records, sort.split(',')))] as const,
    )
    const asked: Asked = { client, resource, lists: 0 }
    const filterings = filteringsOf(resource, records)
    const found = new Map(
      filterings.map((each) => [each, new Set(idsOf(records.filter((record) => isFound(each, record))))]),
    )
    let turn = 0

    for (const [sort, expected] of orders) await assertList(asked, { sort }, expected)
    for (const [at, one] of filterings.entries()) {
      const other = filterings[(at * 7 + 3) % filterings.length]!
      for (const filters of one.parameter === other.parameter ? [[one]] : [[one], [one, other]]) {
        const [sort, ordered] = orders[turn++ % orders.length]!
        const expected = ordered.filter((id) => filters.every((each) => found.get(each)!.has(id)))
        const parameters = Object.fromEntries(filters.map(({ parameter, probe }) => [parameter, probe]))
        await assertList(asked, { ...parameters, sort }, expected)
      }
    }
  })
}
