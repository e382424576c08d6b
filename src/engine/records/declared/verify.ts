import type { Reader } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import { countWrongRanks } from './chosen.ts'
import { type Declared, declaredOf } from './declared.ts'
import { hasSeveral } from './types.ts'
import { indexedIn } from './values.ts'

const rowsAtOnce = 1_000

interface Row {
  id: string
  metadata: string
  field: number | null
  key: string | number | null
  text: string | null
}

/** Finds values of declared fields that do not match the metadata, which would break filters and sorting. One sentence each. */
export function* findStaleValues(resource: Resource, reader: Reader): Generator<string> {
  for (const declared of declaredOf(resource, reader).filter(({ isComplete }) => isComplete)) {
    const { table } = resource
    yield* staleRows(resource, declared, reader)
    const wrong = hasSeveral(declared.type) ? countWrongRanks(reader, declared.number) : 0
    if (wrong > 0) yield `metadata.${declared.key} of ${table} has ${wrong} wrong options`
    const sql = `SELECT count(*) FROM field_value WHERE workspace_id = :workspace AND field = ? AND NOT EXISTS (SELECT 1 FROM ${table}
      WHERE ${table}.workspace_id = :workspace AND ${table}.id = record_id AND deleted_at IS NULL)`
    const astray = reader.value<number>(sql, declared.number)!
    if (astray > 0) yield `metadata.${declared.key} of ${table} has ${astray} values of records that are not there`
  }
}

function* staleRows({ table }: Resource, declared: Declared, reader: Reader): Generator<string> {
  const sql = `SELECT id, metadata, field, key, text FROM ${table} LEFT JOIN field_value
      ON field_value.workspace_id = :workspace AND field = ? AND record_id = ${table}.id
    WHERE ${table}.workspace_id = :workspace AND deleted_at IS NULL AND id > ? ORDER BY id LIMIT ${rowsAtOnce}`
  for (let last = ''; ; ) {
    const rows = reader.rows<Row>(sql, declared.number, last)
    for (const { id, metadata, field, key, text } of rows) {
      const wanted = indexedIn(reader, JSON.parse(metadata), declared)
      if (field === null || key !== wanted.key || text !== wanted.text) {
        yield `${table} ${id} has a wrong value of metadata.${declared.key}`
      }
    }
    if (rows.length < rowsAtOnce) return
    last = rows.at(-1)!.id
  }
}
