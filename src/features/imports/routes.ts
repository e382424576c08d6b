import { grants, missingScope } from '../../access/scopes.ts'
import type { UndoEntry } from '../../changes/logged.ts'
import { lookupCreation } from '../../changes/stored-change.ts'
import { type ApiResponse, deleted, requireMatch, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { list } from '../../engine/api/lists/list.ts'
import { conditionAmong } from '../../engine/finding/list/approach.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { readRecordQuery } from '../../engine/finding/query/query.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { findId } from '../../engine/records/select.ts'
import { pluralOf } from '../../lib/plural.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { describeCancel, describeJob, describeJobs, describeResults, describeSubmit } from './describe.ts'
import { type Envelope, readEnvelope } from './envelope.ts'
import { imported, jobScopes, jobTypes, undoType } from './imported.ts'
import { bulkJob, failJob, insertJob } from './job.ts'
import { type Batches, batchesOf, readBatches } from './records.ts'
import { jobText } from './show-job.ts'
import { showResults } from './show-results.ts'

const jobsPath = `/${bulkJob.path}`
const byJob = { scope: 'any', takesBody: false } as const

/** The endpoints of bulk imports and their jobs (spec: Bulk import; decision A6). */
export const bulkRoutes: readonly Route[] = [
  ...Object.entries(imported).map(([type, resource]) => submitRoute(type, resource)),
  { method: 'GET', path: jobsPath, ...byJob, run: listJobs, describe: describeJobs },
  { method: 'GET', path: `${jobsPath}/:id`, ...byJob, run: get, describe: describeJob },
  { method: 'GET', path: `${jobsPath}/:id/results`, ...byJob, run: getResults, describe: describeResults },
  { method: 'DELETE', path: `${jobsPath}/:id`, ...byJob, run: cancel, describe: describeCancel },
]

function submitRoute(type: string, resource: Resource): Route {
  return {
    method: 'POST',
    path: `/api-v1-bulk/${pluralOf(resource)}`,
    scope: resource.scopes.write,
    feature: 'bulk_import',
    takesBody: true,
    bodySize: 'bulk',
    isLong: ({ body }) => isLarge(body.records),
    run: (call) => submit(type, call),
    describe: (doc) => describeSubmit(doc, type),
  }
}

/** In characters: more is stored by another thread. */
const storedHereMax = 2 ** 20

function isLarge(records: unknown): boolean {
  if (!Array.isArray(records)) return false
  return records.reduce((sum: number, { length }: string) => sum + length, 0) > storedHereMax
}

function submit(type: string, { reader, query, body, write }: Call): Promise<ApiResponse> {
  refuseParameters(query)
  const batches = readBatches(body)
  const envelope = readEnvelope(imported[type]!, reader, body)
  return write((tx) => queueJob(tx, type, batches, envelope))
}

function queueJob(tx: Writer, type: string, batches: Batches, envelope?: Envelope): ApiResponse {
  const id = insertJob(tx, type, batches, envelope)
  const counts = { total_records: batches.total, successful_records: 0, failed_records: 0, errors: [] }
  const data = { job_id: id, status: 'queued', ...counts }
  return { status: 202, body: JSON.stringify({ data }), headers: ['Location', `${jobsPath}/${id}`] }
}

/** Stores a job that undoes the changes of these records (decision G12). */
export function queueUndo(tx: Writer, entries: readonly UndoEntry[]): ApiResponse {
  return queueJob(tx, undoType, batchesOf(entries.map((entry) => JSON.stringify(entry))))
}

/** Waits until the progress is on disk, so that it does not go back after a power failure. */
async function listJobs(call: Call): Promise<ApiResponse> {
  const types = jobTypes.filter((type) => mayRead(call.caller, type))
  const response = await list(bulkJob, call, [conditionAmong(bulkJob, 'type', types)])
  await call.log.synced()
  return response
}

async function get(call: Call): Promise<ApiResponse> {
  readRecordQuery(bulkJob, call.query)
  const { id } = findReadable(call)
  const text = jobText(call.reader, id, call.caller.scopes)
  await call.log.synced()
  return shown(200, text)
}

/** The result of each record that the job's progress counts (decision K3). The ids of records are for keys that may read them. */
async function getResults(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const { id, type } = findReadable(call)
  const response = showResults(call, { id, readScope: jobScopes(type).read }, call.caller.scopes)
  await call.log.synced()
  return response
}

/** The job of a request. Throws NOT_FOUND, INSUFFICIENT_PERMISSIONS. */
function findReadable({ params, caller, reader }: Call): { id: string; type: string } {
  const job = findJob(params.id!, reader)
  if (!mayRead(caller, job.type) && !hasAskedFor(caller, reader, job)) throw missingScope(...readScopes(job.type))
  return job
}

/** Cancels a job after its last committed batch. */
function cancel({ query, params, caller, reader, headers, write }: Call): Promise<ApiResponse> {
  refuseParameters(query)
  const { id, type } = findJob(params.id!, reader)
  const require = (by: Caller) => hasAskedFor(by, reader, { id, type }) || requireWrite(by, type)
  require(caller)
  return write((tx, current) => {
    require(current)
    requireMatch(headers.ifMatch, () => jobText(tx, id, current.scopes))
    failJob(tx, id, 'Cancelled by the caller')
    return deleted
  })
}

/** The required scope depends on the type of the job. */
function findJob(given: string, reader: Reader): { id: string; type: string } {
  const id = findId(bulkJob, reader, given)
  return { id, type: reader.value<string>('SELECT type FROM bulk_job WHERE workspace_id = :workspace AND id = ?', id)! }
}

/** Whether the caller has asked for this undo, whose scopes are those of the records that it changes (decision G12). */
function hasAskedFor({ user, keyId }: Caller, reader: Reader, { id, type }: { id: string; type: string }): boolean {
  return type === undoType && lookupCreation(reader, id)?.actor.id === (user?.id ?? keyId)
}

/** Throws INSUFFICIENT_PERMISSIONS if the caller may not write the type (decision A6). */
function requireWrite({ scopes }: Caller, type: string): void {
  const { write } = jobScopes(type)
  if (!grants(scopes, write)) throw missingScope(write)
}

/** Whether the caller may see jobs of this type (decision A6). */
function mayRead({ scopes }: Caller, type: string): boolean {
  return readScopes(type).some((scope) => grants(scopes, scope))
}

function readScopes(type: string): string[] {
  const { read, write } = jobScopes(type)
  return [read, write]
}
