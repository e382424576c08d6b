import type { CursorValue } from '../lib/cursor.ts'
import type { Reader, SqlValue } from '../store/reader.ts'
import type { Approached } from './approach.ts'
import type { Resource } from './define.ts'
import type { Condition } from './filters.ts'
import { orderSql, segmentsAfter } from './order.ts'
import type { ListQuery } from './query.ts'
import { keptCount, recordJson, undeleted } from './select.ts'

/** A list's records as JSON texts, one more than its limit where there are more, and how many there are in all (decision C11). */
export interface Page {
  texts: string[]
  total: number
}

/** Among fewer records any list is fast, whatever it reads. */
const fewRecords = 2_000
/** So many rows are read and sorted faster than the list's order is searched for them. */
const gatheredMax = 5_000
/** Rows that an offset may skip in an instant. */
const skippedMax = 2_000

/** Whether a list reads little enough to be answered between other requests. */
export function isQuick(resource: Resource, reader: Reader, { where, order, page = 1, limit }: ListQuery): boolean {
  if (!resource.counted || keptCount(resource, reader) < fewRecords) return true
  return where.length === 0 && order.length <= 2 && (page - 1) * limit <= skippedMax
}

/**
 * The page behind `place`, or the one that the query names. Which index leads to few rows depends on the values asked for, so they
 * are counted, up to a bound, before one is chosen: SQLite would choose by their names.
 */
export function findPage(resource: Resource, reader: Reader, query: ListQuery, place: CursorValue[] | undefined): Page {
  const { table, counted } = resource
  const { where, order } = query
  if (!counted) return { total: count(reader, table, where), texts: select(resource, reader, table, query, place) }
  const records = keptCount(resource, reader)
  if (where.length === 0) {
    return { total: records, texts: select(resource, reader, indexed(table, order[0]!.index), query, place) }
  }
  if (records < fewRecords) {
    return { total: count(reader, table, where), texts: select(resource, reader, table, query, place) }
  }
  const narrow = narrowest(reader, where)
  if (narrow) return gather(resource, reader, query, narrow, place)
  const broad = where.find((each) => each.narrow) ?? where[0]!
  const total = count(reader, indexed(table, broad.index), where)
  if (total <= gatheredMax) return gather(resource, reader, query, { where, index: broad.index }, place)
  const index = (order.length === 1 && where.find(({ equality }) => equality)?.index) || order[0]!.index
  return { total, texts: select(resource, reader, indexed(table, index), query, place) }
}

function indexed(table: string, index: string): string {
  return `${table} INDEXED BY ${index}`
}

interface Source {
  where: Condition[]
  index: string
}

/** By the condition that leaves the fewest rows; undefined where each leaves too many to gather. */
function narrowest(reader: Reader, where: Approached[]): Source | undefined {
  let fewest = gatheredMax + 1
  let source: Source | undefined
  for (const { narrow, ...each } of where) {
    if (!narrow) continue
    const { sql, params } = narrow.candidates
    const rows = reader.value<number>(`SELECT count(*) FROM (${sql} LIMIT ${fewest})`, ...params)!
    if (rows >= fewest) continue
    fewest = rows
    const others = where.filter((other) => other.sql !== each.sql || other.params !== each.params)
    source = { where: [narrow.condition, ...others], index: narrow.index }
  }
  return source
}

function count(reader: Reader, source: string, where: Condition[]): number {
  return reader.value<number>(`SELECT count(*) FROM ${source} WHERE ${conjunction(where)}`, ...paramsOf(where))!
}

/** Reads all matching rows by one condition's index, sorts them, and takes the page out of them. */
function gather(
  resource: Resource,
  reader: Reader,
  query: ListQuery,
  { where, index }: Source,
  place: CursorValue[] | undefined,
): Page {
  const { table } = resource
  const after = place ? anyOf(segmentsAfter(query.order, place)) : { sql: '1', params: [] }
  const unordered = query.order.map((key) => ({ ...key, column: `+${key.column}` }))
  const sql = `SELECT iif(${after.sql}, id, NULL) FROM ${indexed(table, index)}
    WHERE ${conjunction(where)} ORDER BY ${orderSql(unordered)}`
  const ids = reader.values<string | null>(sql, ...after.params, ...paramsOf(where))
  const following = place ? ids.filter((id) => id !== null) : ids
  const begin = offsetOf(query)
  const page = following.slice(begin, begin + query.limit + 1)
  const record = `SELECT ${recordJson(resource, query.includes)} FROM ${table} WHERE ${undeleted} AND id = ?`
  return { total: ids.length, texts: page.map((id) => reader.value<string>(record, id)!) }
}

/** Reads `source` in the list's order until the page is full. */
function select(
  resource: Resource,
  reader: Reader,
  source: string,
  query: ListQuery,
  place: CursorValue[] | undefined,
): string[] {
  const json = recordJson(resource, query.includes)
  const segments = place ? segmentsAfter(query.order, place) : [undefined]
  const texts: string[] = []
  for (const segment of segments) {
    const wanted = query.limit + 1 - texts.length
    if (wanted === 0) break
    const where = segment ? [...query.where, segment] : query.where
    const sql = `FROM ${source} WHERE ${conjunction(where)} ORDER BY ${orderSql(query.order)} LIMIT ? OFFSET ?`
    texts.push(...selectTexts(resource, reader, json, sql, [...paramsOf(where), wanted, offsetOf(query)], query))
  }
  return texts
}

/** Behind an offset the ids are looked up first, so that the skipped rows themselves are not read. */
function selectTexts(
  { table }: Resource,
  reader: Reader,
  json: string,
  rows: string,
  params: SqlValue[],
  query: ListQuery,
): string[] {
  if (offsetOf(query) === 0) return reader.values(`SELECT ${json} ${rows}`, ...params)
  if (!Number.isSafeInteger(offsetOf(query))) return []
  const sql = `SELECT ${json} FROM ${table} WHERE ${undeleted} AND id IN (SELECT id ${rows}) ORDER BY ${orderSql(query.order)}`
  return reader.values(sql, ...params)
}

function offsetOf({ page = 1, limit }: ListQuery): number {
  return (page - 1) * limit
}

function conjunction(where: Condition[]): string {
  return [undeleted, ...where.map(({ sql }) => sql)].join(' AND ')
}

function anyOf(conditions: Condition[]): Condition {
  const sql = conditions.map((each) => `(${each.sql})`).join(' OR ')
  return { sql: sql || '0', params: paramsOf(conditions) }
}

function paramsOf(conditions: Condition[]): SqlValue[] {
  return conditions.flatMap(({ params }) => params)
}
