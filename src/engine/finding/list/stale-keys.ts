import type { Reader } from '../../../store/reader.ts'
import { columnNames, columnValues } from '../../records/columns.ts'
import type { Row } from '../../records/definition/change.ts'
import type { Field, Resource } from '../../records/definition/resource.ts'
import type { Searched } from './search.ts'

const rowsAtOnce = 1_000

/** A table and some of its fields. */
interface Keyed {
  table: string
  /** The columns that identify a row within a workspace, in order. */
  ids: readonly string[]
  fields: readonly Field[]
}

/** Finds rows whose key columns (folded text, ranks) do not match their fields, which would break filters and sorting. One sentence each. */
export function* findStaleKeys(resource: Resource, reader: Reader): Generator<string> {
  const { table, columns, collections } = resource
  yield* staleRows({ table, ids: ['id'], fields: keyedOf(columns) }, reader)
  for (const { table, owner, fields } of Object.values(collections)) {
    yield* staleRows({ table, ids: [owner, 'id'], fields: keyedOf(fields) }, reader)
  }
}

function keyedOf(fields: Readonly<Record<string, Field>>): Field[] {
  return Object.values(fields).filter(({ keyed }) => keyed)
}

function* staleRows({ table, ids, fields }: Keyed, reader: Reader): Generator<string> {
  const columns = columnNames(fields)
  if (columns.length === 0) return
  const names = columns.map((column) => column.replaceAll('"', '')) // of the members of a row
  const place = ids.join(', ')
  const sql = `SELECT ${place}, ${columns.join(', ')} FROM ${table}
    WHERE workspace_id = :workspace AND (${place}) > (${ids.map(() => '?').join(', ')}) ORDER BY ${place} LIMIT ${rowsAtOnce}`
  let last = ids.map(() => '')
  for (;;) {
    const rows = reader.rows<Row>(sql, ...last)
    for (const row of rows) {
      const values = columnValues(fields, row)
      const stale = names.filter((name, at) => row[name] !== values[at])
      if (stale.length > 0) yield `${table} ${row.id} has a wrong ${stale.join(', ')}`
      for (const name of unknownIn(row, fields)) yield `${table} ${row.id} has a ${name} that does not exist`
    }
    if (rows.length < rowsAtOnce) return
    last = ids.map((id) => String(rows.at(-1)![id]))
  }
}

/** The choices whose values the table does not check, if they have another one than their options. */
function unknownIn(row: Row, fields: Keyed['fields']): string[] {
  const growing = fields.filter(({ grows }) => grows)
  return growing.filter(({ name, options }) => !options!.includes(String(row[name]))).map(({ name }) => name)
}

/** The ids that the search index holds: see `enteredSql`. */
const entered = 'entered'

/** Creates that table for `countUnsearched`, because the index cannot look up a single id. */
export const enteredSql = `CREATE TEMP TABLE ${entered} (id TEXT PRIMARY KEY) WITHOUT ROWID;
  INSERT OR IGNORE INTO temp.${entered} SELECT id FROM search`

/** Counts the records of a workspace that a search misses: neither indexed nor pending. */
export function countUnsearched({ name, table, texts }: Searched, reader: Reader): number {
  if (texts.length === 0) return 0
  const hasText = texts.map(({ sql }) => `length(${sql}) >= 3`).join(' OR ')
  const sql = `SELECT count(*) FROM ${table} WHERE workspace_id = :workspace AND deleted_at IS NULL AND (${hasText})
    AND NOT EXISTS (SELECT 1 FROM temp.${entered} WHERE ${entered}.id = ${table}.id)
    AND NOT EXISTS (SELECT 1 FROM search_pending
      WHERE search_pending.workspace_id = :workspace AND resource = ? AND search_pending.id = ${table}.id)`
  return reader.value<number>(sql, name)!
}
