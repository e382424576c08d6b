import type { Mode } from '../../engine/api/upsert/upsert.ts'
import { JsonScanner } from '../../lib/json-scanner.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import type { RowError, RowOutcome, RowResult } from './results.ts'

/** One error of a failed record, as a job shows it (spec: Bulk job). */
export interface JobError extends RowError {
  /** The number of the row, from 1. */
  row: number
}

/** The maximum number of errors that a job shows (spec: Limits). */
export const errorsMax = 100

/** The result of importing some records: how many had each outcome. */
export interface Outcome extends Record<RowOutcome, number> {
  errors: JobError[]
}

/** The outcome of no rows. */
export const nothing: Outcome = { created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }

/** A stored batch that is not completely imported. */
export interface Batch {
  job_id: string
  type: string
  match_on: string | null
  mode: Mode | null
  /** 1 if nothing is written. */
  dry_run: number
  processed_records: number
  created_records: number
  /** Its records as a JSON array, preceded by the outcome of those that are already imported, as a JSON object. */
  records: string
  row: number
}

/** The progress of a batch. */
export interface Position {
  /** The first row that has not been imported. */
  firstRow: number
  /** The outcome of the batch's rows before it, which the job does not show yet (decision D13). */
  outcome: Outcome
}

/** The next batch of the workspace's oldest unfinished job. */
export function lookupBatch(reader: Reader): Batch | undefined {
  return reader.row<Batch>(`${selectBatches} ORDER BY job_id, row`)
}

/** The next batch of this job. */
export function lookupBatchOf(reader: Reader, jobId: string): Batch | undefined {
  return reader.row<Batch>(`${selectBatches} AND job_id = ? ORDER BY row`, jobId)
}

const selectBatches = `SELECT job_id, type, match_on, mode, dry_run, processed_records, created_records, row, records
  FROM bulk_batch JOIN bulk_job ON bulk_job.workspace_id = :workspace AND bulk_job.id = job_id
  WHERE bulk_batch.workspace_id = :workspace AND (dry_run = 0 OR row > processed_records)`

export function hasBatch(reader: Reader): boolean {
  return reader.value('SELECT 1 FROM bulk_batch WHERE workspace_id = :workspace') !== undefined
}

export function insertBatch(tx: Writer, jobId: string, row: number, records: string): void {
  const sql = 'INSERT INTO bulk_batch (workspace_id, job_id, row, records) VALUES (:workspace, ?, ?, ?)'
  tx.run(sql, jobId, row, records)
}

/** Whether a batch is as it was read. If it is, its job has not been cancelled in the meantime. */
export function isDue(tx: Writer, { job_id, row, records }: Batch): boolean {
  const found = lookupBatchOf(tx, job_id)
  return found?.row === row && found.records === records
}

export function positionOf({ records, processed_records }: Batch): Position {
  const outcome = readOutcome(new JsonScanner(Buffer.from(records)))
  return { firstRow: processed_records + countRows(outcome) + 1, outcome }
}

/** The JSON texts of the records that have not been imported. They are parsed one by one to save memory. */
export function remainingRecords(batch: Batch, { firstRow }: Position): string[] {
  return textsOf(batch.records).slice(firstRow - batch.row)
}

/** The JSON texts of the job's records that come before this row. A dry run keeps them until its end. */
export function earlierRecords(reader: Reader, { job_id }: Batch, { firstRow }: Position): string[] {
  const sql = `SELECT records FROM bulk_batch
    WHERE workspace_id = :workspace AND job_id = ? AND row < ? ORDER BY row`
  return reader
    .values<string>(sql, job_id, firstRow)
    .flatMap(textsOf)
    .slice(0, firstRow - 1)
}

function textsOf(records: string): string[] {
  const scanner = new JsonScanner(Buffer.from(records))
  readOutcome(scanner)
  const texts: string[] = []
  scanner.enter('[')
  while (scanner.hasNext(']')) texts.push(scanner.value())
  return texts
}

/** Stores the outcome of a batch that is partly imported. */
export function storeOutcome(tx: Writer, { job_id, row, records }: Batch, outcome: Outcome): void {
  const scanner = new JsonScanner(Buffer.from(records))
  readOutcome(scanner)
  const stored = `${JSON.stringify(outcome)}\n${scanner.value()}`
  const sql = 'UPDATE bulk_batch SET records = ? WHERE workspace_id = :workspace AND job_id = ? AND row = ?'
  tx.run(sql, stored, job_id, row)
}

/** Deletes a batch that is completely imported. */
export function removeBatch(tx: Writer, { job_id, row }: Batch): void {
  tx.run('DELETE FROM bulk_batch WHERE workspace_id = :workspace AND job_id = ? AND row = ?', job_id, row)
}

export function removeBatches(tx: Writer, jobId: string): void {
  tx.run('DELETE FROM bulk_batch WHERE workspace_id = :workspace AND job_id = ?', jobId)
}

/** The outcome of consecutive rows. */
export function outcomeOf(results: readonly RowResult[], firstRow: number): Outcome {
  const counted = { ...nothing }
  for (const { outcome } of results) counted[outcome]++
  const errors = results.flatMap((result, index) =>
    result.errors.map(({ holders: _, ...error }) => ({ row: firstRow + index, ...error })),
  )
  return { ...counted, errors: errors.slice(0, errorsMax) }
}

/** Combines two outcomes. The errors of `one` come first. */
export function addOutcomes(one: Outcome, other: Outcome): Outcome {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    failed: one.failed + other.failed,
    errors: [...one.errors, ...other.errors].slice(0, errorsMax),
  }
}

export function countSuccesses({ created, updated, unchanged }: Outcome): number {
  return created + updated + unchanged
}

export function countRows(outcome: Outcome): number {
  return countSuccesses(outcome) + outcome.failed
}

/** Reads the outcome, if there is one, and leaves the scanner at the array. */
function readOutcome(scanner: JsonScanner): Outcome {
  return scanner.peek() === '{' ? JSON.parse(scanner.value()) : nothing
}
