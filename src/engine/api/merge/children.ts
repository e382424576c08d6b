import { ApiError } from '../../../errors.ts'
import { pluralOf } from '../../../lib/plural.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { byReference } from '../../records/columns.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { updateRow } from '../../records/rows/rows.ts'
import { lookupRow } from '../../records/rows/stored-row.ts'
import { undeleted } from '../../records/select.ts'

/** A field by which records belong to one of another resource: `contact_id` of deals. */
export interface Belonging {
  readonly child: Resource
  readonly field: string
}

/** Records that a merge moves. */
interface Moving extends Belonging {
  readonly ids: readonly string[]
}

/** The maximum number of records that a merge moves, all in one transaction. */
export const movedMax = 5_000

/** The fields of all resources that refer to a resource. */
export function belongingTo(resource: Resource, resources: readonly Resource[]): Belonging[] {
  return resources.flatMap((child) =>
    Object.values(child.fields).flatMap(({ name, target }) => (target === resource ? [{ child, field: name }] : [])),
  )
}

/** Whether a merge needs the scope of what belongs to its records, and counts it. */
export function isCounted({ child }: Belonging): boolean {
  return child.followsAside !== true
}

/** SQL: the undeleted records that refer to some records. */
export function fromReferring({ child, field }: Belonging): string {
  return `FROM ${byReference(child, field)} WHERE ${undeleted} AND ${field} IN (SELECT value FROM json_each(?))`
}

/** The undeleted records that belong to some records and are counted. Throws CONFLICT if they are too many. */
export function findMoving(reader: Reader, belonging: readonly Belonging[], ids: readonly string[]): Moving[] {
  let count = 0
  return belonging.filter(isCounted).map(({ child, field }) => {
    const sql = `SELECT id ${fromReferring({ child, field })} LIMIT ?`
    const found = reader.values<string>(sql, JSON.stringify(ids), movedMax + 1 - count)
    count += found.length
    if (count > movedMax) throw tooMany()
    return { child, field, ids: found }
  })
}

export function tooMany(): ApiError {
  const advice = 'merge fewer records at a time, or into the one to which most records belong'
  return new ApiError('CONFLICT', `A merge moves at most ${movedMax} records: ${advice}`)
}

/** Lets records belong to the survivor. */
export function moveTo(survivor: string, tx: Writer, { child, field, ids }: Moving): void {
  for (const id of ids) {
    const before = lookupRow(child, tx, id)!
    const change = { tx, id, before, given: {}, after: { ...before, [field]: survivor } }
    child.beforeMerge?.(change, [])
    updateRow(child, change)
  }
}

/** Lets records belong to the survivor that follow without being counted, also those that the author does not see. */
export function moveAside(
  survivor: string,
  tx: Writer,
  belonging: readonly Belonging[],
  others: readonly string[],
): void {
  for (const { child, field } of belonging.filter((each) => !isCounted(each))) {
    const sql = `SELECT id ${fromReferring({ child, field })}`
    moveTo(survivor, tx, { child, field, ids: tx.values<string>(sql, JSON.stringify(others)) })
  }
}

/** The number of records that move, by the last part of their path: `deals`. */
export function countMoving(moving: readonly Moving[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { child, ids } of moving) counts[pluralOf(child)] = (counts[pluralOf(child)] ?? 0) + ids.length
  return counts
}
