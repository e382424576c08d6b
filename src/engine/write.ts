import { ApiError, validationError } from '../errors.ts'
import { violates } from '../store/constraint.ts'
import type { SqlValue, Writer } from '../store/reader.ts'
import { columnNames, columnValues, type Field, type Resource, type Row } from './define.ts'
import { keptCount } from './select.ts'
import { type Input, missingReferences } from './validate.ts'

/** How many records a plan allows, by the name of the limit; absent or null: unlimited. */
export type Limits = Readonly<Record<string, number | null>>

/** Writes a new record and its items; answers its id. Throws VALIDATION_ERROR (references), PLAN_LIMIT_EXCEEDED. */
export function insert(resource: Resource, tx: Writer, { values, items }: Input, limits: Limits): string {
  requireReferences(resource, tx, values)
  requireRoom(resource, tx, limits)
  const id = tx.newId()
  const after = { ...values, created_at: tx.now, updated_at: tx.now }
  resource.beforeWrite?.({ tx, id, before: undefined, given: values, after })
  const sql = insertSql(resource.table, 'id', resource.columns)
  unlessTaken(resource, () => tx.run(sql, id, ...columnValues(resource.columns, after)))
  for (const [name, { table, owner, fields }] of Object.entries(resource.collections)) {
    const sql = insertSql(table, `${owner}, id`, fields)
    for (const item of items[name] ?? []) tx.run(sql, id, tx.newId(), ...columnValues(fields, item))
  }
  return id
}

/** Applies a patch; writes nothing where it changes nothing (decision B13). Throws NOT_FOUND, VALIDATION_ERROR. */
export function update(resource: Resource, tx: Writer, id: string, patch: Row): void {
  const before = lookup(resource, tx, id)
  const isNew = ([name, value]: [string, SqlValue]) => before?.[name] !== value
  requireReferences(resource, tx, Object.fromEntries(Object.entries(patch).filter(isNew)))
  if (!before) throw notFound(resource)
  const after = { ...before, ...patch }
  resource.beforeWrite?.({ tx, id, before, given: patch, after })
  const changed = Object.values(resource.fields).filter(({ name }) => after[name] !== before[name])
  if (changed.length === 0) return
  const fields = Object.fromEntries(changed.map((field) => [field.name, field]))
  const set = [...columnNames(fields), 'updated_at'].map((column) => `${column} = ?`).join(', ')
  const sql = `UPDATE ${resource.table} SET ${set} WHERE workspace_id = :workspace AND id = ?`
  unlessTaken(resource, () => tx.run(sql, ...columnValues(fields, after), tx.now, id))
}

/** Marks a record as deleted (spec: rule 2). Throws NOT_FOUND. */
export function remove(resource: Resource, tx: Writer, id: string): void {
  if (resource.beforeRemove) {
    if (!lookup(resource, tx, id)) throw notFound(resource)
    resource.beforeRemove(tx, id)
  }
  const sql = `UPDATE ${resource.table} SET deleted_at = ? WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  if (tx.run(sql, tx.now, id) === 0) throw notFound(resource)
}

export function notFound(resource: Resource): ApiError {
  return new ApiError('NOT_FOUND', `${resource.label} not found`)
}

function lookup(resource: Resource, tx: Writer, id: string): Row | undefined {
  const names = Object.keys(resource.fields).join(', ')
  const sql = `SELECT ${names} FROM ${resource.table} WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  return tx.row<Row>(sql, id)
}

/** Uniqueness is decided by the index. Throws ALREADY_EXISTS. */
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
function requireRoom(resource: Resource, tx: Writer, limits: Limits): void {
  const max = resource.limit === undefined ? null : limits[resource.limit]
  if (max === null || max === undefined) return
  if (keptCount(resource, tx) >= max) {
    throw new ApiError('PLAN_LIMIT_EXCEEDED', `Your plan allows at most ${max} ${resource.path.replace('api-v1-', '')}`)
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
