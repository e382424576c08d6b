import * as v from 'valibot'
import { pluralOf, type Resource, type Row, resource } from '../engine/define.ts'
import { byService, chosen, type Kind } from '../engine/fields.ts'
import { choice } from '../engine/text-kinds.ts'
import { position, timestamp } from '../engine/value-kinds.ts'
import { insert, update } from '../engine/write.ts'
import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'
import { contact } from './contact.ts'
import { organization } from './organization.ts'

/** What can be imported, by a job's type (decision D6). */
export const imported: Readonly<Record<string, Resource>> = {
  import_contacts: contact,
  import_organizations: organization,
}

/** The same by the last part of its path: `contacts`. */
export const importedByPath: Readonly<Record<string, Resource>> = Object.fromEntries(
  Object.values(imported).map((each) => [pluralOf(each), each]),
)

/** decision D8 */
export const notAnObject = 'Record must be an object'

/** What is said of a record that is larger than a body that creates one; in a stored batch, its number of bytes stands for it. */
export function tooLarge(bytes: number): string {
  return `Record is too large: ${bytes} bytes`
}

/** spec: Limits */
export const recordsMax = 1000
export const batchSize = 100
const errorsMax = 100

/** Told to who listens (`Store.listen`) when a workspace has a new job. */
export const jobQueued = 'bulk job queued'

/** spec: Bulk job. Made by a bulk submit, moved on by its batches; no body sets any of it. */
export const bulkJob = resource('bulk_job', {
  label: 'Job',
  path: 'api-v1-bulk/jobs',
  scope: { read: 'any', write: 'any' }, // a job's type decides: bulk-routes.ts
  counted: false,
  operations: [],
  fields: {
    type: chosen(byService(choice(Object.keys(imported)))),
    status: byService(choice(['queued', 'processing', 'completed', 'failed'], { default: 'queued' })),
    total_records: count(),
    processed_records: count(),
    successful_records: count(),
    failed_records: count(),
    progress_percent: count(),
    errors: rowErrors(),
    started_at: byService(timestamp()),
    completed_at: byService(timestamp()),
  },
  filters: ['type', 'status', 'created_at', 'updated_at'],
  sorts: ['created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  about: {
    summary: 'A bulk import: up to 1,000 records, a hundred at a time.',
    fields: {
      status:
        '`completed`: every record was tried, whatever came of it; `failed`: the job broke or was cancelled, what was left counts as failed.',
      errors: 'The first 100.',
      completed_at: 'When it ended.',
    },
    example: { type: 'import_contacts' },
    shown: { total_records: 1 },
  },
})

/** One failed record (spec: Bulk job). */
export interface RowError {
  /** 1-based. */
  row: number
  field?: string
  error: string
}

/** What the records of a transaction came to. */
export interface Outcome {
  succeeded: number
  failed: number
  errors: RowError[]
}

/** A batch that is not wholly imported: its records as a JSON array, the first of which is the job's `row`. */
export interface Batch {
  job_id: string
  type: string
  processed_records: number
  row: number
  records: string
}

interface Progress extends Row {
  status: string
  total_records: number
  processed_records: number
  successful_records: number
  failed_records: number
  errors: string
  started_at: string | null
}

/** Stores a job with its records, each of `batches` a JSON array of up to a hundred; answers its id. */
export function insertJob(tx: Writer, type: string, total: number, batches: readonly string[]): string {
  const none = { processed_records: 0, successful_records: 0, failed_records: 0, progress_percent: 0, errors: '[]' }
  const values = { type, status: 'queued', total_records: total, ...none, started_at: null, completed_at: null }
  const { id } = insert(bulkJob, tx, { values, items: {} }, {})
  const sql = 'INSERT INTO bulk_batch (workspace_id, job_id, row, records) VALUES (:workspace, ?, ?, ?)'
  for (const [index, records] of batches.entries()) tx.run(sql, id, index * batchSize + 1, records)
  tx.announce(jobQueued)
  return id
}

/** The next batch of the workspace's oldest unfinished job. */
export function lookupBatch(reader: Reader): Batch | undefined {
  return reader.row<Batch>(
    `SELECT job_id, type, processed_records, row, records
      FROM bulk_batch JOIN bulk_job ON bulk_job.workspace_id = :workspace AND bulk_job.id = job_id
      WHERE bulk_batch.workspace_id = :workspace ORDER BY job_id, row`,
  )
}

export function hasBatch(reader: Reader): boolean {
  return reader.value('SELECT 1 FROM bulk_batch WHERE workspace_id = :workspace') !== undefined
}

/** The jobs of all workspaces that have not ended, by status, and their records that are still to be imported: for whoever runs the server. */
export function countUnfinished(access: Reader): { status: string; jobs: number; records: number }[] {
  return access.rows(
    `SELECT status, count(*) AS jobs, sum(total_records - processed_records) AS records FROM bulk_job
      WHERE (workspace_id, id) IN (SELECT workspace_id, job_id FROM bulk_batch) GROUP BY status`,
  )
}

/** Whether a batch is still where it was when it was read: its job was not cancelled meanwhile. */
export function isDue(tx: Writer, { job_id, processed_records }: Batch): boolean {
  const sql = `SELECT 1 FROM bulk_job
    WHERE workspace_id = :workspace AND id = ? AND processed_records = ? AND completed_at IS NULL`
  return tx.value(sql, job_id, processed_records) !== undefined
}

/** Writes what came of the next records into their job (spec: Bulk job status; decision D7). */
export function advanceJob(tx: Writer, id: string, { succeeded, failed, errors }: Outcome): void {
  const before = findProgress(tx, id)
  const processed = before.processed_records + succeeded + failed
  const done = processed === before.total_records
  update(bulkJob, tx, id, {
    status: done ? 'completed' : 'processing',
    processed_records: processed,
    successful_records: before.successful_records + succeeded,
    failed_records: before.failed_records + failed,
    progress_percent: Math.floor((100 * processed) / before.total_records),
    errors: JSON.stringify([...JSON.parse(before.errors), ...errors].slice(0, errorsMax)),
    started_at: before.started_at ?? tx.now,
    completed_at: done ? tx.now : null,
  })
}

/** Drops a batch that is wholly imported. */
export function removeBatch(tx: Writer, { job_id, row }: Batch): void {
  tx.run('DELETE FROM bulk_batch WHERE workspace_id = :workspace AND job_id = ? AND row = ?', job_id, row)
}

/** Ends an unfinished job: its remaining records count as failed (decision D7). Throws NOT_FOUND, CONFLICT. */
export function failJob(tx: Writer, id: string, reason: string): void {
  const before = findProgress(tx, id)
  if (before.status === 'completed' || before.status === 'failed') {
    throw new ApiError('CONFLICT', `Job is already ${before.status}`)
  }
  const { total_records, processed_records, successful_records } = before
  // Why the job broke is always told, if need be in the place of the last of a hundred.
  const errors = [...JSON.parse(before.errors).slice(0, errorsMax - 1), { row: processed_records + 1, error: reason }]
  update(bulkJob, tx, id, {
    status: 'failed',
    processed_records: total_records,
    failed_records: total_records - successful_records,
    progress_percent: 100,
    errors: JSON.stringify(errors),
    completed_at: tx.now,
  })
  tx.run('DELETE FROM bulk_batch WHERE workspace_id = :workspace AND job_id = ?', id)
}

/** Removes the jobs that were finished before this moment. */
export function removeJobs(tx: Writer, finishedBefore: string): void {
  tx.run('DELETE FROM bulk_job WHERE workspace_id = :workspace AND completed_at < ?', finishedBefore)
}

export function hasJobs(reader: Reader, finishedBefore: string): boolean {
  const sql = 'SELECT 1 FROM bulk_job WHERE workspace_id = :workspace AND completed_at < ?'
  return reader.value(sql, finishedBefore) !== undefined
}

function findProgress(tx: Writer, id: string): Progress {
  const progress = tx.row<Progress>(
    `SELECT status, total_records, processed_records, successful_records, failed_records, errors, started_at
      FROM bulk_job WHERE workspace_id = :workspace AND id = ?`,
    id,
  )
  if (!progress) throw new ApiError('NOT_FOUND', 'Job not found')
  return progress
}

function count(): Kind {
  return byService({ ...position(), kind: 'count', default: 0 })
}

function rowErrors(): Kind {
  const properties = {
    row: { type: 'integer', minimum: 1, description: 'Of the record, from 1.' },
    field: { type: 'string', description: 'Where a field is to blame.' },
    error: { type: 'string' },
  }
  const shape = {
    type: 'array',
    items: { type: 'object', properties, required: ['row', 'error'] },
    maxItems: errorsMax,
  }
  const kind = { kind: 'row_errors', sqlType: 'TEXT', schema: () => v.never(), default: '[]' } as const
  return byService({ ...kind, shape, json: (column) => `json(${column})` })
}
