import type { CursorValue } from '../lib/cursor.ts'
import type { Reader, SqlValue } from '../store/reader.ts'
import { type Approached, reach } from './approach.ts'
import type { Condition } from './filters.ts'
import { orderSql, type SortKey, segmentsAfter } from './order.ts'
import { keptCount, undeleted } from './select.ts'

/** A list, understood and checked: plain data, which any thread can run. */
export interface Listing {
  /** Of the resource. */
  name: string
  table: string
  counted: boolean
  /** A record's JSON text as a SQL expression. */
  json: string
  where: Approached[]
  order: SortKey[]
  limit: number
  offset: number
  /** Where the last page ended. */
  place: CursorValue[] | undefined
}

export interface Page {
  /** JSON texts, separated by commas. */
  records: string
  /** How many records match in all: exact, always (decision C11). */
  total: number
  /** Where the page ends; undefined where nothing follows. */
  last: CursorValue[] | undefined
}

/** Finds a page on another thread, in the workspace of the call. */
export type FindApart = (listing: Listing) => Promise<Page>

/** Among fewer records any list is fast, whatever it reads. */
const fewRecords = 2_000
/** So many rows are read and sorted faster than the list's order is searched for them. */
const gatheredMax = 5_000
/** Rows that an offset may skip in an instant. */
const skippedMax = 2_000

/** Whether a list reads little enough to be answered between other requests. */
export function isQuick(reader: Reader, { name, counted, where, order, offset }: Listing): boolean {
  if (!counted) return true
  if (where.length === 0 && order.length <= 2 && offset <= skippedMax) return true
  return hasFew(name, reader)
}

/** Whether a workspace has so few records of a resource that reading all of them holds nobody up. */
export function hasFew(resource: string, reader: Reader): boolean {
  return keptCount(resource, reader) < fewRecords
}

/**
 * Which index leads to few rows depends on the values asked for, so the rows are counted, up to a bound, before one is
 * chosen: SQLite would choose by the columns' names.
 */
export function findPage(reader: Reader, listing: Listing): Page {
  const { table, where, order, counted, name } = listing
  const records = counted ? keptCount(name, reader) : 0
  if (counted && where.length === 0) {
    return pageOf(reader, listing, records, select(reader, listing, indexed(table, order[0]!.index)))
  }
  if (records < fewRecords) {
    return pageOf(reader, listing, count(reader, table, where), select(reader, listing, table))
  }
  const ordered = order.length === 1 ? where.find(({ equality }) => equality) : undefined // its index is in the list's order
  const narrow = narrowestOf(reader, where)
  if (narrow && ordered && where.length === 1) {
    return pageOf(reader, listing, narrow.rows, select(reader, listing, indexed(table, narrow.index)))
  }
  if (narrow) return gather(reader, listing, narrow)
  const broad = where.find(({ narrow }) => narrow) ?? where[0]!
  const total = count(reader, indexed(table, broad.index), where)
  if (total <= gatheredMax) return gather(reader, listing, { where, index: broad.index })
  const { index } = ordered ?? order[0]!
  return pageOf(reader, listing, total, select(reader, listing, indexed(table, index)))
}

/** `texts` is one longer than the page where more follow. */
function pageOf(reader: Reader, { table, order, limit }: Listing, total: number, texts: string[]): Page {
  if (texts.length <= limit) return { records: texts.join(), total, last: undefined }
  texts.pop()
  const id = idOf(texts.at(-1)!)
  if (order.length === 1) return { records: texts.join(), total, last: [id] }
  const columns = order.map(({ column }) => column)
  const sql = `SELECT ${columns.join(', ')} FROM ${table} WHERE workspace_id = :workspace AND id = ?`
  const row = reader.row<Record<string, CursorValue>>(sql, id)!
  return { records: texts.join(), total, last: columns.map((column) => row[column]!) }
}

/** Every record's JSON text begins with its id: `{"id":"…"`. */
function idOf(text: string): string {
  return text.slice(7, 43)
}

function indexed(table: string, index: string): string {
  return `${table} INDEXED BY ${index}`
}

interface Source {
  where: Condition[]
  index: string
}

interface Narrowest extends Source {
  /** That its first condition alone leaves at most: a condition of a field of the resource itself leaves exactly so many. */
  rows: number
}

/** By the condition that leaves the fewest rows; undefined where each leaves too many to gather. */
function narrowestOf(reader: Reader, where: Approached[]): Narrowest | undefined {
  let narrowest: Narrowest | undefined
  for (const each of where) {
    const reached = reach(each, reader, narrowest?.rows ?? gatheredMax + 1)
    if (!reached) continue
    const { rows, condition, index } = reached
    narrowest = { rows, where: [condition, ...where.filter((other) => other !== each)], index }
  }
  return narrowest
}

function count(reader: Reader, source: string, where: Condition[]): number {
  return reader.value<number>(`SELECT count(*) FROM ${source} WHERE ${conjunction(where)}`, ...paramsOf(where))!
}

/** Reads all matching rows by one index, sorts them, and takes the page out of them. */
function gather(reader: Reader, listing: Listing, { where, index }: Source): Page {
  const { table, json, order, limit, offset, place } = listing
  const after = place ? anyOf(segmentsAfter(order, place)) : { sql: '1', params: [] }
  const sql = `SELECT iif(${after.sql}, id, NULL) FROM ${indexed(table, index)}
    WHERE ${conjunction(where)} ORDER BY ${orderSql(sortedHere(order))}`
  const ids = reader.values<string | null>(sql, ...after.params, ...paramsOf(where))
  const following = place ? ids.filter((id) => id !== null) : ids
  const record = `SELECT ${json} FROM ${table} WHERE ${undeleted} AND id = ?`
  const texts = following.slice(offset, offset + limit + 1).map((id) => reader.value<string>(record, id)!)
  return pageOf(reader, listing, ids.length, texts)
}

/** Reads `source` in the list's order until the page is full. */
function select(reader: Reader, listing: Listing, source: string): string[] {
  const { table, json, where, order, limit, offset, place } = listing
  const segments = place ? segmentsAfter(order, place) : [undefined]
  const texts: string[] = []
  for (const segment of segments) {
    const wanted = limit + 1 - texts.length
    if (wanted === 0) break
    const conditions = segment ? [...where, segment] : where
    const rows = `FROM ${source} WHERE ${conjunction(conditions)} ORDER BY ${orderSql(order)} LIMIT ?`
    texts.push(...read(rows, [...paramsOf(conditions), wanted]))
  }
  return texts

  /** Where rows are passed over, the ids are looked up first: an index may tell which, and then the rows are not read. */
  function read(rows: string, params: SqlValue[]): string[] {
    if (where.length === 0 && offset === 0) return reader.values(`SELECT ${json} ${rows}`, ...params)
    if (!Number.isSafeInteger(offset)) return []
    const sql = `SELECT ${json} FROM ${table} WHERE ${undeleted} AND id IN (SELECT id ${rows} OFFSET ?)
      ORDER BY ${orderSql(sortedHere(order))}`
    return reader.values(sql, ...params, offset)
  }
}

/** In no index's order: SQLite would read along one. */
function sortedHere(order: SortKey[]): SortKey[] {
  return order.map((key) => ({ ...key, column: `+${key.column}` }))
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
