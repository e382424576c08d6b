import { grants } from '../../access/scopes.ts'
import type { ApiResponse } from '../../engine/http-response.ts'
import { refuseParameters } from '../../engine/list/parameters.ts'
import type { Call, Caller, Route } from '../../engine/route.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { tryOut } from '../../store/try-out.ts'
import type { Logged } from '../logged.ts'
import { latestOf, type StoredChange } from '../stored-change.ts'
import { describeUndo } from './describe.ts'
import { readUndo, type UndoRequest } from './request.ts'
import { selectChanges } from './select.ts'
import { entriesOf, undoChanges } from './undo.ts'

/** The maximum number of changes that one transaction undoes. More are undone by a job. */
const atOnceMax = 10_000
/** The maximum number of changes that a job undoes. They are read and queued in one transaction. */
const selectedMax = 100_000

/** `POST /api-v1-undo` (decision G12). */
export function undoRoute(logged: Logged): Route {
  return {
    method: 'POST',
    path: '/api-v1-undo',
    scope: 'any',
    takesBody: true,
    bodySize: 'small',
    run: (call) => undo(logged, call),
    describe: (doc) => describeUndo(doc, logged),
  }
}

function undo(logged: Logged, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const request = readUndo(call.body)
  return call.write((tx, caller) => {
    requireSelector(caller, request)
    const selected = select(tx, request)
    const entries = entriesOf(selected, request.force, latestOf(tx))
    const affected = new Set(entries.map(({ resource }) => resource))
    for (const resource of logged.resources) if (affected.has(resource.name)) logged.requireWrite(caller, resource)
    if (selected.length > atOnceMax && !request.dryRun) return logged.queueUndo(tx, entries)
    const run = () => undoChanges(tx, entries, { resources: logged.resources, limits: caller.limits })
    return { status: 200, body: JSON.stringify({ data: request.dryRun ? tryOut(tx, run) : run() }) }
  })
}

function requireSelector({ scopes }: Caller, { selector }: UndoRequest): void {
  if (selector.by !== 'key_id' || grants(scopes, 'admin:all')) return
  throw new ApiError('INSUFFICIENT_PERMISSIONS', 'Insufficient permissions. Required scope: admin:all')
}

/** Throws NOT_FOUND if there are none, CONFLICT if there are too many or if an import among them still runs. */
function select(tx: Writer, { selector, dryRun }: UndoRequest): StoredChange[] {
  const max = dryRun ? atOnceMax : selectedMax
  const found = selectChanges(tx, selector, max + 1)
  if (found.length === 0) throw new ApiError('NOT_FOUND', 'There are no such changes')
  if (found.length > max) {
    const what = dryRun ? 'A dry run takes' : 'An undo takes'
    throw new ApiError('CONFLICT', `${what} at most ${max} changes`)
  }
  requireEnded(tx, found)
  const records = found.filter(({ resource }) => resource !== 'bulk_job')
  return records.length > 0 ? records : found
}

/** An import that still runs would go on creating records. */
function requireEnded(reader: Reader, changes: readonly StoredChange[]): void {
  const jobs = new Set(
    changes.flatMap(({ actor }) => (actor.startsWith('import ') ? actor.slice('import '.length) : [])),
  )
  for (const { resource, recordId } of changes) if (resource === 'bulk_job') jobs.add(recordId)
  const sql = 'SELECT 1 FROM bulk_batch WHERE workspace_id = :workspace AND job_id = ?'
  for (const id of jobs) {
    if (reader.value(sql, id) !== undefined) {
      throw new ApiError('CONFLICT', `The job ${id} still runs: wait for it, or cancel it first`)
    }
  }
}
