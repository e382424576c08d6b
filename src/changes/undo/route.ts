import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Caller, Route } from '../../engine/api/call/route.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import type { Logged, UndoEntry } from '../logged.ts'
import { privateIn } from '../may-see.ts'
import { type ChangeHead, latestOf, readAtOnceMax } from '../stored-change.ts'
import { describeUndo } from './describe.ts'
import { lostOf, withoutLost } from './lost.ts'
import { predictUndo } from './predict.ts'
import type { UndoReport } from './report.ts'
import { readUndo } from './request.ts'
import { requireRights, requireUndoOfKeys } from './rights.ts'
import { findSelected, isSmall } from './select.ts'
import { atOnceMax, termsOf, undoAsideInSlices, undoInSlices } from './slices.ts'
import { entriesOf } from './undo.ts'

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
  const byKey = request.selector.by === 'key_id'
  if (byKey) requireUndoOfKeys(caller)
  const { selected, following } = findSelected(reader, request)
  const begun = latestOf(reader)
  const all = entriesOf(selected, { force: request.force, begun, byKey })
  const allow = (by: Caller) => requireRights(logged, reader, by, all)
  allow(caller)
  const terms = termsOf(logged.resources, caller)
  const lost = lostOf(reader, selected, all, terms)
  const toEntries = (changes: readonly ChangeHead[], force = request.force) =>
    withoutLost(reader, entriesOf(changes, { force, begun, byKey }), lost)
  const entries = toEntries(selected)
  const aside = toEntries(following, false) // never what a participant has chosen since
  if (request.dryRun) return { status: 200, body: JSON.stringify({ data: predictUndo(reader, entries, terms) }) }
  const options = { resources: logged.resources, aside, allow }
  const isPrivate = privateIn(reader, selected)
  const open = selected.filter((change) => !isPrivate(change))
  if (open.length <= atOnceMax) return undoInSlices(call, entries, options)
  const returning = new Set(open.filter(({ type }) => type.endsWith('.deleted')).map(({ recordId }) => recordId))
  const queued = inPredictedOrder(toEntries(open), predictUndo(reader, entries, terms)) // before the transaction: it may take long
  const apart = toEntries(selected.filter(isPrivate)) // a job shows everybody how many records it undoes
  await undoAsideInSlices(call, { ...options, returning }, apart)
  return call.write((tx, by) => {
    allow(by)
    return logged.queueUndo(tx, queued)
  })
}

/** A job undoes each record once: after what is in its way. */
function inPredictedOrder(entries: readonly UndoEntry[], { reversed, kept }: UndoReport): UndoEntry[] {
  const places = new Map([...reversed, ...kept].map(({ record_id }, place) => [record_id, place]))
  const placeOf = ({ recordId }: UndoEntry) => places.get(recordId) ?? places.size
  return entries.toSorted((one, other) => placeOf(one) - placeOf(other))
}
