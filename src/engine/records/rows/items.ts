import type { Reader } from '../../../store/reader.ts'
import type { Row } from '../definition/change.ts'
import type { Collection } from '../definition/resource.ts'

/** A stored item. */
export type Item = Row & { id: string }

/** The items of a record, the oldest first. */
export function itemsOf({ table, owner, fields }: Collection, reader: Reader, ownerId: string): Item[] {
  const columns = ['id', ...Object.keys(fields)].join(', ')
  const sql = `SELECT ${columns} FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ? ORDER BY id`
  return reader.rows<Item>(sql, ownerId)
}

/** What two items have in common if they are the same address or number. */
export function itemKey({ fields }: Collection, item: Row): string {
  const [field] = Object.values(fields)
  return String(field!.key!.of(String(item[field!.name])))
}
