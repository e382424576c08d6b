import { grants } from '../../access/scopes.ts'
import { seenIn } from '../../changes/may-see.ts'
import { type ApiResponse, linesType } from '../../engine/api/call/http-response.ts'
import type { Call } from '../../engine/api/call/route.ts'
import type { Read, Reading } from '../../engine/finding/reading.ts'
import { ApiError } from '../../errors.ts'
import type { Reader } from '../../store/reader.ts'
import type { JobError } from './batch.ts'
import { recordsMax } from './records.ts'
import { countResults, lookupResults, type RowResult, resultsLength } from './results.ts'
import { namedResult } from './show-job.ts'

/** The rows of a failed job that are made at once. */
const rowsAtOnce = 1_000
/** In characters: results up to this length are sent at once. */
const shortMax = 2 ** 18

/**
 * The results of the rows that a job's progress counts, as lines of JSON. Long ones are read and sent a part at a time. Throws NOT_FOUND if
 * the job ran before results were stored.
 */
export function showResults(
  call: Pick<Call, 'reader' | 'read'>,
  job: { id: string; readScope: string },
  scopes: ReadonlySet<string>,
): ApiResponse {
  const { reader, read } = call
  const { id: jobId, readScope } = job
  const progress = findProgress(reader, jobId)
  if (countResults(reader, jobId) < progress.stored) throw new ApiError('NOT_FOUND', 'This job has no stored results')
  const isShort = progress.processed <= recordsMax && resultsLength(reader, jobId) <= shortMax
  const first = { jobId, ...progress, showsIds: grants(scopes, readScope), scopes: [...scopes], row: 1 }
  const response = { status: 200, mediaType: linesType }
  if (isShort) return { ...response, body: [...partsHere(reader, first)].join('') }
  return { ...response, body: '', parts: partsOf(read, first) }
}

/** The results from a row on. */
interface ResultsQuestion extends Progress {
  jobId: string
  showsIds: boolean
  /** Those of the caller. */
  scopes: string[]
  row: number
}

/** Lines, and how many there are. */
interface ResultsPart {
  lines: string
  rows: number
}

/** Reads a part of a job's results. */
export const resultsReading: Reading<ResultsQuestion, ResultsPart> = { name: 'results', run: readPart }

function readPart(reader: Reader, question: ResultsQuestion): ResultsPart {
  const { jobId, stored, processed, reason, showsIds, row } = question
  const scopes = new Set(question.scopes)
  if (row <= stored) {
    const results = lookupResults(reader, jobId, row)
    if (!results) throw new Error('The results were removed while they were read')
    return {
      lines: linesOf(
        withoutHidden(reader, results).map((each) => namedResult(each, scopes)),
        row,
        showsIds,
      ),
      rows: results.length,
    }
  }
  const failed: RowResult = { outcome: 'failed', id: null, errors: [{ error: reason }] }
  const rows = Math.min(rowsAtOnce, processed - row + 1)
  return { lines: linesOf(Array<RowResult>(rows).fill(failed), row, false), rows }
}

/** Of records that the reader does not see, an undo tells the outcome alone (decision P7). */
function withoutHidden(reader: Reader, results: readonly RowResult[]): RowResult[] {
  const subjects = results.flatMap(({ undone }) =>
    undone ? [{ resource: undone.resource, recordId: undone.record_id }] : [],
  )
  const isSeen = seenIn(reader, subjects)
  return results.map((each) => {
    const { outcome, undone } = each
    const isHidden = undone && !isSeen({ resource: undone.resource, recordId: undone.record_id })
    return isHidden ? { outcome, id: null, errors: [] } : each
  })
}

function* partsHere(reader: Reader, first: ResultsQuestion): Generator<string> {
  for (let { row } = first; row <= first.processed; ) {
    const { lines, rows } = readPart(reader, { ...first, row })
    yield lines
    row += rows
  }
}

/** Reads a part when it is asked for. */
async function* partsOf(read: Read, first: ResultsQuestion): AsyncGenerator<string> {
  for (let { row } = first; row <= first.processed; ) {
    const { lines, rows } = await read(resultsReading, { ...first, row })
    yield lines
    row += rows
  }
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

function linesOf(results: readonly RowResult[], firstRow: number, showsIds: boolean): string {
  const lines = results.map(({ outcome, id, errors, undone }, index) =>
    JSON.stringify({ row: firstRow + index, outcome, id: showsIds ? id : null, errors, ...undone }),
  )
  return `${lines.join('\n')}\n`
}
