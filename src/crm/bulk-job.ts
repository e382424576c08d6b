import * as v from 'valibot'
import type { Row } from '../engine/definition/change.ts'
import { pluralOf, resource } from '../engine/definition/define.ts'
import { byService, chosen } from '../engine/definition/fields.ts'
import type { Kind, Resource, Scopes } from '../engine/definition/resource.ts'
import { choice } from '../engine/definition/text-kinds.ts'
import { position, timestamp } from '../engine/definition/value-kinds.ts'
import { purgeRow } from '../engine/write/rows.ts'
import { insert, update } from '../engine/write/write.ts'
import { ApiError } from '../errors.ts'
import type { Reader, Writer } from '../store/reader.ts'
import {
  addOutcomes,
  errorsMax,
  insertBatch,
  lookupBatchOf,
  type Outcome,
  positionOf,
  removeBatches,
} from './bulk-batch.ts'
import { contact } from './contact.ts'
import { organization } from './organization.ts'

/** The resources that can be imported, by the type of the job (decision D6). */
export const imported: Readonly<Record<string, Resource>> = {
  import_contacts: contact,
  import_organizations: organization,
}

/** The type of a job that undoes changes (decision G12). */
export const undoType = 'undo'

export const jobTypes: readonly string[] = [...Object.keys(imported), undoType]

/** The scopes of which a key needs one to see jobs of a type, and the one to cancel them (decisions A6, G12). */
export function jobScopes(type: string): Scopes {
  return imported[type]?.scopes ?? { read: 'read:all', write: 'write:all' }
}

/** The resources that can be imported, by the last part of their path: `contacts`. */
export const importedByPath: Readonly<Record<string, Resource>> = Object.fromEntries(
  Object.values(imported).map((each) => [pluralOf(each), each]),
)

/** The error for a record that is not an object (decision D8). */
export const notAnObject = 'Record must be an object'

/** The error for a record that is larger than the body of a create request. A stored batch contains its size in bytes instead of the record. */
export function tooLarge(bytes: number): string {
  return `Record is too large: ${bytes} bytes`
}

/** The maximum number of records in a bulk import (spec: Limits). */
export const recordsMax = 1000
export const batchSize = 100

/** Announced to listeners (`Store.listen`) when a workspace has a new job. */
export const jobQueued = 'bulk job queued'

/** spec: Bulk job. Created by a bulk import and updated by its batches. */
export const bulkJob = resource('bulk_job', {
  label: 'Job',
  path: 'api-v1-bulk/jobs',
  scope: { read: 'any', write: 'any' }, // the scope depends on the type of the job, see bulk-routes.ts
  counted: false,
  progressing: true,
  changesReadBy: ({ type }) => Object.values(jobScopes(String(type))),
  events: {
    completed: ({ after }) => after.status === 'completed',
    failed: ({ after }) => after.status === 'failed',
  },
  operations: [],
  fields: {
    type: chosen(byService(choice(jobTypes))),
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
    summary:
      'A bulk import of up to 1,000 records, or an undo of more than 10,000 changes. Its progress is updated after each batch of 100.',
    fields: {
      status:
        '`completed`: every record was processed, successfully or not; `failed`: the job was cancelled or could not continue, and the remaining records count as failed.',
      errors: 'The first 100 errors.',
      completed_at: 'The time at which it ended.',
    },
    example: { type: 'import_contacts' },
    shown: { total_records: 1 },
  },
})

interface Progress extends Row {
  status: string
  total_records: number
  processed_records: number
  successful_records: number
  failed_records: number
  errors: string
  started_at: string | null
}

/** Stores a job with its records, in batches of up to a hundred as JSON arrays. Returns its id. */
export function insertJob(tx: Writer, type: string, total: number, batches: readonly string[]): string {
  const none = { processed_records: 0, successful_records: 0, failed_records: 0, progress_percent: 0, errors: '[]' }
  const values = { type, status: 'queued', total_records: total, ...none, started_at: null, completed_at: null }
  const { id } = insert(bulkJob, tx, { values, items: {} }, {})
  for (const [index, records] of batches.entries()) insertBatch(tx, id, index * batchSize + 1, records)
  tx.announce(jobQueued)
  return id
}

/** Counts the unfinished jobs of all workspaces by status, and their remaining records, for the metrics. */
export function countUnfinished(access: Reader): { status: string; jobs: number; records: number }[] {
  return access.rows(
    `SELECT status, count(*) AS jobs, sum(total_records - processed_records) AS records FROM bulk_job
      WHERE (workspace_id, id) IN (SELECT workspace_id, job_id FROM bulk_batch) GROUP BY status`,
  )
}

/** Marks a job as begun. */
export function beginJob(tx: Writer, id: string): void {
  const { started_at } = findProgress(tx, id)
  if (started_at === null) update(bulkJob, tx, id, { status: 'processing', started_at: tx.now })
}

/** Adds the outcome of a completed batch to its job (spec: Bulk job status; decisions D7, D13). */
export function advanceJob(tx: Writer, id: string, outcome: Outcome): void {
  const before = findProgress(tx, id)
  const { succeeded, failed, errors } = addOutcomes(outcomeOf(before), outcome)
  const processed = succeeded + failed
  const done = processed === before.total_records
  update(bulkJob, tx, id, {
    status: done ? 'completed' : 'processing',
    processed_records: processed,
    successful_records: succeeded,
    failed_records: failed,
    progress_percent: Math.floor((100 * processed) / before.total_records),
    errors: JSON.stringify(errors),
    started_at: before.started_at ?? tx.now,
    completed_at: done ? tx.now : null,
  })
}

/** Ends an unfinished job: its remaining records count as failed (decision D7). Throws NOT_FOUND, CONFLICT. */
export function failJob(tx: Writer, id: string, reason: string): void {
  const before = findProgress(tx, id)
  if (before.status === 'completed' || before.status === 'failed') {
    throw new ApiError('CONFLICT', `Job is already ${before.status}`)
  }
  const { outcome, firstRow } = positionOf(lookupBatchOf(tx, id)!)
  const { succeeded, errors } = addOutcomes(outcomeOf(before), outcome)
  const { total_records } = before
  update(bulkJob, tx, id, {
    status: 'failed',
    processed_records: total_records,
    successful_records: succeeded,
    failed_records: total_records - succeeded,
    progress_percent: 100,
    // The reason is always shown, if necessary in place of the hundredth error.
    errors: JSON.stringify([...errors.slice(0, errorsMax - 1), { row: firstRow, error: reason }]),
    completed_at: tx.now,
  })
  removeBatches(tx, id)
}

/** The maximum number of jobs that a transaction removes. */
const removedMax = 100

/** Removes jobs that were finished before this moment. */
export function removeJobs(tx: Writer, finishedBefore: string): void {
  const sql = 'SELECT id FROM bulk_job WHERE workspace_id = :workspace AND completed_at < ? LIMIT ?'
  for (const id of tx.values<string>(sql, finishedBefore, removedMax)) purgeRow(bulkJob, tx, id)
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

function outcomeOf({ successful_records, failed_records, errors }: Progress): Outcome {
  return { succeeded: successful_records, failed: failed_records, errors: JSON.parse(errors) }
}

function count(): Kind {
  return byService({ ...position(), kind: 'count', default: 0 })
}

function rowErrors(): Kind {
  const properties = {
    row: { type: 'integer', minimum: 1, description: 'The number of the record, from 1.' },
    field: { type: 'string', description: 'The invalid field, if there is one.' },
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
