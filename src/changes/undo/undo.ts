import type { Resource } from '../../engine/records/definition/resource.ts'
import { named } from '../../engine/records/holders.ts'
import { lookupAnyRow } from '../../engine/records/rows/stored-row.ts'
import type { Limits } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import { causedBy } from '../../store/change-log.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import type { UndoEntry, UndoManner } from '../logged.ts'
import { formerOf } from '../show.ts'
import { currentOf } from '../state.ts'
import { type ChangeHead, lookupPrevious } from '../stored-change.ts'
import { applyPlan } from './apply.ts'
import { arrangeUndone, inOrder } from './arrange.ts'
import { changesOfBrokenMerges } from './broken-merges.ts'
import { flagTaken, followsOthers, keeping, keepingNamed, type Planned, planUndo } from './plan.ts'
import { isObstacle, refusalOf } from './refusals.ts'
import { erroredOf, type Undone, type UndoReport, undoneOf } from './report.ts'
import { changesSince, newestOf, type RecordStep } from './select.ts'
import {
  type Displaced,
  type Foreseen,
  givingWay,
  nothingForeseen,
  rivalOf,
  soleKept,
  withDisplaced,
  withFlag,
} from './sole.ts'

export interface Terms {
  readonly resources: readonly Resource[]
  readonly limits: Limits
  /** Whether messages may have the ids of records of a resource. */
  readonly mayRead: (resource: Resource) => boolean
  /** The ids of records that a job restores afterwards; default: none. */
  readonly returning?: ReadonlySet<string>
}

/** Groups changes by record, the newest first. */
export function entriesOf(selected: readonly ChangeHead[], manner: UndoManner): UndoEntry[] {
  const byRecord = Map.groupBy(selected.toReversed(), ({ recordId }) => recordId)
  return [...byRecord].map(([recordId, changes]) => {
    const seq = changes.map((change) => change.seq).reverse()
    return { resource: changes[0]!.resource, recordId, seq, ...manner }
  })
}

/** Plans what to undo, in the order in which it is undone. `requestId`: of the undo. */
export function planAll(
  reader: Reader,
  entries: readonly UndoEntry[],
  resources: readonly Resource[],
  requestId: string | undefined,
): readonly Planned[] {
  const all = entries.map((entry) => planOf(reader, entry, resources, requestId))
  return inOrder(all, resources)
}

/** Plans again what has changed since it was planned: to read the changes of a record may take long, and nobody else can write meanwhile. */
function renewed(tx: Writer, all: readonly Planned[], { resources }: Terms): Planned[] {
  const isCurrent = ({ entry, newest }: Planned) => newestOf(tx, entry.recordId) === newest
  return all.map((each) => (isCurrent(each) ? each : planOf(tx, each.entry, resources, tx.origin.requestId)))
}

/** What is undone, and the items of the report about what is kept. */
function partKept(all: readonly Planned[]): { planned: Planned[]; kept: Undone[] } {
  const isKept = ({ entry, plan }: Planned) => plan.kept !== undefined && refusalOf(entry, plan) === undefined
  const kept = all.filter(isKept).map((each) => ({ ...undoneOf(each), message: each.plan.kept! }))
  return { planned: all.filter((each) => !isKept(each)), kept }
}

/** Thrown by `undoTogether`: some records cannot be undone, so each must be undone by itself. */
export class NotTogether extends Error {}

/**
 * Undoes changes in one transaction, completely or not at all. There is no savepoint: within one, SQLite's journal in memory makes the time
 * grow with the square of the number of records. Throws NotTogether.
 */
export function undoTogether(tx: Writer, all: readonly Planned[], terms: Terms): UndoReport {
  const current = renewed(tx, all, terms)
  const { planned, kept } = partKept(current)
  const report: UndoReport = { reversed: planned.map(undoneOf), kept, errored: [] }
  const displaced: Displaced = new Map()
  try {
    for (const each of planned) undoOne(tx, each, terms, displaced)
    arrangeUndone(tx, current, report, terms.resources)
  } catch (error) {
    if (!isObstacle(error)) throw error
    throw new NotTogether('Some records cannot be undone', { cause: error })
  }
  return withDisplaced(report, displaced)
}

/**
 * Undoes the changes of each record completely or not at all, aside from fields that follow other records at the end. `isLast`: whether no
 * other records follow that are undone with these.
 */
export function undoEach(tx: Writer, all: readonly Planned[], terms: Terms, isLast = true): UndoReport {
  const displaced: Displaced = new Map()
  const attempted = (each: Planned) => attempt(tx, each, terms, displaced)
  const current = renewed(tx, all, terms)
  const report = undoInTurn(current, attempted, (stuck, gone) =>
    isLast ? keepingInAll(tx, stuck, terms, gone) : stuck,
  )
  arrangeUndone(tx, current, report, terms.resources)
  return withDisplaced(report, displaced)
}

/** Arranges what slices have undone, each without the values of the others. */
export function arrangeSlices(tx: Writer, all: readonly Planned[], report: UndoReport, terms: Terms): void {
  const arranged = all.filter(({ entry }) => findResource(terms.resources, entry.resource).afterUndo)
  arrangeUndone(tx, renewed(tx, arranged, terms), report, terms.resources, all.length === 1)
}

/**
 * Undoes records one after another. `attempt` returns what is in the way. That may be undone with another one: what fails is tried again as
 * long as something else succeeds, and then with the plans of `giveIn`, if one is another: first those that are even if the pending records
 * were `gone`, because the others may then succeed.
 */
export function undoInTurn(
  all: readonly Planned[],
  attempt: (each: Planned) => ApiError | undefined,
  giveIn: (stuck: readonly Planned[], gone: readonly Planned[]) => readonly Planned[],
): UndoReport {
  const { planned, kept } = partKept(all)
  const report: UndoReport = { reversed: [], kept, errored: [] }
  let pending = planned
  while (pending.length > 0) {
    const failed = pending.filter((each) => {
      const error = attempt(each)
      if (error) report.errored.push(erroredOf(each, error))
      else report.reversed.push(undoneOf(each))
      return error !== undefined
    })
    const isStuck = failed.length === pending.length
    const othersWithout = (gone: readonly Planned[]) => {
      const plans = giveIn(failed, gone)
      return plans.some((each, at) => each !== failed[at]) ? plans : undefined
    }
    const plans = isStuck ? (othersWithout(failed) ?? othersWithout([])) : failed
    if (!plans) break
    const next = partKept(plans)
    report.kept.push(...next.kept)
    pending = next.planned
    report.errored = []
  }
  return report
}

/** Plans without the fields that follow other records, once those of `gone` are deleted and others are as `foreseen`. */
export function keepingInAll(
  reader: Reader,
  all: readonly Planned[],
  terms: Terms,
  gone: readonly Planned[],
  foreseen = nothingForeseen,
): Planned[] {
  const rows = new Map([...foreseen.rows, ...gone.map(({ entry }) => [entry.recordId, null] as const)])
  const meanwhile = { holders: foreseen.holders, rows }
  return all.map((each) => keepingIn(reader, each, terms, meanwhile))
}

/** The same without the fields that follow other records. */
function keepingIn(reader: Reader, planned: Planned, { resources }: Terms, meanwhile: Foreseen): Planned {
  if (Object.keys(planned.plan.fields).length === 0) return planned
  const { resource, recordId } = planned.entry
  const own = findResource(resources, resource)
  const following = own.keptByUndo?.(reader, recordId, meanwhile.rows) ?? []
  const unfollowing = keeping(planned.plan, following)
  const plan = keeping(unfollowing, soleKept(reader, own, planned, meanwhile), flagTaken)
  return plan === planned.plan ? planned : { ...planned, plan }
}

/** Undoes what has followed from what is undone now, also what the author does not see; what cannot be undone stays. */
export function undoAside(tx: Writer, entries: readonly UndoEntry[], terms: Terms): void {
  if (entries.length === 0) return
  const writer = tx.unrestricted.as(causedBy(tx.unrestricted.origin, { aside: true }))
  undoEach(writer, planAll(writer, entries, terms.resources, tx.origin.requestId), terms)
}

function attempt(tx: Writer, planned: Planned, terms: Terms, displaced: Displaced): ApiError | undefined {
  try {
    tx.attempt(() => undoOne(tx, planned, terms, displaced))
    return undefined
  } catch (error) {
    if (!isObstacle(error)) throw error
    return asShown(error, planned, terms)
  }
}

/** The error with the record that holds a taken value, if it may be named. */
export function asShown(error: ApiError, { entry }: Planned, { resources, mayRead }: Terms): ApiError {
  return named(error, () => mayRead(findResource(resources, entry.resource)))
}

/** Throws CONFLICT if changes are never undone, or follow other records as long as these are not undone. */
export function requireUndoable(reader: Reader, planned: Planned, terms: Terms, meanwhile: Foreseen): void {
  const { entry, plan } = planned
  const reason = refusalOf(entry, plan) ?? findResource(terms.resources, entry.resource).refusesUndo?.(plan.fields)
  if (reason !== undefined) throw new ApiError('CONFLICT', reason)
  const keptIn = keepingIn(reader, planned, terms, meanwhile)
  if (keptIn !== planned) throw new ApiError('CONFLICT', keptIn.plan.kept ?? followsOthers)
}

/** The changes of an undo name those that they revert. */
function undoOne(tx: Writer, planned: Planned, terms: Terms, displaced: Displaced): void {
  requireUndoable(tx, planned, terms, nothingForeseen)
  const { entry, plan } = planned
  const resource = findResource(terms.resources, entry.resource)
  const rival = rivalOf(tx, resource, planned, nothingForeseen)
  const writer = tx.as(causedBy(tx.origin, { reverts: entry.seq }))
  applyPlan(resource, writer, entry.recordId, givingWay(plan, resource, rival), terms)
  if (rival?.isDisplaced) displaced.set(rival.id, resource)
}

function planOf(
  reader: Reader,
  entry: UndoEntry,
  resources: readonly Resource[],
  requestId: string | undefined,
): Planned {
  const { recordId, seq, force, begun, stays = [] } = entry
  const selected = new Set(seq)
  const isOwn = (change: RecordStep) => change.seq > begun && change.requestId === requestId && change.isCaused
  const changes = changesSince(reader, recordId, seq[0]!).filter((change) => selected.has(change.seq) || !isOwn(change))
  const previousOf = (number: number) => lookupPrevious(reader, number)
  const resource = findResource(resources, entry.resource)
  const current = () => currentOf(resource, reader, recordId)
  const following = () => resource.keptByUndo?.(reader, recordId, new Map()) ?? []
  const broken = changes.some(({ isCaused }) => isCaused) ? changesOfBrokenMerges(reader, seq) : []
  const kept = [...broken, ...stays]
  for (const number of kept) selected.delete(number)
  const { goesWith = {} } = resource
  const whole = planUndo({ changes, selected, force, previousOf, current, following, goesWith })
  const named = keepingNamed(whole, resource, () => lookupAnyRow(resource, reader, recordId))
  const newest = newestOf(reader, recordId)
  const plan = withFlag(reader, resource, { entry, plan: named, newest })
  if (kept.length === 0) return { entry, plan, newest }
  const names = kept.flatMap((number) => Object.keys(formerOf(previousOf(number) ?? '{}')))
  const keptFields = [...new Set([...plan.keptFields, ...names])].filter((name) => !Object.hasOwn(plan.fields, name))
  const why = `A record of the merge ${broken.length > 0 ? 'has been erased' : 'cannot be restored'}`
  const isKept = plan.kept !== undefined ? { kept: why } : {}
  return { entry, plan: { ...plan, keptFields, ...isKept }, newest }
}

export function findResource(resources: readonly Resource[], name: string): Resource {
  return resources.find((each) => each.name === name)!
}
