import type { Resource } from '../../engine/definition/resource.ts'
import type { Caller } from '../../engine/route.ts'
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

interface Undo {
  readonly resources: readonly Resource[]
  readonly requireWrite: (caller: Caller, resource: Resource) => void
  readonly caller: Caller
  readonly force: boolean
}

/** Undoes the selected changes, the newest first. Throws INSUFFICIENT_PERMISSIONS. */
export function undoChanges(tx: Writer, selected: readonly StoredChange[], undo: Undo): UndoReport {
  const byRecord = [...Map.groupBy(selected.toReversed(), ({ recordId }) => recordId).values()]
  const report: UndoReport = { reversed: [], kept: [], errored: [] }
  const planned = byRecord.map((changes) => {
    const resource = undo.resources.find(({ name }) => name === changes[0]!.resource)!
    undo.requireWrite(undo.caller, resource)
    const seqs = changes.map(({ seq }) => seq).reverse()
    const all = changesSince(tx, changes[0]!.recordId, seqs[0]!)
    return {
      resource,
      seqs,
      id: changes[0]!.recordId,
      plan: planUndo({ changes: all, selected: new Set(seqs), force: undo.force }),
    }
  })
  for (const { resource, seqs, id, plan } of planned) {
    const entry = entryOf(resource, id, seqs, plan)
    const failure = final[resource.name] === undefined ? undefined : new ApiError('CONFLICT', final[resource.name]!)
    if (failure) report.errored.push({ ...entry, fields: [], code: failure.code, message: failure.message })
    else if (plan.kept !== undefined) report.kept.push({ ...entry, message: plan.kept })
    else attempt(tx, report, entry, (part) => applyPlan(resource, part, id, plan, undo.caller.limits))
  }
  return report
}

function entryOf({ name }: Resource, recordId: string, seq: number[], plan: Plan): Undone {
  const { fields, keptFields } = plan
  return {
    ...{ resource: name, record_id: recordId, seq, fields: Object.keys(fields), kept_fields: keptFields },
    ...{ code: null, message: null },
  }
}

/** Undoes the changes of one record completely or not at all. Its own changes name those that they revert. */
function attempt(tx: Writer, report: UndoReport, entry: Undone, run: (tx: Writer) => void): void {
  const cause = JSON.stringify({ reverts: entry.seq })
  try {
    tx.attempt(() => run(tx.as({ ...tx.origin, cause })))
    report.reversed.push(entry)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'SERVICE_UNAVAILABLE') throw error
    report.errored.push({ ...entry, fields: [], code: error.code, message: error.message })
  }
}
