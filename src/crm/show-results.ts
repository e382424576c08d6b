import { type ApiResponse, linesType } from '../engine/http-response.ts'
import { ApiError } from '../errors.ts'
import type { Reader } from '../store/reader.ts'
import type { JobError } from './bulk-batch.ts'
import { recordsMax } from './bulk-records.ts'
import { countResults, lookupResults, type RowResult, resultsLength } from './bulk-results.ts'

/** The rows of a failed job that are made at once. */
const rowsAtOnce = 1_000
/** In characters: results up to this length are sent at once. */
const shortMax = 2 ** 18

/**
 * The results of the rows that a job's progress counts, as lines of JSON. Long ones are read and sent a part at a time. Throws NOT_FOUND if
 * the job ran before results were stored.
 */
export function showResults(reader: Reader, jobId: string, { showsIds }: { showsIds: boolean }): ApiResponse {
  const progress = findProgress(reader, jobId)
  if (countResults(reader, jobId) < progress.stored) throw new ApiError('NOT_FOUND', 'This job has no stored results')
  const parts = partsOf(reader, jobId, progress, showsIds)
  const isShort = progress.processed <= recordsMax && resultsLength(reader, jobId) <= shortMax
  const response = { status: 200, mediaType: linesType }
  if (isShort) return { ...response, body: [...parts].join('') }
  return { ...response, body: '', parts: oneByOne(parts) }
}

/** Reads a part when it is asked for. */
async function* oneByOne(parts: Iterable<string>): AsyncGenerator<string> {
  yield* parts
}

interface Progress {
  /** The number of rows whose results are stored and shown. */
  stored: number
  processed: number
  /** Why the other ones have failed. */
  reason: string
}

/** Of a job that has failed, the rows that it did not process have failed for its reason. */
function findProgress(reader: Reader, jobId: string): Progress {
  const sql = 'SELECT status, processed_records, errors FROM bulk_job WHERE workspace_id = :workspace AND id = ?'
  const { status, processed_records, errors } = reader.row<JobRow>(sql, jobId)!
  const last = status === 'failed' ? (JSON.parse(errors) as JobError[]).at(-1) : undefined
  return { stored: last ? last.row - 1 : processed_records, processed: processed_records, reason: last?.error ?? '' }
}

interface JobRow {
  status: string
  processed_records: number
  errors: string
}

function* partsOf(reader: Reader, jobId: string, progress: Progress, showsIds: boolean): Generator<string> {
  const { stored, processed, reason } = progress
  for (let row = 1; row <= stored; ) {
    const results = lookupResults(reader, jobId, row)
    if (!results) throw new Error('The results were removed while they were read')
    yield linesOf(results, row, showsIds)
    row += results.length
  }
  const failed: RowResult = { outcome: 'failed', id: null, errors: [{ error: reason }] }
  for (let row = stored + 1; row <= processed; row += rowsAtOnce) {
    yield linesOf(Array<RowResult>(Math.min(rowsAtOnce, processed - row + 1)).fill(failed), row, false)
  }
}

function linesOf(results: readonly RowResult[], firstRow: number, showsIds: boolean): string {
  const lines = results.map(({ outcome, id, errors }, index) =>
    JSON.stringify({ row: firstRow + index, outcome, id: showsIds ? id : null, errors }),
  )
  return `${lines.join('\n')}\n`
}
