import { requireFreeValues } from '../../engine/declared/values.ts'
import type { Row } from '../../engine/definition/change.ts'
import type { Resource } from '../../engine/definition/resource.ts'
import { lookupRow } from '../../engine/write/stored-row.ts'
import { requireUnique } from '../../engine/write/write.ts'
import { ApiError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import { type Meanwhile, requireRestorable, unlessInTheWay } from '../restore.ts'
import { formerOf, requireReferences } from './apply.ts'
import { refusalOf } from './refusals.ts'
import {
  erroredOf,
  findResource,
  type Planned,
  planAll,
  type Terms,
  type UndoEntry,
  type UndoReport,
  undoneOf,
} from './undo.ts'

/** What fails can be in the way of something else, which then fails as well. Longer chains than this are not followed. */
const roundsMax = 20

/**
 * What an undo would do, judged by what is read: nothing is written, and no lock is taken. What only a rule of a resource notices while it
 * writes (`beforeWrite`, `beforeRestore`) is not predicted.
 */
export function predictUndo(reader: Reader, entries: readonly UndoEntry[], terms: Terms): UndoReport {
  const { planned, kept } = planAll(reader, entries, terms.resources)
  const report: UndoReport = { reversed: [], kept, errored: [] }
  let left = planned
  for (let round = 0; round < roundsMax; round++) {
    const meanwhile = meanwhileOf(left)
    const before = left.length
    left = left.filter((each) => {
      const error = obstacleOf(reader, each, terms, meanwhile)
      if (error) report.errored.push(erroredOf(each, error))
      return error === undefined
    })
    if (left.length === before) break
  }
  return { ...report, reversed: left.map(undoneOf) }
}

/** What the undo of these records does to others. */
interface Effects extends Meanwhile {
  /** Whether a record will no longer have a value that it has now. */
  frees(id: string, field: string): boolean
}

function meanwhileOf(planned: readonly Planned[]): Effects {
  const of = (existence: string) => planned.filter(({ plan }) => plan.existence === existence)
  const [leaving, returning] = [of('delete'), of('restore')]
  const ids = (some: readonly Planned[]) => new Set(some.map(({ entry }) => entry.recordId))
  const [leavingIds, returningIds] = [ids(leaving), ids(returning)]
  const changing = new Map(planned.map(({ entry, plan }) => [entry.recordId, plan.fields]))
  const count = (some: readonly Planned[], { name }: Resource) =>
    some.filter(({ entry }) => entry.resource === name).length
  const counts = new Map<Resource, number>()
  return {
    isLeaving: (id) => leavingIds.has(id),
    isReturning: (id) => returningIds.has(id),
    besides(resource) {
      const known = counts.get(resource) ?? Math.max(0, count(returning, resource) - 1) - count(leaving, resource)
      counts.set(resource, known)
      return known
    },
    frees: (id, field) => leavingIds.has(id) || Object.hasOwn(changing.get(id) ?? {}, field),
  }
}

function obstacleOf(reader: Reader, planned: Planned, terms: Terms, effects: Effects): ApiError | undefined {
  const { entry, plan } = planned
  const reason = refusalOf(entry, plan)
  if (reason !== undefined) return new ApiError('CONFLICT', reason)
  try {
    requirePossible(reader, planned, terms, effects)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'SERVICE_UNAVAILABLE') return error
    throw error
  }
}

/** Throws ApiError if what is read is in the way. */
function requirePossible(reader: Reader, { entry, plan }: Planned, { resources, limits }: Terms, effects: Effects) {
  const resource = findResource(resources, entry.resource)
  const id = entry.recordId
  if (plan.existence === 'delete') {
    resource.mayRemove?.(reader, id, effects.isLeaving)
    return
  }
  const { values } = formerOf(resource, plan)
  requireReferences(resource, reader, values, effects.isReturning)
  if (plan.existence === undefined) {
    requireFree(resource, reader, id, { ...lookupRow(resource, reader, id), ...values }, effects)
  } else {
    const { after } = requireRestorable(resource, reader, id, limits, values, effects)
    unlessInTheWay(() => requireFree(resource, reader, id, after, effects))
  }
}

/** Throws ALREADY_EXISTS. */
function requireFree(resource: Resource, reader: Reader, id: string, after: Row, { frees }: Effects): void {
  requireUnique(resource, reader, id, after, (holder) => frees(holder, resource.unique!))
  if (after.metadata !== undefined) {
    requireFreeValues(resource, reader, id, after, (holder) => frees(holder, 'metadata'))
  }
}
