import { withoutCase } from '../../lib/text.ts'
import type { SqlValue } from '../../store/reader.ts'
import { indexed } from '../../store/visibility.ts'
import type { Row } from './definition/change.ts'
import type { Field, Resource } from './definition/resource.ts'
import { creationFilter } from './kinds/filters.ts'

/** Whether a field is the time of creation, which is the order of ids. `updated_at` is, too, if records never change. */
export function isCreation({ filter }: Field): boolean {
  return filter === creationFilter
}

/** The name of the index by which lists find and sort a field's rows. */
export function indexOf({ table }: Resource, field: Field | undefined): string {
  return field && field.name !== 'id' && !isCreation(field) ? `${table}_${field.name}` : primaryIndexOf(table)
}

/** A table by the index of a reference, for FROM. SQLite does not choose an index by itself that lacks a column of the statement. */
export function byReference(resource: Resource, name: string): string {
  const { table, fields, counted, filters } = resource
  return counted && filters.includes(name) ? indexed(table, indexOf(resource, fields[name])) : table
}

/** The index that is the table itself, in the order of its ids. */
export function primaryIndexOf(table: string): string {
  return `sqlite_autoindex_${table}_1`
}

/** Whether lists compare the folded text of a field. Equal keys are then ordered by the text itself (decision C9). */
export function isText({ keyed, key }: Field): boolean {
  return keyed && key!.sqlType === 'TEXT'
}

/** The columns of a table that hold these fields. */
export function columnNames(fields: readonly Field[]): string[] {
  const names: string[] = []
  for (const { name, keyed, keyColumn, uniqueColumn } of fields) {
    names.push(sqlName(name))
    if (keyed) names.push(keyColumn)
    if (uniqueColumn) names.push(uniqueColumn)
  }
  return names
}

/** The names of fields that SQL reserves. */
const reserved = new Set(['unique', 'from', 'to'])

/** The name of a field's column in SQL. */
export function sqlName(name: string): string {
  return reserved.has(name) ? `"${name}"` : name
}

/** The values that a row stores in those columns, in the same order. */
export function columnValues(fields: readonly Field[], row: Row): SqlValue[] {
  const values: SqlValue[] = []
  for (const { name, keyed, key, uniqueColumn } of fields) {
    const stored = row[name] ?? null
    values.push(stored)
    if (keyed) values.push(stored === null ? null : key!.of(String(stored)))
    if (uniqueColumn) values.push(stored === null ? null : withoutCase(String(stored)))
  }
  return values
}
