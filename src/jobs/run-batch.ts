import { findLimits } from '../access/plan.ts'
import { lookupRequestId } from '../changes/stored-change.ts'
import {
  addOutcomes,
  isDue,
  lookupBatch,
  type Outcome,
  positionOf,
  type RowError,
  remainingRecords,
  removeBatch,
  storeOutcome,
} from '../crm/bulk-batch.ts'
import { advanceJob, beginJob, imported, notAnObject, tooLarge } from '../crm/bulk-job.ts'
import type { Resource } from '../engine/definition/define.ts'
import { isPlainObject } from '../engine/definition/fields.ts'
import { parseJson } from '../engine/write/exact-numbers.ts'
import { type Input, readCreate } from '../engine/write/validate.ts'
import { insert, type Limits } from '../engine/write/write.ts'
import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'
import { toApiError } from '../store/constraint.ts'
import type { Reader, Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'

/**
 * The result of a workspace's turn: it `imported` records, or was `idle` because there are none. `unavailable`: the disk or a lock
 * failed, try again. `broken`: a bug, or the thread died.
 */
export type Turn = 'imported' | 'idle' | 'unavailable' | 'broken'

interface ValidRow {
  row: number
  input: Input
}

/** A valid record, or its errors. */
type Row = ValidRow | { row: number; errors: RowError[] }

interface Terms {
  limits: Limits
  isWanted: () => boolean
}

/** The maximum number of rows that a transaction imports while other writes wait for its lock and for the sync of its pages. */
const rowsDuringWrites = 20

/**
 * Imports the next batch of a workspace. The transaction also stores the outcome, so each record is imported once. If `isWanted`
 * reports that writes are waiting, the transaction ends early and the batch continues in the next turn; the job's progress counts
 * complete batches only (decision D13).
 */
export async function runBatch(store: Store, workspaceId: number, isWanted = () => false): Promise<Turn> {
  try {
    const reader = store.workspace(workspaceId)
    const batch = lookupBatch(reader)
    if (!batch) return 'idle'
    const resource = imported[batch.type]!
    const limits = findLimits(store.access, workspaceId)
    const position = positionOf(batch)
    const records = remainingRecords(batch, position)
    // Validated before the transaction, which holds the write lock.
    const rows = records
      .slice(0, isWanted() ? rowsDuringWrites : records.length)
      .map((record, index) => checkRecord(resource, reader, record, position.firstRow + index))
    const advance = (tx: Writer) => {
      if (!isDue(tx, batch)) return
      const now = importRows(resource, tx, rows, { limits, isWanted })
      const outcome = addOutcomes(position.outcome, now)
      if (now.succeeded + now.failed < records.length) {
        beginJob(tx, batch.job_id)
        storeOutcome(tx, batch, outcome)
        return
      }
      advanceJob(tx, batch.job_id, outcome)
      removeBatch(tx, batch)
    }
    const requestId = lookupRequestId(reader, batch.job_id)
    await store.write(workspaceId, advance, { actor: { type: 'import', id: batch.job_id }, requestId })
    return 'imported'
  } catch (error) {
    log('a batch was not imported', { workspace_id: workspaceId, ...errorFields(error) })
    return isPassing(error) ? 'unavailable' : 'broken'
  }
}

function checkRecord(resource: Resource, reader: Reader, text: string, row: number): Row {
  const record = parseJson(text)
  if (typeof record === 'number') return { row, errors: [{ row, error: tooLarge(record) }] }
  if (!isPlainObject(record)) return { row, errors: [{ row, error: notAnObject }] }
  try {
    return { row, input: readCreate(resource, reader, record) }
  } catch (error) {
    return { row, errors: rowErrors(row, error) }
  }
}

/** Imports the rows in order, each in a savepoint, so that one that fails does not undo the others. */
function importRows(resource: Resource, tx: Writer, rows: readonly Row[], { limits, isWanted }: Terms): Outcome {
  const outcome: Outcome = { succeeded: 0, failed: 0, errors: [] }
  for (const [index, each] of rows.entries()) {
    if (index >= rowsDuringWrites && isWanted()) break
    const errors = 'errors' in each ? each.errors : importRow(resource, tx, each, limits)
    outcome.errors.push(...errors)
    if (errors.length > 0) outcome.failed++
    else outcome.succeeded++
  }
  return outcome
}

function importRow(resource: Resource, tx: Writer, { row, input }: ValidRow, limits: Limits): RowError[] {
  try {
    tx.attempt(() => insert(resource, tx, input, limits))
    return []
  } catch (error) {
    return rowErrors(row, error)
  }
}

/** The errors of a record (decision D8). Throws any error that is not caused by the record. */
function rowErrors(row: number, error: unknown): RowError[] {
  if (isPassing(error)) throw error
  if (error instanceof ApiError) {
    return (
      error.details?.map(({ field, message }) => ({ row, field, error: message })) ?? [{ row, error: error.message }]
    )
  }
  log('a record was not imported', { row, ...errorFields(error) })
  return [{ row, error: 'The record could not be processed' }]
}

function isPassing(error: unknown): boolean {
  const known = toApiError(error)
  return known instanceof ApiError && known.code === 'SERVICE_UNAVAILABLE'
}
