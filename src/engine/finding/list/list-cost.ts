import type { CursorValue } from '../../../lib/cursor.ts'
import type { Reader } from '../../../store/reader.ts'
import { storedCount, undeleted } from '../../records/select.ts'
import { type Approached, declaredCost } from './approach.ts'
import { isIndexed, type SortKey } from './order.ts'

// Estimates how long a list takes before it runs.

/** If there are fewer records, a list reads all of them. */
export const fewRecords = 2_000
/** The number of rows that an offset skips in negligible time. */
const skippedMax = 2_000
/** The longest time that a list may block the event loop, in microseconds, in the worst case. */
const quickMax = 20_000
/** A list that typically takes longer than this, in microseconds, can be stopped. */
const stoppableMin = 1_000_000
/** The cost of reading one row, in microseconds. */
const rowCost = 0.3
/** The same for a summary, which may read the table instead of an index and then sort. */
const groupedRowCost = 3
/** The cost of adding up a number with many digits, in microseconds. */
const summedCost = 3
/** The cost of comparing the words of a search with the text of an item. */
const itemCost = 3
/** So many bytes are folded in less than 20 ms. */
export const foldedBytesMax = 1_000_000
/** A list reads the rows twice: to count the matches and to select the page. Counting single conditions before takes less. */
const passes = 2

/** The maximum number of records that are summed on the event loop. Each may be a group of its own. */
const summedMax = 500

/** The maximum number of records on a quick page. SQLite copies up to 165 KB of text to compare a record's key, which takes 0.1 ms. */
const shownMax = 200

/** The properties of a list that its cost depends on. */
export interface CostFactors {
  /** The name of the resource. */
  name: string
  table: string
  counted: boolean
  where: Approached[]
  order: SortKey[]
  limit: number
  offset: number
  /** The sort key values of the last record of the previous page. */
  place: CursorValue[] | undefined
}

/** Whether the event loop may run a list, because even the worst case is short. */
export function isQuick(reader: Reader, asked: CostFactors): boolean {
  const { where, order, offset, limit, counted } = asked
  if (limit > shownMax && countUpTo(reader, asked, limit) > shownMax) return false
  const [condition] = where
  const isCounted = where.length === 0 ? isIndexed(order) : where.length === 1 && condition!.tally && order.length === 1
  if (counted && isCounted && offset <= skippedMax) return true
  const records = countUpTo(reader, asked, fewRecords)
  return records < fewRecords && estimate(reader, asked, records) <= quickMax && hasShortTexts(reader, asked)
}

/** Whether the event loop may run a summary. */
export function isQuickSummary(reader: Reader, asked: Pick<CostFactors, 'name' | 'table' | 'where'>): boolean {
  const records = storedCount(asked.name, reader)
  if (records > summedMax || estimate(reader, asked, records) > quickMax) return false
  return hasShortTexts(reader, asked)
}

/** Whether a summary with so many sums may take seconds. */
export function isLongSummary(reader: Reader, asked: Pick<CostFactors, 'name' | 'where'>, sums: number): boolean {
  const eachCost = groupedRowCost + sums * summedCost
  return storedCount(asked.name, reader) * eachCost >= stoppableMin || isLong(reader, asked)
}

/** Whether a list may take seconds. */
export function isLong(reader: Reader, asked: Compared & Pick<CostFactors, 'name'>): boolean {
  const typically = asked.where.map((condition) => (condition.texts ? condition : { ...condition, cost: rowCost }))
  const records = storedCount(asked.name, reader)
  return estimate(reader, { ...asked, where: typically }, records, stoppableMin) >= stoppableMin
}

/** Whether a workspace has so few records of a resource that reading all of them is quick. */
export function hasFewRecords(resource: string, reader: Reader): boolean {
  return storedCount(resource, reader) < fewRecords
}

/** The most expensive condition, for messages. */
export function costliest(where: readonly Approached[]): Approached | undefined {
  const weight = ({ cost, items }: Approached) => cost * (items === undefined ? 1 : 10)
  return where.toSorted((a, b) => weight(b) - weight(a))[0]
}

/** What records are compared with, and by what they are sorted, if they are. */
type Compared = Pick<CostFactors, 'where'> & Partial<Pick<CostFactors, 'order' | 'place'>>

/** The cost of a list in microseconds, exact up to `max`. */
function estimate(reader: Reader, { where, order = [], place }: Compared, records: number, max = quickMax): number {
  const conditions = where.map(({ cost, items, texts }) => {
    const others = texts?.items.map((table) => itemCost * countItems(reader, table, max / itemCost)) ?? []
    return others.reduce((sum, each) => sum + each, cost * (items ? countItems(reader, items, max / cost) : records))
  })
  return passes * conditions.reduce((sum, each) => sum + each, records * (rowCost + sortCost(order, place)))
}

/** The cost of looking up the declared values of a record by which no index sorts: once, and thrice to compare them with those of a place. */
function sortCost(order: readonly SortKey[], place: CursorValue[] | undefined): number {
  const lookedUp = order.filter(({ aside, index }) => aside && index !== order[0]!.index)
  return lookedUp.length * declaredCost * (place ? 4 : 1)
}

/** Whether texts that are folded are short enough for the event loop. */
function hasShortTexts(reader: Reader, { table, where }: Pick<CostFactors, 'table' | 'where'>): boolean {
  const columns = where.flatMap(({ texts }) => texts?.long ?? [])
  return passes * longBytes(reader, table, columns) <= foldedBytesMax
}

/** The size of some columns of the records of a workspace. */
export function longBytes(reader: Reader, table: string, columns: readonly string[]): number {
  if (columns.length === 0) return 0
  const bytes = columns.map((column) => `ifnull(octet_length(${column}), 0)`).join(' + ')
  return reader.value<number>(`SELECT total(${bytes}) FROM ${table} WHERE ${undeleted}`)!
}

function countUpTo(reader: Reader, { name, table, counted }: CostFactors, max: number): number {
  if (counted) return storedCount(name, reader)
  return reader.value<number>(`SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${undeleted} LIMIT ${max})`)!
}

function countItems(reader: Reader, table: string, max: number): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE workspace_id = :workspace LIMIT ?)`
  return reader.value<number>(sql, Math.ceil(max))!
}
