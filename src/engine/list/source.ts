import type { Reader, SqlValue } from '../../store/reader.ts'
import { talliedCount, undeleted } from '../select.ts'
import { type Approached, reach } from './approach.ts'
import type { Condition } from './filters.ts'
import { indexed } from './order.ts'

/** Up to this many rows, reading and sorting all is faster than searching in the list's order. */
export const gatheredMax = 5_000
/** The same for the words of a search, which take long to compare with every record. */
const searchedMax = 100_000
/** If each condition matches more rows, so many are counted to find the one that matches the fewest. */
const countedMax = 4

/** The records of a table that meet all conditions. */
export interface Selection {
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
  let narrowest: Narrowest | undefined
  for (const each of where) {
    const reached = reach(each, reader, narrowest?.rows ?? (each.texts ? searchedMax : gatheredMax) + 1)
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

/**
 * The condition to read by if each matches many rows: an equality, because its rows are in the order of the table, or else, of the first
 * few that an index can count, the one that matches the fewest.
 */
export function broadFirst(reader: Reader, selection: Selection): Approached {
  const { where } = selection
  const equal = where.find(({ equality, narrow }) => equality && narrow)
  if (equal) return equal
  const countable = where.filter(({ narrow, parts, isIndexed }) => narrow || (parts && isIndexed)).slice(0, countedMax)
  if (countable.length < 2) return countable[0] ?? where[0]!
  const counts = countable.map((each) => countAlone(reader, selection, each))
  return countable[counts.indexOf(Math.min(...counts))]!
}

/**
 * Compares a condition with the entries of its index, and reads the records of those that match. With the index alone, SQLite would read
 * the record of every entry first, because a table without rowids has no deferred seeks.
 */
export function sourceBy({ table, where, stoppable }: Selection, first: Approached): Source {
  const entries = indexed(table, first.index)
  if (!first.isIndexed || first.narrow) return { from: entries, where }
  const from = `(SELECT id AS found FROM ${entries} WHERE ${conjunction([first], stoppable)}) CROSS JOIN ${table}`
  const isFound = { sql: 'id = found', params: first.params } // the parameters of `from`
  return { from, where: [isFound, ...where.filter((other) => other !== first)] }
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
