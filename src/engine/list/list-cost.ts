import type { Reader } from '../../store/reader.ts'
import { keptCount, undeleted } from '../select.ts'
import type { Approached } from './approach.ts'
import type { SortKey } from './order.ts'

// Estimates how long a list takes before it runs.

/** With fewer records, a list reads all of them. */
export const fewRecords = 2_000
/** The number of rows that an offset skips in negligible time. */
const skippedMax = 2_000
/** The longest time that a list may block the event loop, in microseconds, in the worst case. */
const quickMax = 20_000
/** A list that typically takes longer than this, in microseconds, can be stopped. */
const stoppableMin = 1_000_000
/** The cost of reading one row, in microseconds. */
const rowCost = 0.3
/** A list counts what matches, and selects its page. */
const passes = 2

/** A record may hold 165 KB of text, which SQLite copies to compare its key: 0.1 ms. */
const shownMax = 200

/** The parts of a list that its cost depends on. */
export interface Asked {
  /** Of the resource. */
  name: string
  table: string
  counted: boolean
  where: Approached[]
  order: SortKey[]
  limit: number
  offset: number
}

/** Whether the event loop may run a list, because even the worst case is short. */
export function isQuick(reader: Reader, asked: Asked): boolean {
  const { where, order, offset, limit, counted } = asked
  if (limit > shownMax && countUpTo(reader, asked, limit) > shownMax) return false
  if (counted && where.length === 0 && order.length <= 2 && offset <= skippedMax) return true
  const records = countUpTo(reader, asked, fewRecords)
  return records < fewRecords && estimate(reader, where, records) <= quickMax
}

/** Whether a list may take seconds. */
export function isLong(reader: Reader, { name, where }: Asked): boolean {
  const typically = where.map((condition) => ({ ...condition, cost: rowCost }))
  return estimate(reader, typically, keptCount(name, reader), stoppableMin) >= stoppableMin
}

/** Whether a workspace has so few records of a resource that reading all of them is quick. */
export function hasFew(resource: string, reader: Reader): boolean {
  return keptCount(resource, reader) < fewRecords
}

/** The most expensive condition, for messages. */
export function costliest(where: readonly Approached[]): Approached | undefined {
  const weight = ({ cost, items }: Approached) => cost * (items === undefined ? 1 : 10)
  return where.toSorted((a, b) => weight(b) - weight(a))[0]
}

/** In microseconds, precise up to `max`. */
function estimate(reader: Reader, where: readonly Approached[], records: number, max = quickMax): number {
  const conditions = where.map(({ cost, items }) => cost * (items ? countItems(reader, items, max / cost) : records))
  return passes * conditions.reduce((sum, each) => sum + each, records * rowCost)
}

function countUpTo(reader: Reader, { name, table, counted }: Asked, max: number): number {
  if (counted) return keptCount(name, reader)
  return reader.value<number>(`SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${undeleted} LIMIT ${max})`)!
}

function countItems(reader: Reader, table: string, max: number): number {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE workspace_id = :workspace LIMIT ?)`
  return reader.value<number>(sql, Math.ceil(max))!
}
