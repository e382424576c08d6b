import { type Rights, rightsOfAuthor } from '../../access/author-rights.ts'
import { findLimits } from '../../access/plan.ts'
import type { Logged, UndoEntry } from '../../changes/logged.ts'
import { lookupCreation } from '../../changes/stored-change.ts'
import { takeLinksBack } from '../../changes/undo/links.ts'
import type { Planned } from '../../changes/undo/plan.ts'
import { erroredOf, type UndoReport } from '../../changes/undo/report.ts'
import { requireRights } from '../../changes/undo/rights.ts'
import { planAll, undoEach } from '../../changes/undo/undo.ts'
import { hasIndexing, indexSome } from '../../engine/records/declared/declare.ts'
import { holdersOf } from '../../engine/records/holders.ts'
import type { Limits } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import type { Actor, Origin } from '../../store/change-log.ts'
import { isPassing } from '../../store/constraint.ts'
import { logUnlessFull } from '../../store/disk-state.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import type { Store } from '../../store/store.ts'
import {
  addOutcomes,
  type Batch,
  hasBatch,
  isDue,
  lookupBatch,
  outcomeOf,
  type Position,
  positionOf,
  remainingRecords,
  removeBatch,
  removeBatches,
  storeOutcome,
} from './batch.ts'
import { type EarlierRow, earlierRows, nextPart, rehearse, repeating } from './dry-run.ts'
import { type Import, importRow } from './import-rows.ts'
import { imported, undoType } from './imported.ts'
import { advanceJob, beginJob } from './job.ts'
import { insertResults, type RowResult } from './results.ts'
import { failed, type RowWork, rowErrors } from './row-work.ts'

/**
 * The result of a workspace's turn: it `imported` or indexed records, or was `idle` because there are none. `unavailable`: the disk or a lock
 * failed, try again. `broken`: a bug, or the thread died.
 */
export type Turn = 'imported' | 'idle' | 'unavailable' | 'broken'

/** The maximum number of rows that a transaction imports while other writes wait for its lock and for the sync of its pages. */
const rowsDuringWrites = 20

/** Whether a workspace has work for its turn. */
export function hasWork(reader: Reader): boolean {
  return hasBatch(reader) || hasIndexing(reader)
}

/**
 * Indexes declared fields (decision J3), or imports the next batch of a workspace. The transaction also stores the outcome, so each record is imported once. If `isWanted`
 * reports that writes are waiting, the transaction ends early and the batch continues in the next turn; the job's progress counts
 * complete batches only (decision D13).
 */
export async function runBatch(
  store: Store,
  logged: Logged,
  workspaceId: number,
  isWanted = () => false,
): Promise<Turn> {
  try {
    const reader = store.workspace(workspaceId)
    if (hasIndexing(reader)) {
      await store.write(workspaceId, (tx) => indexSome(logged.resources, tx, isWanted))
      return 'imported'
    }
    const batch = lookupBatch(reader)
    if (!batch) return 'idle'
    const position = positionOf(batch)
    const records = remainingRecords(batch, position)
    // Validated before the transaction, which holds the write lock.
    const limits = findLimits(store.access, workspaceId)
    const run = prepare({ reader, logged, batch, position, limits, isWanted }, records)
    const advance = (tx: Writer) => {
      if (!isDue(tx, batch)) return
      const results = run(tx)
      insertResults(tx, batch.job_id, position.firstRow, results)
      const outcome = addOutcomes(position.outcome, outcomeOf(results, position.firstRow))
      if (results.length < records.length) {
        beginJob(tx, batch.job_id)
        storeOutcome(tx, batch, outcome)
        return
      }
      const hasEnded = advanceJob(tx, batch.job_id, outcome)
      if (batch.dry_run === 0) removeBatch(tx, batch)
      else if (hasEnded) removeBatches(tx, batch.job_id)
    }
    await store.write(workspaceId, advance, originOf(reader, batch))
    return 'imported'
  } catch (error) {
    logUnlessFull('a batch was not imported', error, { workspace_id: workspaceId })
    return isPassing(error) ? 'unavailable' : 'broken'
  }
}

interface Turning {
  reader: Reader
  logged: Logged
  batch: Batch
  position: Position
  limits: Limits
  isWanted(): boolean
}

/** Prepares rows, given as JSON. The work runs them in order, at least the first ones. */
function prepare({ reader, logged, batch, position, limits, isWanted }: Turning, texts: readonly string[]) {
  const first = isWanted() ? texts.slice(0, rowsDuringWrites) : texts
  if (batch.type === undoType) {
    const { requestId } = originOf(reader, batch)
    const rightsIn = rightsOf(reader, batch)
    const rows = first.map((text) => undoRow({ logged, reader, requestId, rightsIn }, text))
    return (tx: Writer) => runRows(tx, rows, limits, isWanted)
  }
  const job = importOf(reader, batch)
  if (batch.dry_run === 0) {
    const rows = first.map((text) => importRow(job, text))
    return (tx: Writer) => runRows(tx, rows, limits, isWanted)
  }
  let known: EarlierRow[] | undefined
  const before = () => (known ??= earlierRows(reader, batch, position))
  const part = nextPart(job, before, first)
  const repeat = repeating(job, before, part)
  const rows = part.rows.map((text) => importRow(job, text))
  const created = batch.created_records + position.outcome.created
  const { resource } = job
  return (tx: Writer) => rehearse(tx, { resource, created, repeat, run: () => runRows(tx, rows, limits, isWanted) })
}

function importOf(reader: Reader, batch: Batch): Import {
  const { type, match_on, mode } = batch
  return {
    ...{ resource: imported[type]!, reader, matchOn: match_on, mode: mode ?? 'merge', isDryRun: batch.dry_run === 1 },
    rightsIn: rightsOf(reader, batch),
  }
}

/** The rights that the one who asked for a job has now. They are read once in a transaction. */
function rightsOf(reader: Reader, { job_id }: Batch): (tx: Writer) => Rights {
  const author = lookupCreation(reader, job_id)?.actor
  const known = new WeakMap<Writer, Rights>()
  return (tx) => {
    const rights = known.get(tx) ?? rightsOfAuthor(tx.access, author, tx.now)
    known.set(tx, rights)
    return rights
  }
}

/** An import is the author of its records. An undo is the work of the one who asked for it. */
function originOf(reader: Reader, { type, job_id }: Batch): Origin {
  const creation = lookupCreation(reader, job_id)
  const job: Actor = { type: 'import', id: job_id }
  return { actor: (type === undoType && creation?.actor) || job, requestId: creation?.requestId ?? undefined }
}

function runRows(tx: Writer, rows: readonly RowWork[], limits: Limits, isWanted: () => boolean): RowResult[] {
  const results: RowResult[] = []
  for (const [index, run] of rows.entries()) {
    if (index >= rowsDuringWrites && isWanted()) break
    results.push(run(tx, limits))
  }
  return results
}

interface Undoing {
  reader: Reader
  logged: Logged
  rightsIn(tx: Writer): Rights
  requestId: string | undefined
}

/**
 * The work of a row of an undo, given as JSON: the changes of one record. It is planned now, before the transaction. What is kept is an error
 * of the row, and so is what the one who asked for it may not write any more. `requestId`: of the undo.
 */
function undoRow({ logged, reader, requestId, rightsIn }: Undoing, text: string): RowWork {
  const { resources } = logged
  const entry = JSON.parse(text) as UndoEntry
  const planned = planAll(reader, [entry], resources, requestId)
  return (tx, limits) => {
    try {
      const terms = { resources, limits, mayRead: () => false }
      const rights = rightsIn(tx)
      const refusal = refusalOf(logged, tx, rights, entry)
      const own = tx.as({ ...tx.origin, view: rights.viewer })
      const { reversed, kept, errored } = refusal ? refusedAll(planned, refusal) : undoEach(own, planned, terms)
      takeLinksBack(own, reversed, terms)
      if (reversed[0]) return { outcome: 'updated', id: entry.recordId, errors: [], undone: reversed[0] }
      if (errored[0]) {
        const [undone, holders] = [errored[0], holdersOf(errored[0])]
        return { ...failed([{ error: undone.message!, code: undone.code!, ...(holders && { holders }) }]), undone }
      }
      return { ...failed([{ error: `${kept[0]!.message}: it was kept`, code: 'CONFLICT' }]), undone: kept[0]! }
    } catch (error) {
      return failed(rowErrors(error))
    }
  }
}

function refusalOf(logged: Logged, tx: Writer, rights: Rights, entry: UndoEntry): ApiError | undefined {
  try {
    requireRights(logged, tx, rights, [entry])
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function refusedAll(planned: readonly Planned[], refusal: ApiError): UndoReport {
  return { reversed: [], kept: [], errored: planned.map((each) => erroredOf(each, refusal)) }
}
