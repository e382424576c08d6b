import type { CursorValue } from '../../../lib/cursor.ts'
import type { Reader } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import type { Approached } from '../list/approach.ts'
import { hasFewRecords, isLongSummary, isQuickSummary } from '../list/list-cost.ts'
import { rowsAfter } from '../list/order.ts'
import { narrowing } from '../list/page-reading.ts'
import { conjunction, narrowestOf, paramsOf } from '../list/source.ts'
import type { Reading } from '../reading.ts'
import { type Converting, convert, type Unconverted } from './convert.ts'
import { orderedValues, withValues } from './declared-values.ts'
import type { GroupKey } from './groups.ts'
import type { Measure } from './measures.ts'
import { amountsOf, asNumber, type Sums, sumColumns } from './sums.ts'

/** A validated summary: plain data that any thread can run. */
export interface Summing {
  /** The name of the resource. */
  name: string
  table: string
  where: Approached[]
  keys: GroupKey[]
  /** Those that are added up in one currency come last. */
  measures: Measure[]
  /** How they are, if there are any. */
  converting?: Converting
  limit: number
  /** The values of the last group of the previous page. */
  place: CursorValue[] | undefined
  /** Whether it may take long and must be stoppable: it then calls `alive()` for each row. */
  stoppable: boolean
}

export interface Group {
  /** The values of all columns of its keys. */
  values: CursorValue[]
  count: number
  /** In the order of the measures; null: a sum beyond the range of a double, or the median of no value. */
  sums: (number | null)[]
  /** Of a summary that converts amounts. */
  unconverted?: Unconverted[]
}

/** The groups of a summary. */
export const sumReading: Reading<Summing, Group[]> = {
  name: 'summary',
  isQuick: (reader, summing) => storedGroups(summing) !== undefined || isQuickSummary(reader, summing),
  advice: ({ where }) => narrowing(where) ?? 'add a filter that few records match',
  run: (reader, summing, proceed) =>
    findGroups(reader, {
      ...summing,
      stoppable: proceed !== undefined && isLongSummary(reader, summing, summing.measures.length),
    }),
}

type GroupRow = Record<`key${number}`, CursorValue> & Sums & { count: number }

/** The groups of a page in the order of their values, and one more if another page follows. */
function findGroups(reader: Reader, summing: Summing): Group[] {
  const tally = storedGroups(summing)
  if (tally !== undefined) return tallied(reader, summing, tally)
  const { keys, place, limit, converting } = summing
  const measures = summing.measures.filter(({ converted }) => !converted)
  const columns = keys.flatMap((key) => key.columns)
  const after = place?.length ? [rowsAfter(columns.map(ascending), place)] : []
  const { from, where, params } = sourceOf(reader, summing)
  const order = columns.map((_, at) => `key${at}`).join(', ')
  const grouped = order && `GROUP BY ${order} ORDER BY ${order}`
  const selected = [
    ...columns.map((column, at) => `${column} AS key${at}`),
    'count(*) AS count',
    ...sumColumns(reader, measures),
  ]
  const sql = `SELECT ${selected.join(', ')} FROM ${from}
    WHERE ${[where, ...after.map((each) => each.sql)].join(' AND ')} ${grouped} LIMIT ?`
  const rows = reader.rows<GroupRow>(sql, ...params, ...paramsOf(after), limit + 1)
  const groups = rows.map((row) => ({
    values: columns.map((_, at) => row[`key${at}`]!),
    count: row.count,
    sums: amountsOf(measures, row).map(asNumber),
  }))
  if (!converting) return groups
  const source = {
    from,
    where: [where, ...after.map((each) => each.sql)].join(' AND '),
    params: [...params, ...paramsOf(after)],
  }
  const conversions = convert(reader, {
    ...{ columns, source, converting, limit: groups.length },
    measures: summing.measures.filter(({ converted }) => converted),
  })
  return groups.map((group, at) => {
    const { sums, unconverted } = conversions[at]!
    return { ...group, sums: [...group.sums, ...sums], unconverted }
  })
}

/** The tallied field whose stored counts are the groups; undefined: records have to be read. */
function storedGroups({ keys, measures, where }: Summing): string | undefined {
  const isStored = keys.length === 1 && measures.length === 0 && where.length === 0
  return isStored ? keys[0]!.tally : undefined
}

function tallied(reader: Reader, { name, place, limit }: Summing, field: string): Group[] {
  const after = place?.length ? ['value > ?'] : []
  const sql = `SELECT value, records FROM value_count
    WHERE ${['workspace_id = :workspace AND resource = ? AND field = ? AND records > 0', ...after].join(' AND ')}
    ORDER BY value LIMIT ?`
  const rows = reader.rows<{ value: CursorValue; records: number }>(sql, name, field, ...(place ?? []), limit + 1)
  return rows.map(({ value, records }) => ({ values: [value], count: records, sums: [] }))
}

/** What the groups are made of. If one declared field is all that is asked for, its index has every record in the order of the groups. */
function sourceOf(reader: Reader, { name, table, where, keys, measures, stoppable }: Summing) {
  const used = [...keys, ...measures].map(({ declared }) => declared)
  const [number] = used
  const several = new Set(keys.flatMap(({ declared, several }) => (several ? declared! : [])))
  if (number !== undefined && where.length === 0 && several.size === 0 && used.every((each) => each === number)) {
    return { from: orderedValues(number), where: stoppable ? 'alive()' : 'TRUE', params: [] }
  }
  const narrow = hasFewRecords(name, reader) ? undefined : narrowestOf(reader, where)
  const conditions = narrow?.where ?? where
  const from = narrow ? indexed(table, narrow.index) : table
  const numbers = used.filter((each) => each !== undefined)
  return {
    from: withValues(from, numbers, several),
    where: conjunction(conditions, stoppable),
    params: paramsOf(conditions),
  }
}

function ascending(column: string) {
  return { column, index: '', descending: false, nullable: true }
}
