import type { Row } from '../../engine/records/definition/change.ts'
import type { Collection, Field, Resource } from '../../engine/records/definition/resource.ts'
import { requireEntry } from '../../engine/records/rows/requirements.ts'
import { updateRow } from '../../engine/records/rows/rows.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { missingReferences } from '../../engine/records/rows/validate.ts'
import { type Limits, remove, unlessTaken } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import { isRawNumber } from '../../lib/exact-json.ts'
import { packUuid } from '../../lib/uuid.ts'
import { revertedBy } from '../../store/change-log.ts'
import type { Reader, SqlValue, Writer } from '../../store/reader.ts'
import { asideOf, type Former, nothing, restore } from '../restore.ts'
import type { Plan } from './plan.ts'

interface ApplyTerms {
  readonly limits: Limits
  /** The ids of records that a job restores afterwards. */
  readonly returning?: ReadonlySet<string>
}

/** Undoes changes of a record as planned, as one change. Throws ApiError if something is in the way. */
export function applyPlan(resource: Resource, tx: Writer, id: string, plan: Plan, terms: ApplyTerms): void {
  const { limits, returning } = terms
  const former = formerOf(resource, plan)
  const isThere = lookupRow(resource, tx, id) !== undefined // a part may have been deleted or restored with its whole just now
  if (plan.existence === 'delete') {
    if (isThere) remove(resource, tx, id, undefined, mergedAgain(resource, tx, id))
  } else {
    requireReferences(resource, tx, former.values, { ...nothing, isReturning: (each) => returning?.has(each) === true })
    if (!isThere) requireReturn(resource, plan)
    if (isThere) update(resource, tx, id, former)
    else restore(resource, tx, id, limits, former)
  }
}

/** The survivor of the merge that an undo makes again, by undoing its undo: the record is deleted as it was by the merge. */
function mergedAgain({ name }: Resource, tx: Writer, id: string): { mergedInto?: string } {
  const sql = `WITH RECURSIVE undone (seq) AS (SELECT value FROM json_each(?)
      UNION SELECT reverted.value FROM undone CROSS JOIN change ON change.workspace_id = :workspace AND change.seq = undone.seq
        CROSS JOIN json_each(change.cause, '$.reverts') AS reverted)
    SELECT cause ->> '$.merge' FROM undone CROSS JOIN change ON change.workspace_id = :workspace AND change.seq = undone.seq
    WHERE record_id = ? AND cause ->> '$.merge' IS NOT NULL AND type = (SELECT id FROM change_term WHERE text = ?) ORDER BY undone.seq LIMIT 1`
  const mergedInto = tx.value<string>(sql, JSON.stringify(revertedBy(tx.origin)), packUuid(id), `${name}.deleted`)
  return mergedInto === undefined ? {} : { mergedInto }
}

type Item = Readonly<Record<string, unknown>> & { id: string }

/** The stored values and items of a record's former state. */
export function formerOf({ fields: kinds, collections, links }: Resource, { fields, unshown }: Plan): Former {
  const isItems = ([name]: [string, unknown]) => Object.hasOwn({ ...collections, ...links }, name)
  const entries = Object.entries(fields)
  const values = entries.filter((entry) => !isItems(entry)).map(([name, value]) => [name, storedOf(value, kinds[name])])
  const items = entries
    .filter(isItems)
    .map(([name, each]) => [
      name,
      (each as Item[]).map((item) => (collections[name] ? rowOf(collections[name], item) : (item as unknown as Row))),
    ])
  return { values: Object.fromEntries(values), items: Object.fromEntries(items), unshown }
}

/** Throws CONFLICT if a former value refers to a record that does not exist. */
export function requireReferences(resource: Resource, reader: Reader, values: Row, meanwhile = nothing): void {
  const { isReturning, isLeaving } = meanwhile
  const missing = missingReferences(resource, reader, values)
  for (const { name, target, missing: message } of Object.values(resource.fields)) {
    if (!target) continue
    const id = String(values[name])
    const isMissing = missing.some(({ field }) => field === name)
    if (isMissing ? isReturning(id) : !isLeaving(id)) continue
    const details = [{ field: name, message: message!, code: 'NOT_FOUND' as const }]
    throw new ApiError('CONFLICT', `${target.label} is deleted: restore it first`, { details })
  }
}

/** The rules of the resource apply. What only they set gets its former value afterwards. */
function update(resource: Resource, tx: Writer, id: string, former: Former): void {
  const isSet = ([name]: [string, unknown]) => resource.fields[name]!.readonly === true
  const entries = Object.entries(former.values)
  const given = Object.fromEntries(entries.filter((entry) => !isSet(entry)))
  const before = lookupRow(resource, tx, id)!
  const change = { tx, id, before, given, after: { ...before, ...given } as Row, items: former.items }
  resource.beforeWrite?.(change)
  Object.assign(change.after, Object.fromEntries(entries.filter(isSet)), asideOf(resource, change.after, former))
  requireEntry(resource, tx, change)
  unlessTaken(resource, () => updateRow(resource, change))
}

/** Throws CONFLICT if a record has been deleted with what it is a part of, and does not become a part of something else. */
export function requireReturn({ partOf = '' }: Resource, { existence, fields }: Plan): void {
  if (existence === 'restore' || Object.hasOwn(fields, partOf)) return
  throw new ApiError('CONFLICT', 'The record is deleted: restore it first')
}

function rowOf({ fields }: Collection, item: Item): Row {
  const values = Object.values(fields).map((field) => [field.name, storedOf(item[field.name], field)])
  return { ...Object.fromEntries(values), id: item.id }
}

/** The stored form of a value in a response. */
export function storedOf(value: unknown, field: Field | undefined): SqlValue {
  if (field?.isExact && value !== null) return typeof value === 'number' ? String(value) : JSON.stringify(value)
  if (isRawNumber(value)) return Number(value.rawJSON) // the log has the text that was shown
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue)
}
