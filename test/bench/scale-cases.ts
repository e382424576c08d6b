import { readListQuery } from '../../src/engine/finding/query/query.ts'
import { isCreation } from '../../src/engine/records/columns.ts'
import type { Field, Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import { sealCursor } from '../../src/lib/cursor.ts'
import { bigResources, type Running } from './running.ts'

/** A request that is sent to both servers. */
export interface Case {
  group: string
  name: string
  asked(server: Running): Asked
}

export interface Asked {
  method?: 'GET' | 'POST' | 'PATCH'
  /** The path and query for this round. */
  path(round: number): string
  body?(round: number): string
  /** How many records the list's filter matches. */
  matches?: number
}

/** How often each request is measured, and how often it is sent before that. */
export const rounds = Number(process.env.BENCH_ROUNDS ?? 41)
export const warmUpRounds = 10

/** Multiples of it are spread evenly over tables of a thousand to ten million contacts. */
const sampleStep = 3_381_383

/** Filters use values that about this number of records have. */
const matchesNear = 500

const listed = resources.filter(({ name }) => bigResources.includes(name))
const contact = listed.find(({ name }) => name === 'contact')!

/** Every sort of every resource, and every filter combined with one of the sorts in turn. */
export const cases: readonly Case[] = [
  ...recordCases(),
  ...listed.flatMap(sortCases),
  ...listed.flatMap(cursorCases),
  ...listed.flatMap((resource) => resource.filters.flatMap((name, at) => filterCases(resource, name, at))),
]

function recordCases(): Case[] {
  const body = (round: number) => JSON.stringify({ first_name: `Ada ${round}`, job_title: `Buyer ${round}` })
  const ask = (group: string, method: 'GET' | 'PATCH', from: number, count: number): Case => ({
    group,
    name: 'contact',
    asked: (server) => {
      const ids = sample(server, from, count)
      const path = (round: number) => `/${contact.path}/${ids[(round + warmUpRounds) % count]}`
      return { method, path, ...(method === 'PATCH' && { body }) }
    },
  })
  const all = warmUpRounds + rounds
  return [
    ask('GET by id, each record once', 'GET', 0, all),
    ask('GET by id, records read before', 'GET', all, warmUpRounds),
    ask('PATCH, each record once', 'PATCH', 2 * all, all),
    ask('PATCH, records changed before', 'PATCH', 3 * all, warmUpRounds),
    { group: 'POST', name: 'contact', asked: () => ({ method: 'POST', path: () => `/${contact.path}`, body }) },
  ]
}

/** Ids spread over the whole table; those of disjoint ranges differ. */
function sample({ db, workspaceId }: Running, from: number, count: number): string[] {
  const ids = db
    .prepare('SELECT id FROM contact WHERE workspace_id = ? AND deleted_at IS NULL')
    .pluck()
    .all(workspaceId) as string[]
  if (from + count > ids.length) throw new Error('BENCH_ROUNDS is too large for the small company')
  return Array.from({ length: count }, (_, at) => ids[((from + at) * sampleStep) % ids.length]!)
}

function sortCases(resource: Resource): Case[] {
  return resource.sorts.map((sort) => ({
    group: 'first page unfiltered, each sort',
    name: `${resource.name} by ${sort}`,
    asked: () => ({ path: () => `/${resource.path}?sort=${sort}:asc&limit=50` }),
  }))
}

function cursorCases(resource: Resource): Case[] {
  return resource.sorts.map((sort) => ({
    group: 'cursor page in the middle, each sort',
    name: `${resource.name} by ${sort}`,
    asked: (server) => {
      const query = `sort=${sort}:asc&limit=50`
      const cursor = cursorInTheMiddle(server, resource, query)
      return { path: () => `/${resource.path}?${query}&cursor=${cursor}` }
    },
  }))
}

function cursorInTheMiddle(
  { db, workspaceId }: Running,
  { name, table, ...rest }: Resource,
  queryString: string,
): string {
  const { order, binding } = readListQuery({ name, table, ...rest }, queryString)
  const columns = order.map(({ column }) => column).join(', ')
  const middle = `SELECT ${columns} FROM ${table} WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY ${columns}
    LIMIT 1 OFFSET (SELECT records / 2 FROM record_count WHERE workspace_id = ? AND resource = ?)`
  const place = db.prepare(middle).raw().get(workspaceId, workspaceId, name) as string[]
  const secret = db.prepare("SELECT value FROM setting WHERE name = 'cursor_secret'").pluck().get() as string
  return sealCursor(secret, `${workspaceId} ${name} ${binding}`, place)
}

function filterCases(resource: Resource, name: string, at: number): Case[] {
  const field = resource.stored[name]!
  const sort = resource.sorts[at % resource.sorts.length]!
  const ask = (group: string, find: (server: Running) => Probe, parameter: string): Case => ({
    group: `${group}, page of 50 with total`,
    name: `${resource.name}.${name} by ${sort}`,
    asked: (server) => {
      const { value, matches } = find(server)
      const query = new URLSearchParams({ [parameter]: value, sort: `${sort}:asc`, limit: '50' })
      return { path: () => `/${resource.path}?${query}`, matches }
    },
  })
  const isText = field.filter!.operators.includes('like')
  return [
    ...(isCreation(field) ? [] : [ask('equality', (server) => commonValue(server, resource, field), `${name}[eq]`)]),
    ...(isOrdered(field) ? [ask('range', (server) => upperEnd(server, resource, field), `${name}[gt]`)] : []),
    ...(isText ? [ask('like', (server) => commonPart(server, resource, field), `${name}[like]`)] : []),
  ]
}

interface Probe {
  value: string
  matches: number
}

function isOrdered({ kind }: Field): boolean {
  return !['flag', 'reference', 'choice'].includes(kind)
}

/** The value whose number of records is closest to `matchesNear`. */
function commonValue({ db, workspaceId }: Running, { table }: Resource, { name, kind }: Field): Probe {
  if (kind === 'flag') return { value: 'true', matches: 0 }
  const sql = `SELECT ${name} AS value, count(*) AS matches FROM ${table} WHERE workspace_id = ? AND deleted_at IS NULL
    AND ${name} IS NOT NULL GROUP BY 1 ORDER BY abs(matches - ${matchesNear}), 1 LIMIT 1`
  const found = db.prepare(sql).get(workspaceId) as { value: unknown; matches: number } | undefined
  return { value: String(found?.value ?? '00000000-0000-7000-8000-000000000000'), matches: found?.matches ?? 0 }
}

/** A value that `matchesNear` records are greater than. */
function upperEnd({ db, workspaceId }: Running, { table }: Resource, { name, keyColumn }: Field): Probe {
  const from = `FROM ${table} WHERE workspace_id = ? AND deleted_at IS NULL AND ${name} IS NOT NULL`
  const sql = `SELECT ${name} ${from} ORDER BY ${keyColumn} DESC LIMIT 1 OFFSET
    (SELECT min(${matchesNear}, count(*) / 2) ${from})`
  return { value: String(db.prepare(sql).pluck().get(workspaceId, workspaceId) ?? 'x'), matches: matchesNear }
}

/** A part of a value, out of a thousand values, whose number of matches is closest to `matchesNear`. */
function commonPart({ db, workspaceId }: Running, { table }: Resource, { name, keyColumn }: Field): Probe {
  const values = `SELECT DISTINCT substr(${name}, 2, 6) FROM (SELECT ${name} FROM ${table}
    WHERE workspace_id = ? AND deleted_at IS NULL AND length(${name}) > 6 LIMIT 1000) LIMIT 12`
  const counted = db.prepare(
    `SELECT count(*) FROM ${table} WHERE workspace_id = ? AND deleted_at IS NULL AND ${keyColumn} LIKE ?`,
  )
  const parts = (db.prepare(values).pluck().all(workspaceId) as string[]).map((value) => ({
    value,
    matches: counted.pluck().get(workspaceId, `%${value.toLowerCase()}%`) as number,
  }))
  const far = ({ matches }: Probe) => Math.abs(matches - matchesNear)
  return parts.toSorted((a, b) => far(a) - far(b))[0] ?? { value: 'abc', matches: 0 }
}
