import { grants } from '../../access/scopes.ts'
import type { ApiResponse } from '../../engine/http-response.ts'
import { refuseParameters } from '../../engine/list/query.ts'
import type { Call, Caller, Route } from '../../engine/route.ts'
import { ApiError } from '../../errors.ts'
import type { Writer } from '../../store/reader.ts'
import type { StoredChange } from '../stored-change.ts'
import type { Logged } from '../trash.ts'
import { describeUndo } from './describe.ts'
import { readUndo, type UndoRequest } from './request.ts'
import { selectChanges } from './select.ts'
import { type UndoReport, undoChanges } from './undo.ts'

/** The maximum number of changes that one request undoes. */
export const undoneMax = 10_000

/** `POST /api-v1-undo` (decision G12). */
export function undoRoute(logged: Logged): Route {
  return {
    method: 'POST',
    path: '/api-v1-undo',
    scope: 'any',
    takesBody: true,
    bodySize: 'small',
    run: (call) => undo(logged, call),
    describe: (doc) => describeUndo(doc, logged.resources),
  }
}

/** Thrown to roll back what a dry run has done. */
class DryRun extends Error {
  readonly report: UndoReport
  constructor(report: UndoReport) {
    super('dry run')
    this.report = report
  }
}

function undo(logged: Logged, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const request = readUndo(call.body)
  return call.write((tx, caller) => {
    requireSelector(caller, request)
    const selected = select(tx, request)
    const run = () => undoChanges(tx, selected, { ...logged, caller, force: request.force })
    const report = request.dryRun ? tryOut(tx, run) : run()
    return { status: 200, body: JSON.stringify({ data: report }) }
  })
}

function requireSelector({ scopes }: Caller, { selector }: UndoRequest): void {
  if (selector.by !== 'key_id' || grants(scopes, 'admin:all')) return
  throw new ApiError('INSUFFICIENT_PERMISSIONS', 'Insufficient permissions. Required scope: admin:all')
}

/** Throws NOT_FOUND if there are none, CONFLICT if there are too many. */
function select(tx: Writer, { selector }: UndoRequest): StoredChange[] {
  const found = selectChanges(tx, selector, undoneMax + 1)
  if (found.length === 0) throw new ApiError('NOT_FOUND', 'There are no such changes')
  if (found.length > undoneMax) throw new ApiError('CONFLICT', `More than ${undoneMax} changes would be undone`)
  const records = found.filter(({ resource }) => resource !== 'bulk_job')
  return records.length > 0 ? records : found
}

/** Runs an undo and takes it back. */
function tryOut(tx: Writer, run: () => UndoReport): UndoReport {
  try {
    return tx.attempt((): UndoReport => {
      throw new DryRun(run())
    })
  } catch (error) {
    if (error instanceof DryRun) return error.report
    throw error
  }
}
