import * as v from 'valibot'
import { modes } from '../../engine/api/upsert/upsert.ts'
import { resource } from '../../engine/records/define.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import type { Kind } from '../../engine/records/definition/resource.ts'
import { byService, chosen } from '../../engine/records/kinds/fields.ts'
import { choice, text } from '../../engine/records/kinds/text-kinds.ts'
import { flag, position, timestamp } from '../../engine/records/kinds/value-kinds.ts'
import { purgeRow } from '../../engine/records/rows/rows.ts'
import { insert, update } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import {
  addOutcomes,
  countRows,
  countSuccesses,
  errorsMax,
  insertBatch,
  lookupBatchOf,
  nothing,
  type Outcome,
  positionOf,
  removeBatches,
} from './batch.ts'
import type { Envelope } from './envelope.ts'
import { jobScopes, jobTypes } from './imported.ts'
import { type Batches, batchSize } from './records.ts'
import { removeResults } from './results.ts'

/** Announced to listeners (`Store.listen`) when a workspace has a new job. */
export const jobQueued = 'bulk job queued'

/** spec: Bulk job. Created by a bulk import and updated by its batches. */
export const bulkJob = resource('bulk_job', {
  label: 'Job',
  path: 'api-v1-bulk/jobs',
  scope: { read: 'any', write: 'any' }, // the scope depends on the type of the job, see routes.ts
  counted: false,
  progressing: true,
  changesReadBy: ({ type }) => Object.values(jobScopes(String(type))),
  events: {
    completed: ({ after }) => after.status === 'completed',
    failed: ({ after }) => after.status === 'failed',
  },
  operations: [],
  fields: {
    type: chosen(byService(choice(jobTypes, { grows: true }))),
    match_on: byService(text()),
    mode: byService(choice(modes)),
    dry_run: byService(flag()),
    status: byService(choice(['queued', 'processing', 'completed', 'failed'], { default: 'queued' })),
    total_records: count(),
    processed_records: count(),
    successful_records: count(),
    created_records: count(),
    updated_records: count(),
    unchanged_records: count(),
    failed_records: count(),
    progress_percent: count(),
    errors: rowErrors(),
    started_at: byService(timestamp()),
    completed_at: byService(timestamp()),
  },
  filters: ['type', 'status', 'dry_run', 'created_at', 'updated_at'],
  sorts: ['created_at', 'updated_at'],
  pageSize: { default: 50, max: 100 },
  about: {
    summary:
      'A bulk import of up to 1,000 records, or an undo of more than 10,000 changes. Its progress is updated after each batch of 100.',
    fields: {
      match_on: 'What records are matched by. Null: each one is created.',
      mode: 'What happens to records that match. Null without `match_on`.',
      dry_run: 'Whether nothing is written: the counts and results say what an import would do.',
      successful_records: 'The sum of the created, updated and unchanged ones.',
      updated_records: 'Of an undo: the records whose changes were undone.',
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
  created_records: number
  updated_records: number
  unchanged_records: number
  failed_records: number
  errors: string
  started_at: string | null
}

const plain: Envelope = { match_on: null, mode: null, dry_run: false }

/** Stores a job with its records, in batches of up to a hundred as JSON arrays. Returns its id. */
export function insertJob(tx: Writer, type: string, { total, batches }: Batches, envelope = plain): string {
  const begun = { ...countsOf(nothing), status: 'queued', progress_percent: 0, started_at: null, completed_at: null }
  const values = { ...begun, ...envelope, dry_run: Number(envelope.dry_run), type, total_records: total }
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

/** Adds the outcome of a completed batch to its job (spec: Bulk job status; decisions D7, D13). Returns whether the job has ended. */
export function advanceJob(tx: Writer, id: string, outcome: Outcome): boolean {
  const before = findProgress(tx, id)
  const sum = addOutcomes(outcomeOf(before), outcome)
  const isDone = countRows(sum) === before.total_records
  update(bulkJob, tx, id, {
    ...countsOf(sum),
    status: isDone ? 'completed' : 'processing',
    progress_percent: Math.floor((100 * countRows(sum)) / before.total_records),
    started_at: before.started_at ?? tx.now,
    completed_at: isDone ? tx.now : null,
  })
  return isDone
}

/** Ends an unfinished job: its remaining records count as failed (decision D7). Throws NOT_FOUND, CONFLICT. */
export function failJob(tx: Writer, id: string, reason: string): void {
  const before = findProgress(tx, id)
  if (before.status === 'completed' || before.status === 'failed') {
    throw new ApiError('CONFLICT', `Job is already ${before.status}`)
  }
  const { outcome, firstRow } = positionOf(lookupBatchOf(tx, id)!)
  const sum = addOutcomes(outcomeOf(before), outcome)
  // The reason is always shown, if necessary in place of the hundredth error.
  const errors = [...sum.errors.slice(0, errorsMax - 1), { row: firstRow, error: reason }]
  const failed = before.total_records - countSuccesses(sum)
  update(bulkJob, tx, id, {
    ...countsOf({ ...sum, failed, errors }),
    status: 'failed',
    progress_percent: 100,
    completed_at: tx.now,
  })
  removeBatches(tx, id)
}

/** The maximum number of jobs, and of parts of their results, that a transaction removes. */
const removedMax = 100

/** Removes jobs that were finished before this moment, and their results. */
export function removeJobs(tx: Writer, finishedBefore: string): void {
  const sql = 'SELECT id FROM bulk_job WHERE workspace_id = :workspace AND completed_at < ? LIMIT ?'
  let parts = 0
  for (const id of tx.values<string>(sql, finishedBefore, removedMax)) {
    parts += removeResults(tx, id, removedMax - parts)
    if (parts >= removedMax) return // the next transaction removes the rest of them, and the job
    purgeRow(bulkJob, tx, id)
  }
}

export function hasJobs(reader: Reader, finishedBefore: string): boolean {
  const sql = 'SELECT 1 FROM bulk_job WHERE workspace_id = :workspace AND completed_at < ?'
  return reader.value(sql, finishedBefore) !== undefined
}

function findProgress(tx: Writer, id: string): Progress {
  const progress = tx.row<Progress>(
    `SELECT status, total_records, created_records, updated_records, unchanged_records, failed_records, errors, started_at
      FROM bulk_job WHERE workspace_id = :workspace AND id = ?`,
    id,
  )
  if (!progress) throw new ApiError('NOT_FOUND', 'Job not found')
  return progress
}

function outcomeOf(progress: Progress): Outcome {
  const { created_records, updated_records, unchanged_records, failed_records, errors } = progress
  const counts = { created: created_records, updated: updated_records, unchanged: unchanged_records }
  return { ...counts, failed: failed_records, errors: JSON.parse(errors) }
}

function countsOf(outcome: Outcome): Row {
  return {
    processed_records: countRows(outcome),
    successful_records: countSuccesses(outcome),
    created_records: outcome.created,
    updated_records: outcome.updated,
    unchanged_records: outcome.unchanged,
    failed_records: outcome.failed,
    errors: JSON.stringify(outcome.errors),
  }
}

function count(): Kind {
  return byService({ ...position(), kind: 'count', default: 0 })
}

function rowErrors(): Kind {
  const properties = {
    row: { type: 'integer', minimum: 1, description: 'The number of the record, from 1.' },
    field: { type: 'string', description: 'The invalid field, if there is one.' },
    error: { type: 'string' },
    code: { type: 'string', description: 'The code of the error, or of its detail if a field is invalid.' },
  }
  const shape = {
    type: 'array',
    items: { type: 'object', properties, required: ['row', 'error'] },
    maxItems: errorsMax,
  }
  const kind = { kind: 'row_errors', sqlType: 'TEXT', schema: () => v.never(), default: '[]' } as const
  return byService({ ...kind, shape, json: (column) => `json(${column})` })
}
