import type { Reader, SqlValue } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import { primaryIndexOf } from '../../records/columns.ts'
import type { Condition } from '../../records/definition/filter.ts'
import { storedCount, talliedCount, undeleted } from '../../records/select.ts'
import { type Approached, reach } from './approach.ts'

/** Up to this many rows, reading and sorting all is faster than searching in the list's order. */
export const gatheredMax = 5_000
/** The same for the words of a search, which take long to compare with every record. */
const searchedMax = 100_000
/** If no condition leads to few rows, so many are counted to find the one to read by. */
const countedMax = 4
/** Rough costs in microseconds: of a record when the table is read, in the order of the table, or in another, and of comparing an entry of an index. */
const tableCost = 0.5
const inOrderCost = 1.5
const atRandomCost = 5
const comparedCost = 0.15

/** The records of a table that meet all conditions. */
export interface Selection {
  /** The name of the resource. */
  name: string
  table: string
  where: Approached[]
  /** Whether it may take long and must be stoppable: it then calls `alive()` for each row. */
  stoppable: boolean
}

interface Narrowest {
  where: Condition[]
  index: string
  /** The maximum number of rows that the first condition leaves; exact for a condition on a field of the resource itself. */
  rows: number
}

/** The source with the condition that leaves the fewest rows; undefined if each leaves too many to gather. */
export function narrowestOf(reader: Reader, where: Approached[]): Narrowest | undefined {
  return narrowestBy(reader, where, false) ?? narrowestBy(reader, where, true)
}

function narrowestBy(reader: Reader, where: Approached[], closely: boolean): Narrowest | undefined {
  let narrowest: Narrowest | undefined
  for (const each of where) {
    const rowsMax = narrowest?.rows ?? (each.texts ? searchedMax : gatheredMax) + 1
    const reached = reach(each, reader, rowsMax, closely)
    if (!reached) continue
    const { rows, condition, index } = reached
    narrowest = { rows, where: [condition, ...where.filter((other) => other !== each)], index }
  }
  return narrowest
}

/** Where rows are read, and the conditions that they are compared with. */
export interface Source {
  from: string
  where: Condition[]
}

/** The condition to read by if none leads to few rows: the one that takes the least time, by estimate. */
export function broadFirst(reader: Reader, selection: Selection): Approached {
  const { where, name, table } = selection
  const candidates = where.filter(({ isOwn, narrow, parts }) => isOwn && (narrow || parts))
  const own = candidates.toSorted((a, b) => Number(!a.narrow) - Number(!b.narrow)).slice(0, countedMax) // patterns last
  let first = where.find(({ isOwn, narrow }) => narrow && !isOwn) // reads the table
  if (!first && own.length < 2) return own[0] ?? where[0]!
  const records = storedCount(name, reader)
  let least = first ? records * tableCost : Number.POSITIVE_INFINITY
  for (const each of own) {
    const compared = each.narrow ? 0 : records * comparedCost
    if (2 * compared >= least) break // it would be compared to be counted, and once more
    const isInOrder = each.equality || each.index === primaryIndexOf(table)
    const cost = compared + countAlone(reader, selection, each) * (isInOrder ? inOrderCost : atRandomCost)
    if (cost < least) [first, least] = [each, cost]
  }
  return first!
}

/**
 * Compares a pattern, or the only condition, with the entries of its index, and reads the records of those that match. With the index
 * alone, SQLite would read the record of every entry first, because a table without rowids has no deferred seeks.
 */
export function sourceBy({ table, where, stoppable }: Selection, first: Approached): Source {
  const entries = indexed(table, first.index)
  const isCompared = first.isOwn && !first.narrow && (first.parts || where.length === 1)
  if (!isCompared || first.index === primaryIndexOf(table)) return { from: entries, where }
  const from = `(SELECT id AS found FROM ${entries} WHERE ${conjunction([first], stoppable)}) CROSS JOIN ${byId(table)}`
  const isFound = { sql: 'id = found', params: first.params } // the parameters of `from`
  return { from, where: [isFound, ...where.filter((other) => other !== first)] }
}

/** A table whose rows a join looks up by id. SQLite may otherwise choose a range of ids, and reads it for each row. */
export function byId(table: string): string {
  return indexed(table, primaryIndexOf(table))
}

export function count(reader: Reader, { stoppable }: Selection, { from, where }: Source): number {
  const sql = `SELECT count(*) FROM ${from} WHERE ${conjunction(where, stoppable)}`
  return reader.value<number>(sql, ...paramsOf(where))!
}

/** Counts the rows of one condition. */
export function countAlone(reader: Reader, selection: Selection, each: Approached): number {
  const { index, narrow, tally } = each
  if (tally) return talliedCount(tally, reader)
  if (!narrow?.exact) return count(reader, selection, { from: indexed(selection.table, index), where: [each] })
  const { sql, params } = narrow.candidates
  return reader.value<number>(`SELECT count(*) FROM (${sql})`, ...params)!
}

export function conjunction(where: Condition[], stoppable: boolean): string {
  return [undeleted, ...(stoppable ? ['alive()'] : []), ...where.map(({ sql }) => sql)].join(' AND ')
}

export function anyOf(conditions: Condition[]): Condition {
  const sql = conditions.map((each) => `(${each.sql})`).join(' OR ')
  return { sql: `(${sql || '0'})`, params: paramsOf(conditions) }
}

export function paramsOf(conditions: Condition[]): SqlValue[] {
  return conditions.flatMap(({ params }) => params)
}
