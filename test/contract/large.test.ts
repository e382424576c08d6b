import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../src/commands/seed/random.ts'
import { resources } from '../../src/crm/index.ts'
import type { Field, Resource } from '../../src/engine/definition/define.ts'
import type { Operator } from '../../src/engine/list/filters.ts'
import { enterPending, searchedOf } from '../../src/engine/list/search.ts'
import { recordJson } from '../../src/engine/select.ts'
import { insert, remove, update } from '../../src/engine/write/write.ts'
import type { Writer } from '../../src/store/reader.ts'
import { type Known, rows } from '../bench/rows.ts'
import type { Client } from '../support/client.ts'
import { idsOf, listPath, tested } from '../support/contract.ts'
import { matches, operatorsOf, sorted, textKinds } from '../support/expected.ts'
import type { JsonRecord } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'

// Among many records lists choose their way by how many rows a condition leaves; whatever the way, the answer is the same.

/** More than are ever gathered, so that some filters leave too many. */
const recordsMin = 5_600

interface Filtered {
  name: string
  field: Field
  /** Several for a collection's field. */
  valuesOf: (record: JsonRecord) => unknown[]
  ofItems: boolean
}

function filtersOf({ filters, itemFilters, columns, collections }: Resource): Filtered[] {
  const own = filters.map((name) => ({
    name,
    field: columns[name]!,
    valuesOf: (record: JsonRecord) => [record[name]],
    ofItems: false,
  }))
  const items = Object.entries(itemFilters).map(([name, { collection, field }]) => {
    const { fields, as } = collections[collection]!
    const valuesOf = (record: JsonRecord) => record[as].map((item: JsonRecord) => item[field])
    return { name, field: fields[field]!, valuesOf, ofItems: true }
  })
  return [...own, ...items]
}

/** Fills a workspace, changes and deletes some of it after it was entered into the search, and leaves the last of it to wait. */
async function fill(server: Server, client: Client, resource: Resource): Promise<JsonRecord[]> {
  const random = new Random(7)
  const ofKey = 'SELECT workspace_id FROM api_key WHERE id = ?'
  const workspaceId = server.store.access.value<number>(ofKey, client.keyId)!
  const write = (run: (tx: Writer) => void) => server.store.write(workspaceId, run)
  const reader = server.store.workspace(workspaceId)
  const known = {
    ...noneKnown,
    stages: reader.values<string>(stageIds),
    users: [await client.addUser(), await client.addUser()],
  }
  for (const [name, ids] of Object.entries({
    organization: 'organizations',
    contact: 'contacts',
    deal: 'deals',
  } as const)) {
    const target = resources.find((each) => each.name === name)!
    const made: string[] = []
    await write((tx) => {
      for (let row = 0; row < 3; row++) made.push(insert(target, tx, rows[name]!(random, known), {}).id)
    })
    known[ids] = made
  }
  const searched = searchedOf(resource)
  for (let made = 0; made < recordsMin; made += 100) {
    server.clock.advance(600_000)
    await write((tx) => {
      for (let row = 0; row < 100; row++) insert(resource, tx, rows[resource.name]!(random, known), {})
      if (made < recordsMin - 200) enterPending(searched, tx, 1_000)
    })
  }
  await write((tx) => change(resource, tx, random))
  const json = recordJson(resource, Object.keys(resource.collections))
  const all = `SELECT ${json} FROM ${resource.table} WHERE workspace_id = :workspace AND deleted_at IS NULL`
  return reader.values<string>(all).map((text) => JSON.parse(text))
}

const stageIds = 'SELECT id FROM stage WHERE workspace_id = :workspace AND deleted_at IS NULL'
const noneKnown: Known = {
  now: Date.UTC(2026, 5, 1),
  stages: [],
  users: [],
  organizations: [''],
  contacts: [''],
  deals: [''],
}

function change(resource: Resource, tx: Writer, random: Random): void {
  const ids = tx.values<string>(
    `SELECT id FROM ${resource.table} WHERE workspace_id = :workspace AND deleted_at IS NULL`,
  )
  const text = Object.values(resource.fields).find(({ kind }) => kind === 'text')!.name
  for (const id of ids) {
    if (resource.operations.includes('patch') && random.chance(0.02))
      update(resource, tx, id, { [text]: 'Zügig & neu' })
    else if (resource.operations.includes('delete') && random.chance(0.02)) remove(resource, tx, id)
  }
}

/** Values that many records have, that few have, and notations of like. */
function probesOf({ field, valuesOf }: Filtered, operator: Operator, records: JsonRecord[]): string[] {
  const values = records
    .flatMap(valuesOf)
    .filter((value) => value !== null)
    .map(String)
  const counts = [...Map.groupBy(values, (value) => value)].sort(([, a], [, b]) => a.length - b.length)
  const held = [counts[0], counts[counts.length >> 1], counts.at(-1)].flatMap((each) => (each ? [each[0]] : []))
  if (operator === 'like') {
    const part = (text: string, length: number) =>
      [...text]
        .slice(1, 1 + length)
        .join('')
        .toUpperCase()
    return [...held.flatMap((text) => [part(text, 2), part(text, 4)]), 'g & n', 'a%e%n', 'zügig%neu', 'nowhere', '%']
  }
  if (operator === 'in') return held.length > 0 ? [held.join()] : []
  const nothing = field.nullable && !textKinds.has(field.kind) && ['eq', 'ne'].includes(operator) ? ['null'] : []
  return [...held, ...nothing]
}

function sortsOf(resource: Resource): string[] {
  const single = resource.sorts.flatMap((name) => [name, `-${name}`])
  return [...single, `-${resource.sorts[0]},${resource.sorts[1]}`]
}

/** The direction that the sort keys name, whatever the resource's default is. */
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
  const page = Math.max(1, Math.ceil(expected.length / 14))
  const middle = await client.get(path({ page }))
  assert.deepEqual(idsOf(middle.body.data), expected.slice((page - 1) * 7, page * 7), `${about} page ${page}`)
  if (!first.body.pagination.next_cursor) return
  const second = await client.get(path({ limit: 100, cursor: first.body.pagination.next_cursor }))
  assert.deepEqual(idsOf(second.body.data), expected.slice(7, 107), `${about} behind the first`)
  assert.equal(second.body.pagination.total, expected.length, about)
}

interface Asked {
  client: Client
  resource: Resource
}

for (const resource of tested.filter(({ name }) => name in rows)) {
  test(`Among many, lists of ${resource.path} find, count, sort and page as among few`, async (t) => {
    const server = await start(t)
    const { client } = await server.company('Acme')
    const records = await fill(server, client, resource)
    const orders = sortsOf(resource).map(
      (sort) => [sortText(sort), sorted(resource, records, sort.split(','))] as const,
    )
    let turn = 0

    for (const [sort, expected] of orders) await assertList({ client, resource }, { sort }, idsOf(expected))
    for (const filtered of filtersOf(resource)) {
      for (const operator of operatorsOf(filtered.field)) {
        for (const probe of probesOf(filtered, operator, records)) {
          const [sort, ordered] = orders[turn++ % orders.length]!
          const expected = ordered.filter((record) => isFound(filtered, operator, record, probe))
          await assertList({ client, resource }, { [`${filtered.name}[${operator}]`]: probe, sort }, idsOf(expected))
        }
      }
    }
  })
}

function isFound(
  { field, valuesOf, ofItems }: Filtered,
  operator: Operator,
  record: JsonRecord,
  probe: string,
): boolean {
  const negated = ofItems && operator === 'ne'
  return valuesOf(record).some((value) => matches(field, negated ? 'eq' : operator, value, probe)) !== negated
}
