import type { Reader, SqlValue } from '../../../store/reader.ts'
import type { Row } from '../definition/change.ts'
import type { Collection, Field } from '../definition/resource.ts'
import { phoneFormsOf, phoneMarksOf } from '../phones/phone-forms.ts'

/** A stored item. */
export type Item = Row & { id: string }

/** The items of a record, the oldest first. */
export function itemsOf({ table, owner, fields }: Collection, reader: Reader, ownerId: string): Item[] {
  const columns = ['id', ...Object.keys(fields)].join(', ')
  const sql = `SELECT ${columns} FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ? ORDER BY id`
  return reader.rows<Item>(sql, ownerId)
}

/** What two items share if they are the same address or number. */
export function itemMarks({ fields }: Collection, reader: Reader, item: Row): readonly SqlValue[] {
  const [field] = Object.values(fields)
  return marksOfValue(field!, reader, item[field!.name])
}

/** What two values of a field share if they are the same. */
export function marksOfValue({ key, keyed }: Field, reader: Reader, value: unknown): readonly SqlValue[] {
  if (!keyed) return [value as SqlValue]
  const own = key!.of(String(value))
  return key!.isPhone ? phoneMarksOf(reader)(String(own)) : [own]
}

/** The keys with which a value may be stored that is the same. */
export function keysOfValue({ key, keyed }: Field, reader: Reader, value: unknown): readonly SqlValue[] {
  if (!keyed) return [value as SqlValue]
  const own = key!.of(String(value))
  return key!.isPhone ? phoneFormsOf(reader)(String(own)) : [own]
}

/** Whether an item is as in a response. */
export function isSameItem(
  { fields }: Collection,
  item: Row,
  shown: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const stored = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)
  return shown !== undefined && Object.keys(fields).every((name) => item[name] === stored(shown[name]))
}
