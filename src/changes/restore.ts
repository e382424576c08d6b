import type { Row } from '../engine/definition/change.ts'
import type { Field, Resource } from '../engine/definition/resource.ts'
import { restoreRow } from '../engine/write/rows.ts'
import { lookupDeletedRow } from '../engine/write/stored-row.ts'
import { type Limits, requireCapacity, requireRoom, unlessTaken } from '../engine/write/write.ts'
import { ApiError } from '../errors.ts'
import type { Writer } from '../store/reader.ts'

/** Values and items that a record had before. */
export interface Former {
  values: Row
  items: Readonly<Record<string, readonly Row[]>>
}

const asDeleted: Former = { values: {}, items: {} }

/** Takes a record out of the trash (decision G11), with former values. Throws CONFLICT if something is in its way. */
export function restore(resource: Resource, tx: Writer, id: string, limits: Limits, former = asDeleted): void {
  const before = lookupDeletedRow(resource, tx, id)
  if (!before || isErased(tx, id)) throw new ApiError('CONFLICT', 'The record has been erased')
  const { values, items } = former
  const change = { tx, id, before, given: values, after: { ...before, ...values } as Row, items }
  for (const field of Object.values(resource.fields)) requireTarget(resource, field, tx, change.after[field.name])
  unlessInTheWay(() => {
    requireCapacity(resource, tx, limits)
    requireRoom(resource, tx, change.after)
    resource.beforeRestore?.(change)
    unlessTaken(resource, () => restoreRow(resource, change))
  })
}

/** A deleted record that is not in the trash has been erased. */
function isErased(tx: Writer, id: string): boolean {
  return tx.value('SELECT 1 FROM trash WHERE workspace_id = :workspace AND id = ?', id) === undefined
}

/** A reference that a record must have leads to an undeleted record. Any other may lead to a deleted one: it shows null. */
function requireTarget(resource: Resource, { target, nullable, name }: Field, tx: Writer, id: unknown): void {
  if (!target || nullable) return
  const sql = `SELECT 1 FROM ${target.table} WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  if (tx.value(sql, String(id)) !== undefined) return
  const message = `The ${target.label.toLowerCase()} of this ${resource.label.toLowerCase()} is deleted: restore it first`
  throw new ApiError('CONFLICT', message, { details: [{ field: name, message, code: 'NOT_FOUND' }] })
}

/** Reports what a create would report as another error. */
function unlessInTheWay(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError) || !['ALREADY_EXISTS', 'PLAN_LIMIT_EXCEEDED'].includes(error.code)) throw error
    throw new ApiError('CONFLICT', error.message, { ...(error.details && { details: error.details }), cause: error })
  }
}
