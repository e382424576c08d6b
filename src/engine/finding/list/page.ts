import type { CursorValue } from '../../../lib/cursor.ts'
import type { Reader, SqlValue } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import { storedCount, type Tally, talliedCount, undeleted } from '../../records/select.ts'
import type { Approached } from './approach.ts'
import { type CostFactors, fewRecords } from './list-cost.ts'
import { type Ordered, orderSql, rowsAfter, type SortKey, segmentsAfter, sourceInOrder } from './order.ts'
import {
  broadFirst,
  conjunction,
  count,
  countAlone,
  gatheredMax,
  narrowestOf,
  paramsOf,
  type Selection,
  type Source,
  sourceBy,
} from './source.ts'

/** A validated list: plain data that any thread can run. */
export interface Listing extends CostFactors, Selection {
  /** A record's JSON text as a SQL expression. */
  json: string
  /** Whether `json` includes items, so that it may be much longer than the stored record. */
  withItems: boolean
  /** The remaining records of a page that has been found; undefined: find the page. */
  ids?: readonly string[]
}

export interface Page {
  /** JSON texts, separated by commas: the complete page, or the first part of a long one. */
  records: string
  /** The ids of the following records, which are read part by part. */
  ids: readonly string[]
  /** The exact number of records that match (decision C11). */
  total: number
  /** The sort key values of the page's last record; undefined on the last page. */
  last: CursorValue[] | undefined
}

/** In characters of JSON. A longer page is read and sent in parts. */
const pageLengthMax = 2 ** 20
/** In characters. Reading a part of this length takes a few milliseconds. */
const partLengthMin = 2 ** 18

/**
 * Runs a list. Which index leads to few rows depends on the values of the filters, so the rows are counted, up to a bound, before
 * an index is chosen: SQLite would choose without the values.
 */
export function findPage(reader: Reader, listing: Listing): Page {
  if (listing.ids) return { ...readFirst(reader, listing, listing.ids), total: listing.ids.length, last: undefined }
  const { table, where, order, counted, name } = listing
  const tallied = talliedAlone(where)
  if (tallied && order.length === 1) {
    const rows = select(reader, listing, indexed(table, where[0]!.index))
    return pageOf(reader, listing, talliedCount(tallied, reader), rows)
  }
  const records = storedCount(name, reader) // 0 if none is counted; an upper bound if the asker does not see all
  if (counted && where.length === 0) {
    return pageOf(reader, listing, records, selectInOrder(reader, listing))
  }
  if (records < fewRecords) {
    const total = tallied ? talliedCount(tallied, reader) : count(reader, listing, { from: table, where })
    return pageOf(reader, listing, total, select(reader, listing, table))
  }
  if (where.length === 0) {
    const total = count(reader, listing, { from: table, where })
    return pageOf(reader, listing, total, selectInOrder(reader, listing))
  }
  const ordered = order.length === 1 ? where.find(({ equality }) => equality) : undefined // whose index is in the list's order
  const narrow = narrowestOf(reader, where)
  if (narrow && ordered && where.length === 1) {
    return pageOf(reader, listing, narrow.rows, select(reader, listing, indexed(table, narrow.index)))
  }
  if (narrow) return gather(reader, listing, { from: indexed(table, narrow.index), where: narrow.where })
  const first = broadFirst(reader, listing)
  const source = sourceBy(listing, first)
  const total = where.length === 1 ? countAlone(reader, listing, first) : count(reader, listing, source)
  if (total <= gatheredMax) return gather(reader, listing, source)
  const found = ordered ? select(reader, listing, indexed(table, ordered.index)) : selectInOrder(reader, listing)
  return pageOf(reader, listing, total, found)
}

/** The rows of a page, and one more if another page follows: texts, or the ids of records whose texts may be long. */
type Found = { texts: string[] } | { ids: string[] }

function pageOf(reader: Reader, listing: Listing, total: number, found: Found): Page {
  const hasTexts = 'texts' in found
  const rows = hasTexts ? found.texts : found.ids
  const more = rows.length > listing.limit
  if (more) rows.pop()
  const last = more ? placeOf(reader, listing, hasTexts ? idOf(rows.at(-1)!) : rows.at(-1)!) : undefined
  return { ...(hasTexts ? { records: rows.join(), ids: [] } : readFirst(reader, listing, rows)), total, last }
}

function placeOf(reader: Reader, { table, order }: Listing, id: string): CursorValue[] {
  if (order.length === 1) return [id]
  const columns = order.map(({ column }, at) => `${column} AS key${at}`)
  const sql = `SELECT ${columns.join(', ')} FROM ${table} WHERE workspace_id = :workspace AND id = ?`
  const row = reader.row<Record<string, CursorValue>>(sql, id)!
  return order.map((_, at) => row[`key${at}`]!)
}

/** Reads the first part of some records one by one, because they may be long. */
function readFirst(reader: Reader, listing: Listing, ids: readonly string[]): Pick<Page, 'records' | 'ids'> {
  let records = ''
  for (const [at, id] of ids.entries()) {
    records += after(records, readRecord(reader, listing, id))
    if (records.length > partLengthMin) return { records, ids: ids.slice(at + 1) }
  }
  return { records, ids: [] }
}

/** Also reads a record that was deleted after the page was found. */
function readRecord(reader: Reader, { table, json }: Listing, id: string): string | undefined {
  return reader.value<string>(`SELECT ${json} FROM ${table} WHERE workspace_id = :workspace AND id = ?`, id)
}

function after(texts: string, text = ''): string {
  return texts === '' || text === '' ? text : `,${text}`
}

/** Each record begins with its id (select.ts). */
function idOf(text: string): string {
  return text.slice(idBegin, idBegin + idLength)
}

const idBegin = '{"id":"'.length
const idLength = 36

/** The stored number of matching rows, if there is one condition and its rows are counted. */
function talliedAlone(where: Approached[]): Tally | undefined {
  return where.length === 1 ? where[0]!.tally : undefined
}

/** Reads the ids of all matching rows by one index, sorts them, and takes the page. */
function gather(reader: Reader, listing: Listing, { from, where }: Source): Page {
  const { order, limit, offset, place } = listing
  const after = place ? rowsAfter(order, place) : { sql: '1', params: [] }
  const sql = `SELECT iif(${after.sql}, id, NULL) FROM ${from}
    WHERE ${conjunction(where, listing.stoppable)} ORDER BY ${orderSql(sortedHere(order))}`
  const ids = reader.values<string | null>(sql, ...after.params, ...paramsOf(where))
  const following = place ? ids.filter((id) => id !== null) : (ids as string[])
  return pageOf(reader, listing, ids.length, { ids: following.slice(offset, offset + limit + 1) })
}

function selectInOrder(reader: Reader, listing: Listing): Found {
  const { source, order } = sourceInOrder(listing.table, listing.order)
  return select(reader, listing, source, order)
}

/** Reads `source` in the list's order until the page is full. `order` is that order by the columns of the source. */
function select(reader: Reader, listing: Listing, source: string, order = listing.order): Found {
  const texts = listing.withItems ? [longMark] : selectEach(reader, listing, { source, order }, shortJson(listing))
  return texts.includes(longMark) ? { ids: selectEach(reader, listing, { source, order }, 'id') } : { texts }
}

/** Replaces the text of a record that is so long that a page of such records would be too long. */
const longMark = ''

function shortJson({ json, limit }: Listing): string {
  return `iif(octet_length(record) > ${Math.floor(pageLengthMax / limit)}, '${longMark}', ${json})`
}

function selectEach(reader: Reader, listing: Listing, { source, order }: Ordered, column: string): string[] {
  const { table, where, limit, offset, place, stoppable } = listing
  const segments = place ? segmentsAfter(order, place) : [undefined]
  const found: string[] = []
  for (const segment of segments) {
    const wanted = limit + 1 - found.length
    if (wanted === 0) break
    const conditions = segment ? [...where, segment] : where
    const rows = `FROM ${source} WHERE ${conjunction(conditions, stoppable)} ORDER BY ${orderSql(order)} LIMIT ?`
    found.push(...read(rows, [...paramsOf(conditions), wanted]))
  }
  return found

  /** If rows are skipped, looks up the ids first: an index may suffice for that, and skipped rows are not read. */
  function read(rows: string, params: SqlValue[]): string[] {
    const noneSkipped = where.length === 0 || (where.length === 1 && where[0]!.equality && order.length === 1)
    if (noneSkipped && offset === 0) return reader.values(`SELECT ${column} ${rows}`, ...params)
    if (!Number.isSafeInteger(offset)) return []
    const ids = `SELECT id ${rows} OFFSET ?`
    if (column === 'id') return reader.values(ids, ...params, offset)
    const sql = `SELECT ${column} FROM ${table} WHERE ${undeleted} AND id IN (${ids}) ORDER BY ${orderSql(sortedHere(listing.order))}`
    return reader.values(sql, ...params, offset)
  }
}

/** Prevents SQLite from reading in the order of an index. */
function sortedHere(order: SortKey[]): SortKey[] {
  return order.map((key) => ({ ...key, column: `+${key.column}` }))
}
