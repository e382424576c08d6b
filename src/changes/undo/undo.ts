import type { Resource } from '../../engine/definition/resource.ts'
import { dataText } from '../../engine/select.ts'
import type { Limits } from '../../engine/write/write.ts'
import { ApiError } from '../../errors.ts'
import { causedBy } from '../../store/change-log.ts'
import type { Writer } from '../../store/reader.ts'
import type { StoredChange } from '../stored-change.ts'
import { applyPlan } from './apply.ts'
import { type Plan, planUndo } from './plan.ts'
import { changesSince } from './select.ts'

/** What happened to one record. */
export interface Undone {
  resource: string
  record_id: string
  /** The numbers of the selected changes. */
  seq: number[]
  fields: readonly string[]
  kept_fields: readonly string[]
  code: string | null
  message: string | null
}

export interface UndoReport {
  reversed: Undone[]
  kept: Undone[]
  errored: Undone[]
}

/** Resources whose changes are never undone, with the reason. */
const final: Readonly<Record<string, string>> = {
  activity: 'Activities are never changed or deleted',
  api_key: 'Changes of API keys are not undone: change or revoke the key',
  user: 'Changes of users are not undone: change the user',
  webhook: 'Changes of webhooks are not undone: change the webhook',
  bulk_job: 'A job is not undone: undo its changes by its bulk_job_id',
}

/** Those whose records are moved by a merge, which is undone (decision K6). */
const movable: readonly string[] = ['activity']

/** The changes of one record to undo. */
export interface UndoEntry {
  resource: string
  recordId: string
  /** The numbers of the changes, oldest first. */
  seq: number[]
  /** Whether to undo also what was changed again since. */
  force: boolean
  /** The newest change when the undo began: what the undo itself has changed since does not count as changed again. */
  begun: number
}

interface Terms {
  readonly resources: readonly Resource[]
  readonly limits: Limits
}

interface Planned {
  entry: UndoEntry
  plan: Plan
}

/** Groups changes by record, the newest first. */
export function entriesOf(selected: readonly StoredChange[], force: boolean, begun: number): UndoEntry[] {
  const byRecord = Map.groupBy(selected.toReversed(), ({ recordId }) => recordId)
  return [...byRecord].map(([recordId, changes]) => {
    const seq = changes.map((change) => change.seq).reverse()
    return { resource: changes[0]!.resource, recordId, seq, force, begun }
  })
}

/**
 * Undoes changes in one transaction. What they mean is planned before any is undone, because one can affect another. All records are tried
 * together first: in a dry run, a savepoint for each would take five times as long. If that fails, each is tried by itself. What is in the
 * way of one record may be undone with another: what fails is tried again as long as something else succeeds.
 */
export function undoChanges(tx: Writer, entries: readonly UndoEntry[], terms: Terms): UndoReport {
  const report: UndoReport = { reversed: [], kept: [], errored: [] }
  const planned: Planned[] = entries.map((entry) => ({ entry, plan: planOf(tx, entry, terms) }))
  const isKept = ({ entry, plan }: Planned) => plan.kept !== undefined && refusalOf(entry, plan) === undefined
  report.kept = planned.filter(isKept).map(({ entry, plan }) => ({ ...undoneOf(entry, plan), message: plan.kept! }))
  let pending = planned.filter((each) => !isKept(each))
  if (attempt(tx, pending, terms) === undefined) {
    return { ...report, reversed: pending.map(({ entry, plan }) => undoneOf(entry, plan)) }
  }
  for (let before = 0; pending.length !== before; ) {
    before = pending.length
    report.errored = []
    pending = pending.filter((each) => {
      const undone = undoneOf(each.entry, each.plan)
      const error = attempt(tx, [each], terms)
      if (error) report.errored.push({ ...undone, fields: [], code: error.code, message: error.message })
      else report.reversed.push(undone)
      return error !== undefined
    })
  }
  return report
}

function undoneOf({ resource, recordId, seq }: UndoEntry, { fields, keptFields }: Plan): Undone {
  const names = { fields: Object.keys(fields), kept_fields: keptFields }
  return { resource, record_id: recordId, seq, ...names, code: null, message: null }
}

/** Undoes the changes of one record. Throws ApiError if something is in the way, or if everything is kept. */
export function undoRecord(tx: Writer, entry: UndoEntry, terms: Terms): void {
  const plan = planOf(tx, entry, terms)
  requireUndoable(entry, plan)
  if (plan.kept !== undefined) throw new ApiError('CONFLICT', `${plan.kept}: it was kept`)
  apply(tx, entry, plan, terms)
}

/** Why changes of a record are never undone, if so. */
function refusalOf({ resource }: UndoEntry, { existence }: Plan): string | undefined {
  return movable.includes(resource) && existence === undefined ? undefined : final[resource]
}

function requireUndoable(entry: UndoEntry, plan: Plan): void {
  const reason = refusalOf(entry, plan)
  if (reason !== undefined) throw new ApiError('CONFLICT', reason)
}

function planOf(tx: Writer, { resource, recordId, seq, force, begun }: UndoEntry, terms: Terms): Plan {
  const selected = new Set(seq)
  const isOwn = (change: StoredChange) =>
    change.seq > begun && change.requestId === tx.origin.requestId && change.cause !== null
  const changes = changesSince(tx, recordId, seq[0]!).filter((change) => selected.has(change.seq) || !isOwn(change))
  return planUndo({ changes, selected, force, current: currentOf(findResource(terms, resource), tx, recordId) })
}

/** The values of a record by the names that the log uses. */
function currentOf(resource: Resource, tx: Writer, id: string): Record<string, unknown> {
  const record = JSON.parse(dataText(resource, tx, id) ?? '{}')
  const items = Object.entries(resource.collections).map(([name, { as }]) => [name, record[as]])
  return { ...record, ...Object.fromEntries(items) }
}

function findResource({ resources }: Terms, name: string): Resource {
  return resources.find((each) => each.name === name)!
}

/** The changes of an undo name those that they revert. */
function apply(tx: Writer, { resource, recordId, seq }: UndoEntry, plan: Plan, terms: Terms): void {
  const writer = tx.as(causedBy(tx.origin, { reverts: seq }))
  applyPlan(findResource(terms, resource), writer, recordId, plan, terms.limits)
}

/** Undoes the changes of records completely or not at all. Returns what is in the way. */
function attempt(tx: Writer, planned: readonly Planned[], terms: Terms): ApiError | undefined {
  try {
    for (const { entry, plan } of planned) requireUndoable(entry, plan)
    tx.attempt(() => {
      for (const { entry, plan } of planned) apply(tx, entry, plan, terms)
    })
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return error
  }
}
