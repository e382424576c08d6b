import { toVCard } from '../../../files/to-vcard.ts'
import { parseExact } from '../../../lib/exact-json.ts'
import type { Reader } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import type { Approached } from '../list/approach.ts'
import { hasFewRecords } from '../list/list-cost.ts'
import { orderSql, type SortKey, sourceInOrder } from '../list/order.ts'
import { conjunction, narrowestOf, paramsOf } from '../list/source.ts'
import type { LongReading } from '../reading.ts'
import type { Column } from './columns.ts'
import { sheetOf } from './csv.ts'
import type { Format } from './formats.ts'

/** A validated export: plain data that any thread can run. */
export interface Exported {
  format: Format
  /** The name of the resource. */
  name: string
  table: string
  where: Approached[]
  order: SortKey[]
  /** A record's JSON text as a SQL expression. */
  json: string
  /** The text with linked records, if one of these queries finds some that references do not name. */
  linked?: { json: string; isUsed: readonly string[] }
  /** Of a CSV file. */
  columns: readonly Column[]
  raw: boolean
  bom: boolean
}

/** In characters. */
const partLengthMin = 2 ** 16

/** The text of an export: every record that matches. The reader must be in a transaction. */
export const exportReading: LongReading<Exported> = {
  name: 'export',
  parts: exportParts,
  advice: 'This export is too long for a sandbox: add a filter',
}

function* exportParts(reader: Reader, asked: Exported): Generator<string> {
  const { linked } = asked
  const hasLinks = linked?.isUsed.some((sql) => reader.value(sql) !== undefined)
  const exported = hasLinks ? { ...asked, json: linked!.json } : asked
  const { head, textOf } = writerOf(exported, reader)
  let part = head
  for (const json of recordsOf(exported, reader)) {
    part += textOf(json)
    if (part.length < partLengthMin) continue
    yield part
    part = ''
  }
  yield part
}

interface FileWriter {
  head: string
  textOf(json: string): string
}

function writerOf({ format, columns, raw, bom }: Exported, reader: Reader): FileWriter {
  if (format === 'ndjson') return { head: '', textOf: (json) => `${json}\n` }
  if (format === 'vcard') return { head: '', textOf: (json) => toVCard(JSON.parse(json)) }
  const used = columns.filter(({ isUsed }) => isUsed === undefined || reader.value(isUsed) !== undefined)
  const { head, lineOf } = sheetOf(used, raw, reader)
  return {
    head: bom ? `\uFEFF${head}` : head,
    textOf: (json) => lineOf(parseExact(json) as Readonly<Record<string, unknown>>),
  }
}

/** The JSON texts of all records, one by one: by the condition that few records match, or in the order of the list. */
function recordsOf({ name, table, where, order, json }: Exported, reader: Reader): Iterable<string> {
  const isSmall = hasFewRecords(name, reader)
  const narrow = isSmall ? undefined : narrowestOf(reader, where)
  const alone = isSmall ? table : narrow && indexed(table, narrow.index)
  const { source, order: by } = alone ? { source: alone, order } : sourceInOrder(table, order)
  const conditions = narrow?.where ?? where
  const sql = `SELECT ${json} FROM ${source} WHERE ${conjunction(conditions, false)} ORDER BY ${orderSql(by)}`
  return reader.each<string>(sql, ...paramsOf(conditions))
}
