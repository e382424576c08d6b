import type { Row } from '../../engine/records/definition/change.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { partsOf } from '../../engine/records/parts.ts'
import { lookupRow } from '../../engine/records/rows/stored-row.ts'
import { changeRow, remove } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import { causedBy } from '../../store/change-log.ts'
import type { Writer } from '../../store/reader.ts'
import { storedOf } from './apply.ts'
import type { Plan, Planned } from './plan.ts'
import type { UndoReport } from './report.ts'

/**
 * Restores wholes first if parts move, and deletes wholes last: otherwise parts would be deleted with them. Parts that were not there before
 * come at the end, the last ones of their whole first: when they leave it, no other one moves.
 */
export function inOrder(all: readonly Planned[], resources: readonly Resource[]): readonly Planned[] {
  const ownOf = ({ entry }: Planned) => resources.find(({ name }) => name === entry.resource)!
  const isMoved = (each: Planned) => {
    const by = ownOf(each).partOf
    return by !== undefined && each.plan.existence === undefined && Object.hasOwn(each.plan.fields, by)
  }
  const [gone, others] = [all.filter(({ plan }) => plan.staysGone), all.filter(({ plan }) => !plan.staysGone)]
  const moved = new Set(all.filter(isMoved).map(ownOf))
  const isWhole = (each: Planned) => partsOf(ownOf(each)).some((part) => moved.has(part))
  const placeOf = (each: Planned) => (isWhole(each) ? ['restore', undefined, 'delete'].indexOf(each.plan.existence) : 1)
  return [
    ...others.toSorted((one, other) => placeOf(one) - placeOf(other)),
    ...gone.toSorted((one, other) => one.entry.seq.at(-1)! - other.entry.seq.at(-1)!),
  ]
}

/** Completes what has been undone one by one: parts that were not there before leave the whole with which they returned, and the rules see to the order. */
export function arrangeUndone(
  tx: Writer,
  all: readonly Planned[],
  { errored }: UndoReport,
  resources: readonly Resource[],
  isAlone = all.length === 1,
): void {
  const failed = new Set(errored.map(({ record_id }) => record_id))
  const done = all.filter(({ entry, plan }) => plan.existence !== 'delete' && !failed.has(entry.recordId))
  for (const resource of resources) {
    const own = done.filter(({ entry }) => entry.resource === resource.name)
    for (const { entry, plan } of own) {
      const writer = tx.as(causedBy(tx.origin, { reverts: entry.seq }))
      if (plan.staysGone && lookupRow(resource, tx, entry.recordId)) leave(resource, writer, entry.recordId)
    }
    if (own.length === 0 || !resource.afterUndo) continue
    const former = new Map(own.map(({ entry, plan }) => [entry.recordId, settled(resource, plan, isAlone)]))
    const reverted = new Map(own.map(({ entry }) => [entry.recordId, entry.seq]))
    for (const { id, changes } of resource.afterUndo(tx, former)) {
      const reverts = reverted.get(id) ?? own[0]!.entry.seq
      changeRow(resource, tx.as(causedBy(tx.origin, { reverts })), id, changes)
    }
  }
}

/** It stays if something is in the way. */
function leave(resource: Resource, tx: Writer, id: string): void {
  try {
    tx.attempt(() => remove(resource, tx, id))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** The former values, as they are stored, without those of fields that stay: they were changed again since, or follow records that are not undone. */
function settled({ fields }: Resource, { former, keptFields, derived }: Plan, isAlone: boolean): Row {
  const stays = (name: string) => keptFields.includes(name) || (isAlone && derived.includes(name))
  const given = Object.entries(former).filter(([name]) => !stays(name))
  return Object.fromEntries(given.map(([name, value]) => [name, storedOf(value, fields[name])]))
}
