import { ApiError, validationError } from '../../errors.ts'
import { violates } from '../../store/constraint.ts'
import type { SqlValue, Writer } from '../../store/reader.ts'
import type { Row } from '../definition/change.ts'
import { noAuthor } from '../definition/change.ts'
import { columnNames, columnValues } from '../definition/columns.ts'
import { pluralOf } from '../definition/define.ts'
import type { Collection, Field, Resource } from '../definition/resource.ts'
import { notFound, storedCount } from '../select.ts'
import { type Input, missingReferences } from './validate.ts'

/** A plan's limits on the number of records, by name. Absent or null: unlimited. */
export type Limits = Readonly<Record<string, number | null>>

/** A new record's id, and the members that only this response shows. */
export interface Inserted {
  id: string
  once?: Readonly<Record<string, string>>
}

/** Writes a new record and its items. Throws VALIDATION_ERROR (references), PLAN_LIMIT_EXCEEDED, ALREADY_EXISTS. */
export function insert(
  resource: Resource,
  tx: Writer,
  { values, items }: Input,
  limits: Limits,
  author = noAuthor,
): Inserted {
  requireReferences(resource, tx, values)
  requireCapacity(resource, tx, limits)
  const id = tx.newId()
  const after: Row = { ...values, created_at: tx.now, updated_at: tx.now }
  resource.beforeWrite?.({ tx, id, before: undefined, given: values, after, author })
  if (resource.storage) return { id, once: resource.storage.insert(tx, id, after) }
  const sql = insertSql(resource.table, 'id', resource.stored)
  unlessTaken(resource, () => tx.run(sql, id, ...columnValues(resource.stored, after)))
  for (const [name, collection] of Object.entries(resource.collections)) {
    for (const item of items[name] ?? []) insertItem(collection, tx, id, tx.newId(), item)
  }
  return { id }
}

export function insertItem({ table, owner, fields }: Collection, tx: Writer, ownerId: string, id: string, item: Row) {
  tx.run(insertSql(table, `${owner}, id`, fields), ownerId, id, ...columnValues(fields, item))
}

/**
 * Applies a patch. Writes nothing if nothing changes (decision B13). `allow` runs when the record has been found, and may throw.
 * Throws NOT_FOUND, VALIDATION_ERROR, ALREADY_EXISTS.
 */
export function update(resource: Resource, tx: Writer, id: string, patch: Row, allow?: () => void): void {
  const before = lookup(resource, tx, id)
  const isNew = ([name, value]: [string, SqlValue]) => before?.[name] !== value
  requireReferences(resource, tx, Object.fromEntries(Object.entries(patch).filter(isNew)))
  if (!before) throw notFound(resource)
  allow?.()
  const after = { ...before, ...patch }
  resource.beforeWrite?.({ tx, id, before, given: patch, after, author: noAuthor })
  const changed = Object.values(resource.fields).filter(({ name }) => after[name] !== before[name])
  if (changed.length === 0) return
  const fields = Object.fromEntries(changed.map((field) => [field.name, field]))
  const columns = [...columnNames(fields), 'updated_at']
  const values = [...columnValues(fields, after), tx.now]
  if (resource.storage) {
    resource.storage.update(tx, id, Object.fromEntries(columns.map((column, at) => [column, values[at]!])))
    return
  }
  const set = columns.map((column) => `${column} = ?`).join(', ')
  const sql = `UPDATE ${resource.table} SET ${set} WHERE workspace_id = :workspace AND id = ?`
  unlessTaken(resource, () => tx.run(sql, ...values, id))
}

/** Marks a record as deleted (spec: Deletion). `allow` runs when it has been found, and may throw. Throws NOT_FOUND. */
export function remove(resource: Resource, tx: Writer, id: string, allow?: () => void): void {
  if (!lookup(resource, tx, id)) throw notFound(resource)
  allow?.()
  resource.beforeRemove?.(tx, id)
  tx.run(`UPDATE ${resource.table} SET deleted_at = ? WHERE workspace_id = :workspace AND id = ?`, tx.now, id)
}

function lookup(resource: Resource, tx: Writer, id: string): Row | undefined {
  const names = Object.keys(resource.fields).join(', ')
  const sql = `SELECT ${names} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  return tx.row<Row>(sql, id)
}

/** The index enforces uniqueness. Throws ALREADY_EXISTS. */
function unlessTaken({ table, label, unique }: Resource, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!unique || !violates(error, `${table}.workspace_id, ${table}.${unique}_key`)) throw error
    const message = `${label} with this ${unique} already exists`
    throw new ApiError('ALREADY_EXISTS', message, { details: [{ field: unique, message, code: 'INVALID_VALUE' }] })
  }
}

function requireReferences(resource: Resource, tx: Writer, values: Row): void {
  const details = missingReferences(resource, tx, values)
  if (details.length > 0) throw validationError(details)
}

/** decision A11 */
function requireCapacity(resource: Resource, tx: Writer, limits: Limits): void {
  const max = resource.limit === undefined ? null : limits[resource.limit]
  if (max === null || max === undefined) return
  if (storedCount(resource.name, tx) >= max) {
    const what = max === 1 ? resource.label.toLowerCase() : pluralOf(resource)
    throw new ApiError('PLAN_LIMIT_EXCEEDED', `Your plan allows at most ${max} ${what}`)
  }
}

const insertTexts = new Map<string, string>()

function insertSql(table: string, ids: string, fields: Readonly<Record<string, Field>>): string {
  let sql = insertTexts.get(table)
  if (sql === undefined) {
    const names = columnNames(fields)
    const marks = names.map(() => ', ?').join('')
    const idMarks = ids.replace(/\w+/g, '?')
    sql = `INSERT INTO ${table} (workspace_id, ${ids}, ${names.join(', ')}) VALUES (:workspace, ${idMarks}${marks})`
    insertTexts.set(table, sql)
  }
  return sql
}
