import type { Reader } from '../../../store/reader.ts'
import { sqlName } from '../columns.ts'
import type { Row } from '../definition/change.ts'
import type { Resource } from '../definition/resource.ts'

/** A row of a record: its fields, its unshown columns and its JSON text. */
export type StoredRow = Row & { record: string }

/** The row of an undeleted record. */
export function lookupRow(resource: Resource, tx: Reader, id: string): StoredRow | undefined {
  return selectRow(resource, tx, id, 'deleted_at IS NULL')
}

/** The row of a deleted record. */
export function lookupDeletedRow(resource: Resource, tx: Reader, id: string): StoredRow | undefined {
  return selectRow(resource, tx, id, 'deleted_at IS NOT NULL')
}

function selectRow(resource: Resource, tx: Reader, id: string, condition: string): StoredRow | undefined {
  const sql = `SELECT ${columnsOf(resource)} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ? AND ${condition}`
  return tx.row<StoredRow>(sql, id)
}

function columnsOf({ table, fields, unshown }: Resource): string {
  const names = () => Object.keys({ ...fields, ...unshown }).map(sqlName)
  return remembered(`row of ${table}`, () => [...names(), 'record'].join(', '))
}

const texts = new Map<string, string>()

/** The text of a statement. Building it takes longer than a write. */
export function remembered(name: string, build: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = build()
  texts.set(name, text)
  return text
}
