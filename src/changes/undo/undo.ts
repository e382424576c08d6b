import type { Resource } from '../../engine/definition/resource.ts'
import type { Limits } from '../../engine/write/write.ts'
import { ApiError } from '../../errors.ts'
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
  bulk_job: 'A job is not undone: undo its changes by its bulk_job_id',
}

/** The changes of one record to undo. */
export interface UndoEntry {
  resource: string
  recordId: string
  /** The numbers of the changes, oldest first. */
  seq: number[]
  /** Whether to undo also what was changed again since. */
  force: boolean
  /** The id of the request that asked for the undo. What it has undone so far does not count as changed again. */
  requestId: string | undefined
}

interface Terms {
  readonly resources: readonly Resource[]
  readonly limits: Limits
}

/** Groups changes by record, the newest first. */
export function entriesOf(
  selected: readonly StoredChange[],
  force: boolean,
  requestId: string | undefined,
): UndoEntry[] {
  const byRecord = Map.groupBy(selected.toReversed(), ({ recordId }) => recordId)
  return [...byRecord].map(([recordId, changes]) => {
    const seq = changes.map((change) => change.seq).reverse()
    return { resource: changes[0]!.resource, recordId, seq, force, requestId }
  })
}

/** Undoes changes in one transaction. What they mean is planned before any is undone, because one can affect another. */
export function undoChanges(tx: Writer, entries: readonly UndoEntry[], terms: Terms): UndoReport {
  const report: UndoReport = { reversed: [], kept: [], errored: [] }
  const planned = entries.map((entry) => ({ entry, plan: planOf(tx, entry) }))
  for (const { entry, plan } of planned) {
    const { resource, recordId, seq } = entry
    const undone: Undone = { resource, record_id: recordId, seq, ...shown(plan), code: null, message: null }
    if (plan.kept !== undefined) report.kept.push({ ...undone, message: plan.kept })
    else attempt(tx, report, undone, () => apply(tx, entry, plan, terms))
  }
  return report
}

/** Undoes the changes of one record. Throws ApiError if something is in the way, or if everything is kept. */
export function undoRecord(tx: Writer, entry: UndoEntry, terms: Terms): void {
  const plan = planOf(tx, entry)
  if (plan.kept !== undefined) throw new ApiError('CONFLICT', `${plan.kept}: it was kept`)
  apply(tx, entry, plan, terms)
}

function planOf(tx: Writer, { recordId, seq, force, requestId }: UndoEntry): Plan {
  const selected = new Set(seq)
  const isOwn = (change: StoredChange) => change.requestId === requestId && change.cause !== null
  const changes = changesSince(tx, recordId, seq[0]!).filter((change) => selected.has(change.seq) || !isOwn(change))
  return planUndo({ changes, selected, force })
}

/** The changes of an undo name those that they revert. */
function apply(
  tx: Writer,
  { resource: name, recordId, seq }: UndoEntry,
  plan: Plan,
  { resources, limits }: Terms,
): void {
  const reason = final[name]
  if (reason !== undefined) throw new ApiError('CONFLICT', reason)
  const resource = resources.find((each) => each.name === name)!
  const writer = tx.as({ ...tx.origin, cause: JSON.stringify({ reverts: seq }) })
  applyPlan(resource, writer, recordId, plan, limits)
}

function shown({ fields, keptFields }: Plan): Pick<Undone, 'fields' | 'kept_fields'> {
  return { fields: Object.keys(fields), kept_fields: keptFields }
}

/** Undoes the changes of one record completely or not at all. */
function attempt(tx: Writer, report: UndoReport, undone: Undone, run: () => void): void {
  try {
    tx.attempt(run)
    report.reversed.push(undone)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'SERVICE_UNAVAILABLE') throw error
    report.errored.push({ ...undone, fields: [], code: error.code, message: error.message })
  }
}
