import { findLimits } from '../access/plan.ts'
import { lookupCreation } from '../changes/stored-change.ts'
import {
  addOutcomes,
  type Batch,
  hasBatch,
  isDue,
  lookupBatch,
  type Outcome,
  positionOf,
  remainingRecords,
  removeBatch,
  storeOutcome,
} from '../crm/bulk-batch.ts'
import { advanceJob, beginJob, bulkJob, imported, undoType } from '../crm/bulk-job.ts'
import { resources } from '../crm/index.ts'
import { hasIndexing, indexSome } from '../engine/declared/declare.ts'
import type { Limits } from '../engine/write/write.ts'
import { errorFields, log } from '../lib/log.ts'
import type { Actor, Origin } from '../store/change-log.ts'
import type { Reader, Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { importRow } from './import-rows.ts'
import { isPassing, type RowWork } from './row-work.ts'
import { undoRow } from './undo-rows.ts'

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
export async function runBatch(store: Store, workspaceId: number, isWanted = () => false): Promise<Turn> {
  try {
    const reader = store.workspace(workspaceId)
    if (hasIndexing(reader)) {
      await store.write(workspaceId, (tx) => indexSome(resources, tx, isWanted))
      return 'imported'
    }
    const batch = lookupBatch(reader)
    if (!batch) return 'idle'
    const limits = findLimits(store.access, workspaceId)
    const position = positionOf(batch)
    const records = remainingRecords(batch, position)
    const prepare = preparing(batch, reader, limits)
    // Validated before the transaction, which holds the write lock.
    const rows = records
      .slice(0, isWanted() ? rowsDuringWrites : records.length)
      .map((record, index) => prepare(record, position.firstRow + index))
    const advance = (tx: Writer) => {
      if (!isDue(tx, batch)) return
      const now = runRows(tx, rows, isWanted)
      const outcome = addOutcomes(position.outcome, now)
      if (now.succeeded + now.failed < records.length) {
        beginJob(tx, batch.job_id)
        storeOutcome(tx, batch, outcome)
        return
      }
      advanceJob(tx, batch.job_id, outcome)
      removeBatch(tx, batch)
    }
    await store.write(workspaceId, advance, originOf(reader, batch))
    return 'imported'
  } catch (error) {
    log('a batch was not imported', { workspace_id: workspaceId, ...errorFields(error) })
    return isPassing(error) ? 'unavailable' : 'broken'
  }
}

/** Prepares the rows of a job: of an undo, or of an import. */
function preparing({ type }: Batch, reader: Reader, limits: Limits): (text: string, row: number) => RowWork {
  if (type === undoType) return (text, row) => undoRow([...resources, bulkJob], limits, text, row)
  const resource = imported[type]!
  return (text, row) => importRow(resource, reader, limits, text, row)
}

/** An import is the author of its records. An undo is the work of the one who asked for it. */
function originOf(reader: Reader, { type, job_id }: Batch): Origin {
  const creation = lookupCreation(reader, job_id)
  const job: Actor = { type: 'import', id: job_id }
  return { actor: (type === undoType && creation?.actor) || job, requestId: creation?.requestId ?? undefined }
}

/** Runs the rows in order. */
function runRows(tx: Writer, rows: readonly RowWork[], isWanted: () => boolean): Outcome {
  const outcome: Outcome = { succeeded: 0, failed: 0, errors: [] }
  for (const [index, run] of rows.entries()) {
    if (index >= rowsDuringWrites && isWanted()) break
    const errors = run(tx)
    outcome.errors.push(...errors)
    if (errors.length > 0) outcome.failed++
    else outcome.succeeded++
  }
  return outcome
}
