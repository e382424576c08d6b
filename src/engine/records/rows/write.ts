import { ApiError, validationError } from '../../../errors.ts'
import { nounsOf } from '../../../lib/plural.ts'
import { withoutCase } from '../../../lib/text.ts'
import { violates } from '../../../store/constraint.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { type Claims, claimOf } from '../declared/claims.ts'
import { uniqueColumnOf } from '../define.ts'
import type { Items, Row } from '../definition/change.ts'
import { perResource } from '../definition/per-resource.ts'
import type { Resource } from '../definition/resource.ts'
import { notFound, storedCount } from '../select.ts'
import { listParts } from './list-parts.ts'
import { requireEntry } from './requirements.ts'
import type { Cause } from './row-facts.ts'
import { deleteRow, insertRow, updateRow } from './rows.ts'
import { lookupRow } from './stored-row.ts'
import { type Input, missingReferences } from './validate.ts'

/** A plan's limits on the number of records, by name. Absent or null: unlimited. */
export type Limits = Readonly<Record<string, number | null>>

/** A new record's id, and the members that only this response shows. */
interface Inserted {
  id: string
  once?: Readonly<Record<string, string>>
}

/** What a record brings from where it was created before: its id, and fields that the service sets. */
interface Brought {
  id?: string | undefined
  values?: Row
}

const nothingBrought: Brought = {}

/** Writes a new record and its items. One that was somewhere else before may be where it could not enter now. Throws VALIDATION_ERROR (references), PLAN_LIMIT_EXCEEDED, ALREADY_EXISTS. */
export function insert(
  resource: Resource,
  tx: Writer,
  { values, items }: Input,
  limits: Limits,
  brought: Brought = nothingBrought,
): Inserted {
  requireReferences(resource, tx, values)
  requireCapacity(resource, tx, limits)
  const id = brought.id ?? tx.newId()
  const after: Row = { ...ownDefaults(resource), ...values, created_at: tx.now, updated_at: tx.now, ...brought.values }
  resource.beforeWrite?.({ tx, id, before: undefined, given: values, after })
  Object.assign(after, brought.values)
  if (brought === nothingBrought) requireEntry(resource, tx, { id, before: undefined, after, items })
  requireRoom(resource, tx, after)
  if (resource.storage) return { id, once: resource.storage.insert(tx, id, after) }
  unlessTaken(resource, () => insertRow(resource, tx, id, after, items))
  const once = resource.afterInsert?.(tx, id)
  return { id, ...(once && { once }) }
}

/** The defaults of the fields that no body sets. */
const ownDefaults = perResource<Row>(({ fields }) =>
  Object.fromEntries(
    Object.values(fields).flatMap(({ name, readonly, default: fallback }) =>
      readonly && fallback !== undefined ? [[name, fallback]] : [],
    ),
  ),
)

/**
 * Applies a patch, and replaces the given items. Writes nothing, and returns false, if nothing changes (decision B13). `allow` runs when the record has been
 * found, and may throw.
 * Throws NOT_FOUND, VALIDATION_ERROR, ALREADY_EXISTS.
 */
export function update(
  resource: Resource,
  tx: Writer,
  id: string,
  patch: Row,
  allow?: () => void,
  items: Items = {},
): boolean {
  const before = lookupRow(resource, tx, id)
  requireReferences(resource, tx, patch, before)
  if (!before) throw notFound(resource)
  allow?.()
  const change = { tx, id, before, given: patch, after: { ...before, ...patch }, items }
  resource.beforeWrite?.(change)
  requireEntry(resource, tx, change)
  return unlessTaken(resource, () => updateRow(resource, change))
}

/**
 * Changes fields of another record: an effect of a rule. The values are as stored; an undo leaves those of `derived` to the rule. Throws NOT_FOUND, VALIDATION_ERROR (references), ALREADY_EXISTS,
 * and an error of the program if the resource has no such field or the field is never null.
 */
export function changeRow(
  resource: Resource,
  tx: Writer,
  id: string,
  changes: Row,
  derived: readonly string[] = [],
): void {
  for (const [name, value] of Object.entries(changes)) {
    const field = resource.stored[name]
    if (!field) throw new Error(`${resource.name} has no field ${name}`)
    if (value === null && !field.nullable) throw new Error(`${name} of ${resource.name} is never null`)
  }
  const before = lookupRow(resource, tx, id)
  if (!before) throw notFound(resource)
  requireReferences(resource, tx, changes)
  const change = { tx, id, before, given: changes, after: { ...before, ...changes }, derived }
  unlessTaken(resource, () => updateRow(resource, change))
}

/** The unique value of a row; undefined: it has none. */
export function claimOfRow(resource: Resource, row: Row): string | undefined {
  const { name, unique, within } = resource
  const value = unique === undefined ? null : (row[unique] ?? null)
  return value === null ? undefined : claimOf(name, within && row[within], uniqueText(resource, String(value)))
}

/** A unique value as it is compared. */
function uniqueText({ caseMatters }: Resource, value: string): string {
  return caseMatters ? value : withoutCase(value)
}

/** Throws ALREADY_EXISTS if another record has the unique value of a row. The index decides; this is for what is not written yet. */
export function requireUnique(resource: Resource, reader: Reader, id: string, row: Row, claims: Claims): void {
  const { table, unique, within } = resource
  const claim = claimOfRow(resource, row)
  if (unique === undefined || claim === undefined) return
  const group = within ? `AND ${within} IS ?` : ''
  const sql = `SELECT id FROM ${table} WHERE workspace_id = :workspace AND deleted_at IS NULL ${group} AND ${uniqueColumnOf(resource)} = ? AND id <> ?`
  const groups = within ? [row[within] ?? null] : []
  const holder = reader.value<string>(sql, ...groups, uniqueText(resource, String(row[unique])), id)
  if (claims.holderOf(claim) !== undefined || (holder !== undefined && !claims.isFree(holder, unique)))
    throw taken(resource, unique)
}

function taken({ label, fields }: Resource, unique: string): ApiError {
  const message = `${label} with this ${fields[unique]!.label.toLowerCase()} already exists`
  return new ApiError('ALREADY_EXISTS', message, { details: [{ field: unique, message, code: 'INVALID_VALUE' }] })
}

const nothingPlanned: ReadonlyMap<string, Row | null> = new Map()

/** Marks a record and its parts as deleted (spec: Deletion). `allow` runs when it has been found, and may throw. Throws NOT_FOUND. */
export function remove(resource: Resource, tx: Writer, id: string, allow?: () => void, cause: Cause = {}): void {
  removeWith(resource, tx, id, cause, allow)
}

function removeWith(resource: Resource, tx: Writer, id: string, cause: Cause, allow?: () => void): void {
  const row = lookupRow(resource, tx, id)
  if (!row) throw notFound(resource)
  allow?.()
  resource.mayRemove?.(tx, id, nothingPlanned)
  resource.beforeRemove?.({ tx, id, before: row })
  for (const part of listParts(resource, tx, id).reverse()) removeWith(part.resource, tx, part.id, { deletedWith: id })
  deleteRow(resource, tx, id, row, cause)
}

/** The index enforces uniqueness. Throws ALREADY_EXISTS. */
export function unlessTaken<T>(resource: Resource, write: () => T): T {
  const { table, unique, within } = resource
  try {
    return write()
  } catch (error) {
    const columns = ['workspace_id', ...(within ? [within] : []), unique && uniqueColumnOf(resource)]
    if (!unique || !violates(error, columns.map((each) => `${table}.${each}`).join(', '))) throw error
    throw taken(resource, unique)
  }
}

function requireReferences(resource: Resource, tx: Writer, values: Row, before?: Row): void {
  const details = missingReferences(resource, tx, values, before)
  if (details.length > 0) throw validationError(details)
}

/** Throws PLAN_LIMIT_EXCEEDED (decision A11). `besides`: how many records more there will be than there are now. */
export function requireCapacity(resource: Resource, reader: Reader, limits: Limits, besides = 0): void {
  const max = resource.limit === undefined ? null : limits[resource.limit]
  if (max === null || max === undefined) return
  if (storedCount(resource.name, reader) + besides >= max) {
    const what = max === 1 ? resource.label.toLowerCase() : nounsOf(resource)
    throw new ApiError('PLAN_LIMIT_EXCEEDED', `Your plan allows at most ${max} ${what}`)
  }
}

/**
 * Throws CONFLICT if the workspace, the user to whom a new record belongs, or the group of records to which its maximum applies has the
 * maximum number of records. `besides`: how many records more there will be than there are now.
 */
export function requireRoom(
  { table, fields, max, label, ownedBy, within }: Resource,
  reader: Reader,
  row: Row,
  besides = 0,
): void {
  if (max === undefined) return
  const sql = `SELECT count(*) FROM ${table} WHERE workspace_id = :workspace AND deleted_at IS NULL`
  const group = ownedBy ?? within
  const owner = ownedBy === undefined ? null : (row[ownedBy] ?? null)
  const records = group === undefined ? reader.value(sql) : reader.value(`${sql} AND ${group} IS ?`, row[group] ?? null)
  if (Number(records) + besides < max) return
  const whole = within && fields[within]!.target?.label.toLowerCase()
  const names = `${label.toLowerCase()}s${within && !whole ? ` for each ${within}` : ''}`
  const shared = ownedBy === undefined ? names : `shared ${names}`
  const has = `has at most ${max}`
  const who = owner === null ? `A ${whole ?? 'workspace'} ${has} ${shared}` : `A user ${has} personal ${names}`
  throw new ApiError('CONFLICT', `${who}: delete one first`)
}

/** The id of the record that has the same values of the fields of `same`. */
export function lookupSame({ table, same }: Resource, tx: Reader, values: Row): string | undefined {
  if (!same) return undefined
  const conditions = same.map((name) => `${name} IS ?`).join(' AND ')
  const sql = `SELECT id FROM ${table} WHERE workspace_id = :workspace AND ${conditions} AND deleted_at IS NULL ORDER BY id LIMIT 1`
  return tx.value<string>(sql, ...same.map((name) => values[name]!))
}
