import { type Detail, validationError } from '../../../errors.ts'
import { causedBy } from '../../../store/change-log.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { deleteRow, mergeRow } from '../../records/rows/rows.ts'
import { lookupRow } from '../../records/rows/stored-row.ts'
import { missingReferences } from '../../records/rows/validate.ts'
import { unlessTaken } from '../../records/rows/write.ts'
import { notFound } from '../../records/select.ts'
import { type Belonging, countMoving, findMoving, moveAside, moveTo } from './children.ts'
import { combineItems, combineValues, type Merging } from './combine.ts'
import { findLinking, moveIdLists, moveLinks } from './links.ts'
import type { MergeRequest } from './request.ts'

/** What a merge depends on besides the records. */
interface MergeTerms {
  belonging: readonly Belonging[]
  /** Throws INSUFFICIENT_PERMISSIONS if records of a resource may not be moved. */
  requireWrite(resource: Resource): void
  /** Runs when the survivor has been found, and may throw. */
  allow(): void
}

/**
 * Merges records into the one with the id (decision K6). Returns how many items and records move. In a dry run, which the caller takes
 * back, records stay where they are. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT, and what an update throws.
 */
export function mergeRecords(
  resource: Resource,
  tx: Writer,
  id: string,
  request: MergeRequest,
  terms: MergeTerms,
): Record<string, number> {
  const others = findOthers(resource, tx, request.others)
  const survivor = findSurvivor(resource, tx, id)
  terms.allow()
  const moving = findMoving(tx, terms.belonging, request.others)
  for (const { child, ids } of moving) if (ids.length > 0) terms.requireWrite(child)
  const linking = findLinking(resource, tx, request.others, terms.requireWrite)
  const writer = tx.as(causedBy(tx.origin, { merge: id }))
  const ranked = request.prefer === 'this' ? [survivor, ...others] : newestFirst([survivor, ...others])
  requireReferences(resource, tx, request)
  const after = { ...survivor.row, ...combineValues(resource, tx, request, survivor, ranked) }
  const { items, added } = combineItems(resource, writer, survivor, ranked)
  // An undo goes backwards: the survivor gives back what is unique, the others return, and what belongs to them moves back.
  if (!request.dryRun) {
    for (const each of linking) moveLinks(id, writer, each, request.others)
    for (const each of moving) moveTo(id, writer, each)
    moveAside(id, writer.unrestricted, terms.belonging, request.others)
    moveIdLists(resource, writer.unrestricted, id, request.others)
  }
  for (const other of others) {
    resource.mayRemove?.(writer, other.id, new Map())
    resource.beforeRemove?.({ tx: writer, id: other.id, before: other.row })
    deleteRow(resource, writer, other.id, other.row, { mergedInto: id })
  }
  const change = { tx: writer, id, before: survivor.row, given: request.fields, after, items }
  resource.beforeMerge?.(
    change,
    others.map(({ row }) => row),
  )
  resource.beforeWrite?.(change)
  unlessTaken(resource, () => mergeRow(resource, change))
  return { ...added, ...countMoving(moving) }
}

/** Throws NOT_FOUND. */
function findSurvivor(resource: Resource, reader: Reader, id: string): Merging {
  const row = lookupRow(resource, reader, id)
  if (!row) throw notFound(resource)
  return { id, row }
}

/** The records that the body names. Throws VALIDATION_ERROR if some do not exist (decision D2). */
function findOthers(resource: Resource, reader: Reader, ids: readonly string[]): Merging[] {
  const rows = ids.map((id) => lookupRow(resource, reader, id))
  const { message } = notFound(resource)
  const missing = rows.flatMap((row, at): Detail[] =>
    row ? [] : [{ field: `with[${at}]`, message, code: 'NOT_FOUND' }],
  )
  if (missing.length > 0) throw validationError(missing)
  return ids.map((id, at) => ({ id, row: rows[at]! }))
}

function newestFirst(records: readonly Merging[]): Merging[] {
  const updated = new Map(records.map(({ id, row }) => [id, String(JSON.parse(row.record).updated_at)]))
  const of = ({ id }: Merging) => updated.get(id)!
  return records.toSorted((a, b) => (of(a) > of(b) ? -1 : of(a) < of(b) ? 1 : 0))
}

/** A record that the body names may have been deleted since it was read. Throws VALIDATION_ERROR. */
function requireReferences(resource: Resource, reader: Reader, { fields }: MergeRequest): void {
  const missing = missingReferences(resource, reader, fields)
  if (missing.length > 0) throw validationError(missing.map((each) => ({ ...each, field: `fields.${each.field}` })))
}
