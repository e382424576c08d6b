import type { Row } from '../../engine/definition/change.ts'
import type { Collection, Field, Resource } from '../../engine/definition/resource.ts'
import { lookupRow, replaceItems, updateRow } from '../../engine/write/rows.ts'
import { missingReferences } from '../../engine/write/validate.ts'
import { type Limits, remove, unlessTaken } from '../../engine/write/write.ts'
import { ApiError } from '../../errors.ts'
import type { SqlValue, Writer } from '../../store/reader.ts'
import { restore } from '../restore.ts'
import type { Plan } from './plan.ts'

/** Undoes changes of a record as planned. Throws ApiError if something is in the way. */
export function applyPlan(resource: Resource, tx: Writer, id: string, plan: Plan, limits: Limits): void {
  if (plan.existence === 'delete') {
    remove(resource, tx, id)
    return
  }
  if (plan.existence === 'restore') restore(resource, tx, id, limits)
  const { collections } = resource
  const entries = Object.entries(plan.fields)
  restoreFields(resource, tx, id, Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(collections, name))))
  for (const [name, items] of entries.filter(([name]) => Object.hasOwn(collections, name))) {
    replaceItems(
      resource,
      name,
      tx,
      id,
      (items as Item[]).map((item) => rowOf(collections[name]!, item)),
    )
  }
}

type Item = Readonly<Record<string, unknown>> & { id: string }

/** Writes former values. The rules of the resource apply; what only they set gets its former value afterwards. */
function restoreFields(resource: Resource, tx: Writer, id: string, values: Readonly<Record<string, unknown>>): void {
  const given: Row = {}
  const set: Row = {}
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields[name]!
    const target = field.readonly ? set : given
    target[name] = storedOf(value)
  }
  const [missing] = missingReferences(resource, tx, given)
  if (missing) throw new ApiError('CONFLICT', `${missing.message}: it is deleted`, { details: [missing] })
  const before = lookupRow(resource, tx, id)!
  const change = { tx, id, before, given, after: { ...before, ...given } as Row }
  resource.beforeWrite?.(change)
  Object.assign(change.after, set)
  unlessTaken(resource, () => updateRow(resource, change))
}

function rowOf({ fields }: Collection, item: Item): Row {
  const values = Object.values(fields).map(({ name }: Field) => [name, storedOf(item[name])])
  return { ...Object.fromEntries(values), id: item.id }
}

/** The stored form of a value in a response. */
function storedOf(value: unknown): SqlValue {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue)
}
