import { grants, missingScope } from '../../access/scopes.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import type { Logged, UndoEntry } from '../logged.ts'
import { latestOf, readAtOnceMax } from '../stored-change.ts'
import { describeUndo } from './describe.ts'
import { predictUndo } from './predict.ts'
import { readUndo, type UndoRequest } from './request.ts'
import { findSelected, isSmall } from './select.ts'
import { atOnceMax, termsOf, undoInSlices } from './slices.ts'
import { entriesOf, undoAside } from './undo.ts'

/** `POST /api-v1-undo` (decision G12). */
export function undoRoute(logged: Logged): Route {
  return {
    method: 'POST',
    path: '/api-v1-undo',
    scope: 'any',
    takesBody: true,
    bodySize: 'small',
    isLong: ({ body, reader }) => !isSmall(reader, readUndo(body).selector, readAtOnceMax),
    run: (call) => undo(logged, call),
    describe: (doc) => describeUndo(doc, logged),
  }
}

async function undo(logged: Logged, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const request = readUndo(call.body)
  const { caller, reader } = call
  requireSelector(caller, request)
  const { selected, following } = findSelected(reader, request)
  const entries = entriesOf(selected, request.force, latestOf(reader))
  const aside = entriesOf(following, request.force, latestOf(reader))
  const allow = (by: Caller) => requireRights(logged, by, request, entries)
  allow(caller)
  const terms = termsOf(logged.resources, caller)
  if (request.dryRun) return { status: 200, body: JSON.stringify({ data: predictUndo(reader, entries, terms) }) }
  if (selected.length > atOnceMax) {
    return call.write((tx, by) => {
      allow(by)
      undoAside(tx, aside, terms)
      return logged.queueUndo(tx, entries)
    })
  }
  return undoInSlices(call, entries, { resources: logged.resources, aside, allow })
}

/** Throws INSUFFICIENT_PERMISSIONS. */
function requireRights(logged: Logged, caller: Caller, request: UndoRequest, entries: readonly UndoEntry[]): void {
  requireSelector(caller, request)
  const affected = new Set(entries.map(({ resource }) => resource))
  for (const resource of logged.resources) if (affected.has(resource.name)) logged.requireWrite(caller, resource)
}

function requireSelector({ scopes }: Caller, { selector }: UndoRequest): void {
  if (selector.by !== 'key_id' || grants(scopes, 'admin:all')) return
  throw missingScope('admin:all')
}
