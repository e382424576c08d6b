import type { Undone } from '../../changes/undo/report.ts'
import type { Holders } from '../../engine/records/holders.ts'
import type { DetailCode, ErrorCode } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'

/** What happened to a record of a job (decision K3). */
export const outcomes = ['created', 'updated', 'unchanged', 'failed'] as const
export type RowOutcome = (typeof outcomes)[number]

export interface RowError {
  field?: string
  error: string
  /** Why, as a detail of an error of the API says it. Results of older versions have none. */
  code?: DetailCode | ErrorCode
  /** The records that the error is about. Who reads it decides whether they are named. */
  holders?: Holders | undefined
}

export interface RowResult {
  outcome: RowOutcome
  /** The id of the record; null if there is none. */
  id: string | null
  errors: RowError[]
  /** The names of the relations whose records were created because the row names them. Stored of a dry run only. */
  named?: readonly string[]
  /** Of an undo: the item of its report (decision G12). */
  undone?: Undone
}

type Named = { named: readonly string[] }

/** The stored form of a result. */
type Packed = [outcome: number, id: string | null, ...rest: (RowError | { undone: Undone } | Named)[]]

/** The maximum number of errors that are stored of a record. */
const rowErrorsMax = 100

/** Stores the results of consecutive rows. They are written together with the records, once. */
export function insertResults(tx: Writer, jobId: string, firstRow: number, results: readonly RowResult[]): void {
  const packed = results.map(
    ({ outcome, id, errors, named, undone }): Packed => [
      outcomes.indexOf(outcome),
      id,
      ...(undone ? [{ undone }] : []),
      ...(named?.length ? [{ named }] : []),
      ...errors.slice(0, rowErrorsMax),
    ],
  )
  const sql = 'INSERT INTO bulk_result (workspace_id, job_id, row, results) VALUES (:workspace, ?, ?, ?)'
  tx.run(sql, jobId, firstRow, JSON.stringify(packed))
}

/** The results that are stored together from this row on; undefined: there are none. */
export function lookupResults(reader: Reader, jobId: string, firstRow: number): RowResult[] | undefined {
  const sql = 'SELECT results FROM bulk_result WHERE workspace_id = :workspace AND job_id = ? AND row = ?'
  const packed = reader.value<string>(sql, jobId, firstRow)
  return packed === undefined ? undefined : (JSON.parse(packed) as Packed[]).map(unpack)
}

/** Looks up the results of a job's rows, of which the next is usually stored together with the last. */
export function lookupResultOf(reader: Reader, jobId: string): (row: number) => RowResult | undefined {
  const sql = `SELECT max(row) FROM bulk_result WHERE workspace_id = :workspace AND job_id = ? AND row <= ?`
  let [first, results]: [number | undefined, RowResult[]] = [undefined, []]
  return (row) => {
    if (first === undefined || row < first || row >= first + results.length) {
      first = reader.value<number | null>(sql, jobId, row) ?? undefined
      results = first === undefined ? [] : lookupResults(reader, jobId, first)!
    }
    return first === undefined ? undefined : results[row - first]
  }
}

/** The number of rows of a job whose results are stored, from the first one on. */
export function countResults(reader: Reader, jobId: string): number {
  const first = 'SELECT 1 FROM bulk_result WHERE workspace_id = :workspace AND job_id = ? AND row = 1'
  const sql = `SELECT row - 1 + json_array_length(results) FROM bulk_result
    WHERE workspace_id = :workspace AND job_id = ? ORDER BY row DESC LIMIT 1`
  return reader.value(first, jobId) === undefined ? 0 : reader.value<number>(sql, jobId)!
}

/** The length of a job's stored results in characters. */
export function resultsLength(reader: Reader, jobId: string): number {
  const sql = 'SELECT ifnull(sum(length(results)), 0) FROM bulk_result WHERE workspace_id = :workspace AND job_id = ?'
  return reader.value<number>(sql, jobId)!
}

/** Removes up to `max` stored parts of a job's results. Returns how many it removed. */
export function removeResults(tx: Writer, jobId: string, max: number): number {
  const some = 'SELECT row FROM bulk_result WHERE workspace_id = :workspace AND job_id = ? LIMIT ?'
  const sql = `DELETE FROM bulk_result WHERE workspace_id = :workspace AND job_id = ? AND row IN (${some})`
  return tx.run(sql, jobId, jobId, max)
}

function unpack([outcome, id, ...rest]: Packed): RowResult {
  const undone = rest.find((each) => 'undone' in each)?.undone
  const named = rest.find((each) => 'named' in each)?.named
  const errors = rest.filter((each) => 'error' in each)
  return { outcome: outcomes[outcome]!, id, errors, ...(named && { named }), ...(undone && { undone }) }
}
