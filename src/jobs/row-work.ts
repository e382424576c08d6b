import type { RowError } from '../crm/bulk-batch.ts'
import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'
import { toApiError } from '../store/constraint.ts'
import type { Writer } from '../store/reader.ts'

/** Processes a row of a job in a transaction. Returns its errors. */
export type RowWork = (tx: Writer) => RowError[]

/** Runs the work of a row in a savepoint, so that a row that fails does not undo the others. */
export function inSavepoint(row: number, run: (tx: Writer) => void): RowWork {
  return (tx) => {
    try {
      tx.attempt(() => run(tx))
      return []
    } catch (error) {
      return rowErrors(row, error)
    }
  }
}

/** The errors of a row (decision D8). Throws any error that is not caused by the row. */
export function rowErrors(row: number, error: unknown): RowError[] {
  if (isPassing(error)) throw error
  if (error instanceof ApiError) {
    return (
      error.details?.map(({ field, message }) => ({ row, field, error: message })) ?? [{ row, error: error.message }]
    )
  }
  log('a record was not processed', { row, ...errorFields(error) })
  return [{ row, error: 'The record could not be processed' }]
}

/** Whether the disk or a lock failed, so that the work can be done again. */
export function isPassing(error: unknown): boolean {
  const known = toApiError(error)
  return known instanceof ApiError && known.code === 'SERVICE_UNAVAILABLE'
}
