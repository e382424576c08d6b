import { ConfigError } from '../../config.ts'
import type { Resource } from '../../engine/records/define.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { withExact } from '../../engine/records/rows/validate.ts'
import type { RowError } from '../../features/imports/results.ts'
import { ColumnHints, type Hint } from '../../files/column-hints.ts'
import { distinctNames } from '../../files/column-names.ts'
import { type Duplicate, DuplicateFinder } from '../../files/duplicates.ts'
import { droppedColumns, type Match } from '../../files/match.ts'
import { namedRecord } from '../../files/references.ts'
import type { FileRecord, Shape } from '../../files/shape.ts'
import type { Remark, TableRow } from '../../files/table-rows.ts'
import { type CellFault, isDeleted, type LeftOut, recordMaker } from '../../files/to-record.ts'
import { columnsOf, headerTest, mapColumns, requireMatched } from './columns.ts'
import { cellMaker, dropper } from './record-cells.ts'
import { readRecords } from './records.ts'
import type { Source } from './source.ts'
import { openTable, type Table } from './table.ts'

/** A record of the file: the value to submit, and the cells to write if it fails. */
export interface Row {
  readonly line: number
  readonly record: unknown
  readonly cells: readonly string[]
  /** What is wrong with it before it is a record. */
  readonly faults: readonly RowError[]
  /** Whether it may name related records that have to be looked up. */
  readonly namesOthers: boolean
  /** The names that it has for sure, if its first name is only supposed. */
  readonly sure?: FileRecord | undefined
}

/** A file that has been read once. */
export interface Prepared {
  readonly header: readonly string[]
  /** Paths of records that need not exist. */
  readonly loose: readonly string[]
  readonly found: Found
  /** Reads the rows that are imported, from the beginning of the file. */
  rows(): AsyncGenerator<Row>
}

/** What the first reading found. */
export interface Found {
  /** The program that wrote the file; null: none is recognized. */
  source: string | null
  /** The path of each column that is imported, by its distinct name. */
  columns: Record<string, string>
  rows: number
  /** Rows that are marked as deleted. */
  skipped: number
  duplicates: number
  /** The first duplicates. */
  examples: Duplicate[]
  /** Lines above and below the table, and groups of cards, which are not imported. */
  remarks: Record<'above' | 'below' | 'group', Remarks>
  /** Cells without a value (`n/a`) and telephone numbers that are none, which are left out. */
  left_out: Remarks
  /** The rows whose related record does not exist and need not. */
  unmatched: number
}

/** How many there are, and the first. */
export interface Remarks {
  count: number
  examples: Remark[]
}

interface Preparation {
  resource: Resource
  shape: Shape
  source: Source
  maps: readonly string[]
  /** How numbers and dates of the file are written, if that was said. */
  notation: Hint
  /** What rows are matched with records by. */
  matchOn: string | undefined
  ignoresColumns: boolean
  /** Whether repeated rows are looked for, which takes memory. */
  findsDuplicates: boolean
  notify(text: string): void
}

const examplesMax = 20

/**
 * Reads the complete file once, so that nothing is written of a file that is malformed, or that has columns with data that would be lost
 * (decision K4). Throws ConfigError, OperatorError.
 */
export async function prepare(job: Preparation): Promise<Prepared> {
  const { source, resource } = job
  if (source.format === 'csv' || source.format === 'vcard') {
    return prepareTable(job, await openTable(source, headerTest(job.shape, job.maps)))
  }
  requireNone(job)
  const found = nothing()
  const duplicates = job.findsDuplicates ? new DuplicateFinder(job.matchOn) : undefined
  const given = new Set<string>()
  const columns = new Set(columnsOf(resource))
  const cellsOf = cellMaker(job.shape)
  const droppedIn = dropper(job.shape)
  const dropped = new Set<string>()
  for await (const { line, value, exact } of readRecords(source)) {
    const cells = cellsOf(exact)
    for (const path of cells.keys()) columns.add(path)
    for (const name of droppedIn(value)) dropped.add(name)
    const record = namedRecord(job.shape, value) ?? value
    count(found, duplicates, { line, record, cells: [...cells].sort().flat() })
    if (job.matchOn && isPlainObject(record)) for (const path of pathsIn(record)) given.add(path)
  }
  requireMatched(resource, job.matchOn, [...given])
  reportDropped(job, [...dropped], 'members', () => 'Put them into metadata')
  const header = [...columns]
  const rows = async function* (): AsyncGenerator<Row> {
    for await (const { line, value, exact } of readRecords(source)) {
      const own = namedRecord(job.shape, value)
      const record = isPlainObject(value) ? withExact(resource, own ?? value, value) : value
      const cells = cellsOf(exact)
      const row = header.map((path) => cells.get(path) ?? '')
      yield { line, record, cells: row, faults: [], namesOthers: own !== undefined }
    }
  }
  return { header, loose: [], found, rows }
}

/** The paths of a record's values. */
function pathsIn({ metadata, ...record }: Record<string, unknown>): string[] {
  const keys = isPlainObject(metadata) ? Object.keys(metadata) : []
  return [...Object.keys(record), ...keys.map((key) => `metadata.${key}`)]
}

async function prepareTable(job: Preparation, table: Table): Promise<Prepared> {
  if (job.source.format === 'vcard' && !job.resource.isCard) throw new ConfigError('A vCard file has contacts')
  const { header } = table
  const match = mapColumns(job.shape, header, job.source.format === 'vcard' ? 'vcard' : 'csv', job.maps)
  requireMatched(job.resource, job.matchOn, match.paths)
  const hints = new ColumnHints({ stated: job.notation, decimal: match.decimal })
  const make = recordMaker(job.shape, {
    paths: match.paths,
    isForeign: match.source !== undefined,
    several: match.several,
    hints,
  })
  const names = distinctNames(header)
  const found = { ...nothing(), source: match.source ?? null, columns: columnsIn(names, match) }
  for (const remark of table.above) noteRemark(found.remarks.above, remark)
  const filled = new Set<number>()
  const duplicates = job.findsDuplicates ? new DuplicateFinder(job.matchOn) : undefined
  for await (const row of table.rows((what, remark) => noteRemark(found.remarks[what], remark))) {
    const { cells } = row
    if (isDeleted(cells, match.deleted)) found.skipped++
    else {
      cells.forEach((cell, index) => void (cell.trim() !== '' && filled.add(index)))
      hints.add(cells)
      count(found, duplicates, { ...row, record: duplicates && make(cells).record })
    }
  }
  const dropped = droppedColumns(match, filled).flatMap((index) => names[index] ?? [])
  reportDropped(job, dropped, 'columns', (first) => `Choose a field with --map "${first}=metadata.<key>"`)
  return {
    ...{ header, loose: match.loose, found },
    async *rows() {
      for await (const row of table.rows(() => {})) {
        if (isDeleted(row.cells, match.deleted)) continue
        const { record, faults, left, sure } = make(row.cells)
        for (const each of left) noteRemark(found.left_out, { line: row.line, text: leftText(each) })
        yield {
          ...row,
          ...{ record, sure },
          faults: row.fault === undefined ? faults.map(faultOf) : [{ error: row.fault }],
          namesOthers: true,
        }
      }
    },
  }
}

/** Options that say what the text of a cell means. */
const settling: Readonly<Record<keyof Hint, string>> = { decimal: '--decimal', order: '--date-order' }

function faultOf({ field, error, lacks }: CellFault): RowError {
  return { field, error: lacks ? `${error}, or say with ${settling[lacks]} how the file writes them` : error }
}

/** Throws ConfigError for options about columns. */
function requireNone({ maps, notation }: Preparation): void {
  const { decimal, order } = notation
  const given = [maps.length > 0 && '--map', decimal && settling.decimal, order && settling.order].find(Boolean)
  if (given) throw new ConfigError(`${given} is for files with columns: CSV and vCard`)
}

function leftText({ text, reason }: LeftOut): string {
  return reason === undefined ? text : `${text}: ${reason}`
}

export function noteRemark(remarks: Remarks, remark: Remark): void {
  remarks.count++
  if (remarks.examples.length < examplesMax) remarks.examples.push(remark)
}

/** Throws ConfigError if columns or members with data would be lost. `advice`: what else to do with them. */
function reportDropped(
  { ignoresColumns, notify }: Preparation,
  names: readonly string[],
  what: 'columns' | 'members',
  advice: (first: string) => string,
): void {
  const [first] = names
  if (first === undefined) return
  if (!ignoresColumns) {
    throw new ConfigError(
      `These ${what} have data that would not be imported: ${names.join(', ')}. ${advice(first)}, or leave them out with --ignore-columns. Nothing was imported`,
    )
  }
  notify(`${what === 'columns' ? 'Columns' : 'Members'} that are not imported: ${names.join(', ')}`)
}

function nothing(): Found {
  const none = (): Remarks => ({ count: 0, examples: [] })
  return {
    ...{ source: null, columns: {}, rows: 0, skipped: 0, duplicates: 0, examples: [] },
    ...{ remarks: { above: none(), below: none(), group: none() }, left_out: none(), unmatched: 0 },
  }
}

function columnsIn(names: readonly string[], { paths }: Match): Record<string, string> {
  return Object.fromEntries(names.flatMap((name, index) => (paths[index] ? [[name, paths[index]]] : [])))
}

function count(
  found: Found,
  duplicates: DuplicateFinder | undefined,
  { line, record, cells }: TableRow & { record: unknown },
): void {
  found.rows++
  const duplicate = duplicates?.add(line, cells, isPlainObject(record) ? record : {})
  if (!duplicate) return
  found.duplicates++
  if (found.examples.length < examplesMax) found.examples.push(duplicate)
}
