import type { Reader } from '../../../store/reader.ts'
import { sqlName } from '../columns.ts'
import type { Row } from '../definition/change.ts'
import { perResource } from '../definition/per-resource.ts'
import type { Resource } from '../definition/resource.ts'
import { storedJson } from '../select.ts'

/** A row of a record: its fields, its unshown columns and its JSON text. */
export type StoredRow = Row & { record: string }

/** The row of an undeleted record. */
export function lookupRow(resource: Resource, tx: Reader, id: string): StoredRow | undefined {
  return tx.row<StoredRow>(`${rowSql(resource)} AND deleted_at IS NULL`, id)
}

/** The row of a deleted record. */
export function lookupDeletedRow(resource: Resource, tx: Reader, id: string): StoredRow | undefined {
  return tx.row<StoredRow>(`${rowSql(resource)} AND deleted_at IS NOT NULL`, id)
}

/** The row of a record, deleted or not. */
export function lookupAnyRow(resource: Resource, tx: Reader, id: string): StoredRow | undefined {
  return tx.row<StoredRow>(rowSql(resource), id)
}

const rowSql = perResource((resource) => {
  const { table, fields, unshown } = resource
  const columns = [...Object.keys({ ...fields, ...unshown }).map(sqlName), `${storedJson(resource)} AS record`]
  return `SELECT ${columns.join(', ')} FROM ${table} WHERE workspace_id = :workspace AND id = ?`
})

const texts = new Map<string, string>()

/** The text of a statement. Building it takes longer than a write. */
export function remembered(name: string, build: () => string): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = build()
  texts.set(name, text)
  return text
}
