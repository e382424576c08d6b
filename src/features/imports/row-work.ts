import { holdersOf } from '../../engine/records/holders.ts'
import type { Limits } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import { errorFields, log } from '../../lib/log.ts'
import { isPassing } from '../../store/constraint.ts'
import type { Writer } from '../../store/reader.ts'
import type { RowError, RowResult } from './results.ts'

/** Processes a row of a job in a transaction. */
export type RowWork = (tx: Writer, limits: Limits) => RowResult

/** Runs the work of a row in a savepoint, so that a row that fails does not undo the others. */
export function inSavepoint(run: (tx: Writer, limits: Limits) => Omit<RowResult, 'errors'>): RowWork {
  return (tx, limits) => {
    try {
      return { ...tx.attempt(() => run(tx, limits)), errors: [] }
    } catch (error) {
      return failed(rowErrors(error))
    }
  }
}

export function failed(errors: RowError[]): RowResult {
  return { outcome: 'failed', id: null, errors }
}

/** The errors of a row (decision D8). Throws any error that is not caused by the row. */
export function rowErrors(error: unknown): RowError[] {
  if (isPassing(error)) throw error
  if (error instanceof ApiError) {
    const held = holdersOf(error)
    const errors = error.details?.map(({ field, message, code }) => ({ field, error: message, code })) ?? [
      { error: error.message, code: error.code },
    ]
    return held ? errors.map((each) => ({ ...each, holders: held })) : errors
  }
  log('a record was not processed', errorFields(error))
  return [{ error: 'The record could not be processed', code: 'INTERNAL_ERROR' }]
}
