import { ApiError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import type { JobError } from './bulk-batch.ts'
import { countResults, lookupResults, type RowResult } from './bulk-results.ts'

interface Progress {
  status: string
  processed_records: number
  errors: string
}

/** The rows of a failed job that are made at once. */
const rowsAtOnce = 1_000

/**
 * The results of the rows that a job's progress counts, as lines of JSON, a part at a time. Of a job that has failed, the rows that it did
 * not process have failed for its reason. Throws NOT_FOUND if the job ran before results were stored.
 */
export function streamResults(reader: Reader, jobId: string, shows: { showsIds: boolean }): AsyncIterable<string> {
  const sql = 'SELECT status, processed_records, errors FROM bulk_job WHERE workspace_id = :workspace AND id = ?'
  const { status, processed_records, errors } = reader.row<Progress>(sql, jobId)!
  const reason = status === 'failed' ? (JSON.parse(errors) as JobError[]).at(-1) : undefined
  const until = reason ? reason.row - 1 : processed_records
  if (countResults(reader, jobId) < until) throw new ApiError('NOT_FOUND', 'This job has no stored results')
  return partsOf()

  async function* partsOf(): AsyncGenerator<string> {
    for (let row = 1; row <= until; ) {
      const results = lookupResults(reader, jobId, row)
      if (!results) throw new Error('The results were removed while they were read')
      yield linesOf(results, row, shows.showsIds)
      row += results.length
    }
    const failed: RowResult = { outcome: 'failed', id: null, errors: [{ error: reason?.error ?? '' }] }
    for (let row = until + 1; row <= processed_records; row += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, processed_records - row + 1)
      yield linesOf(Array<RowResult>(count).fill(failed), row, false)
    }
  }
}

function linesOf(results: readonly RowResult[], firstRow: number, showsIds: boolean): string {
  const lines = results.map(({ outcome, id, errors }, index) =>
    JSON.stringify({ row: firstRow + index, outcome, id: showsIds ? id : null, errors }),
  )
  return `${lines.join('\n')}\n`
}
