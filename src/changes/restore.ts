import { isTakenValue } from '../engine/records/declared/values.ts'
import type { Items, Row } from '../engine/records/definition/change.ts'
import type { Field, Resource } from '../engine/records/definition/resource.ts'
import { listDeletedParts } from '../engine/records/rows/list-parts.ts'
import { requireDeclared } from '../engine/records/rows/requirements.ts'
import { restoreRow } from '../engine/records/rows/rows.ts'
import { lookupDeletedRow, type StoredRow } from '../engine/records/rows/stored-row.ts'
import { type Limits, requireCapacity, requireRoom, unlessTaken } from '../engine/records/rows/write.ts'
import { ApiError } from '../errors.ts'
import type { Reader, SqlValue, Writer } from '../store/reader.ts'

/** Values and items that a record had before. */
export interface Former {
  values: Row
  items: Items
  /** Values of unshown columns: they return if the rules of the resource set one, too. */
  unshown: Readonly<Row>
}

/** As it was when it was deleted. */
export const asDeleted: Former = { values: {}, items: {}, unshown: {} }

/** The records of a resource have a limit for each value of `ownedBy`, or of `within`. */
export type Grouped = Pick<Resource, 'name' | 'ownedBy' | 'within'>

/** What else happens to records before or after one is restored. */
export interface Meanwhile {
  /** Whether a record that is deleted now will be there. */
  isReturning(id: string): boolean
  /** Whether a record that is there now will be deleted. */
  isLeaving(id: string): boolean
  /** How many records of a resource more there will be than there are now. With a row: of its group. */
  besides(resource: Grouped, of?: Row): number
}

/** Nothing else happens. */
export const nothing: Meanwhile = { isReturning: () => false, isLeaving: () => false, besides: () => 0 }

/** Takes a record and the parts that were deleted with it out of the trash (decision G11), with former values. Throws CONFLICT if something is in its way, ALREADY_EXISTS. */
export function restore(resource: Resource, tx: Writer, id: string, limits: Limits, former = asDeleted): void {
  restoreWith(resource, tx, id, limits, { former, isWithWhole: false })
}

function restoreWith(
  resource: Resource,
  tx: Writer,
  id: string,
  limits: Limits,
  { former, isWithWhole }: { former: Former; isWithWhole: boolean },
): void {
  const { before, after } = requireRestorable(resource, tx, id, limits, former.values)
  const change = { tx, id, before, given: former.values, after, items: former.items }
  unlessInTheWay(() => {
    resource.beforeRestore?.(change)
    Object.assign(change.after, asideOf(resource, change.after, former))
    requireDeclared(resource, tx, change.after)
    unlessTaken(resource, () => restoreRow(resource, change, isWithWhole))
  })
  const parts = listDeletedParts(resource, tx, id)
  for (const [at, part] of parts.entries()) {
    const isWithWhole = parts[at + 1]?.resource === part.resource
    restoreWith(part.resource, tx, part.id, limits, { former: asDeleted, isWithWhole })
  }
}

/** The unshown values that return after the rules of the resource have set theirs. All digits of a number return with it. */
export function asideOf({ fields }: Resource, after: Row, { values, unshown }: Former): Row {
  const numberOf = (digits: string) => Object.values(fields).find((field) => field.digits === digits)
  const returns = ([name, value]: [string, SqlValue]) => {
    const number = numberOf(name)
    return number ? Object.hasOwn(values, number.name) : after[name] !== null && value !== null
  }
  return Object.fromEntries(Object.entries(unshown).filter(returns))
}

/** The row of a deleted record and what it will be with former values. Throws CONFLICT if what is read is in its way. */
export function requireRestorable(
  resource: Resource,
  reader: Reader,
  id: string,
  limits: Limits,
  values: Row,
  meanwhile = nothing,
): { before: StoredRow; after: Row } {
  const before = lookupDeletedRow(resource, reader, id)
  if (!before || isErased(reader, id)) throw new ApiError('CONFLICT', 'The record has been erased')
  const after: Row = { ...before, ...values }
  for (const field of Object.values(resource.fields)) {
    requireTarget(resource, field, reader, after[field.name], meanwhile)
  }
  resource.mayRestore?.(reader, after)
  unlessInTheWay(() => {
    requireCapacity(resource, reader, limits, meanwhile.besides(resource))
    requireRoom(resource, reader, after, meanwhile.besides(resource, after))
  })
  return { before, after }
}

/** A deleted record that is not in the trash has been erased. */
function isErased(reader: Reader, id: string): boolean {
  return reader.value('SELECT 1 FROM trash WHERE workspace_id = :workspace AND id = ?', id) === undefined
}

/** A reference that a record must have leads to an undeleted record. Any other may lead to a deleted one: it shows null. */
function requireTarget(
  resource: Resource,
  { target, nullable, name }: Field,
  reader: Reader,
  id: unknown,
  { isReturning, isLeaving }: Meanwhile,
): void {
  if (!target || nullable) return
  const sql = `SELECT 1 FROM ${target.table} WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  const isThere = reader.value(sql, String(id)) !== undefined
  if (isThere ? !isLeaving(String(id)) : isReturning(String(id))) return
  const message = `The ${target.label.toLowerCase()} of this ${resource.label.toLowerCase()} is deleted: restore it first`
  throw new ApiError('CONFLICT', message, { details: [{ field: name, message, code: 'NOT_FOUND' }] })
}

/** Reports what a create would report as another error, except a unique value of a declared field that is taken (decision J3). */
export function unlessInTheWay(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (isTakenValue(error)) throw error
    if (!(error instanceof ApiError) || !['ALREADY_EXISTS', 'PLAN_LIMIT_EXCEEDED'].includes(error.code)) throw error
    throw new ApiError('CONFLICT', error.message, { ...(error.details && { details: error.details }), cause: error })
  }
}
