import { grants } from '../../access/scopes.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Caller } from '../../engine/api/call/route.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import type { UndoEntry } from '../logged.ts'
import { takeLinksBack } from './links.ts'
import type { UndoReport } from './report.ts'
import { withDisplaced } from './sole.ts'
import {
  arrangeSlices,
  findResource,
  NotTogether,
  planAll,
  type Terms,
  undoAside,
  undoEach,
  undoTogether,
} from './undo.ts'

/** The maximum number of changes that a request undoes. More are undone by a job. */
export const atOnceMax = 10_000
/** The maximum number of changes that a transaction undoes, unless one record has more. */
const sliceMax = 1_000

interface SlicesOptions {
  resources: readonly Resource[]
  /** What is undone besides, in no report. */
  aside: readonly UndoEntry[]
  /** The ids of records that a job restores afterwards; default: none. */
  returning?: ReadonlySet<string>
  /** Whether nothing more is undone than a slice has and what cannot be undone. Default: yes. */
  isLast?: boolean
  /** Throws INSUFFICIENT_PERMISSIONS. */
  allow(caller: Caller): void
}

type Write = Call['write']

const nothing: UndoReport = { reversed: [], kept: [], errored: [] }

/** Undoes changes in slices, one transaction each. What is in the way of one slice may be undone with another, so what fails is tried again. */
export async function undoInSlices(
  call: Call,
  entries: readonly UndoEntry[],
  options: SlicesOptions,
): Promise<ApiResponse> {
  const { reader, requestId } = call
  const [first = [], ...others] = slicesOf(entries)
  if (others.length === 0 && slicesOf(options.aside).length <= 1) {
    return undoSlice(call, call.write, first, options, responseOf)
  }
  const report: UndoReport = { reversed: [], kept: [], errored: [] }
  const planned = planAll(reader, entries, options.resources, requestId)
  let pending = slicesOf(planned.map(({ entry }) => entry))
  let isLast = false
  for (let before = Number.POSITIVE_INFINITY; pending.length > 0; ) {
    const failed: UndoEntry[] = []
    report.errored = []
    for (const slice of pending) {
      const done = await reportOf(call, slice, { ...options, aside: [], isLast })
      for (const list of ['reversed', 'kept', 'errored'] as const) report[list].push(...done[list])
      const ids = new Set(done.errored.map(({ record_id }) => record_id))
      failed.push(...slice.filter(({ recordId }) => ids.has(recordId)))
    }
    const isStuck = failed.length >= before
    pending = isStuck && isLast ? [] : slicesOf(failed)
    isLast ||= isStuck
    before = failed.length
  }
  await undoAsideInSlices(call, options)
  return call.write((tx, caller) => {
    options.allow(caller)
    arrangeSlices(tx, planned, report, termsOf(options.resources, caller))
    return responseOf(inOneList(report, options.resources))
  })
}

/** A record that one slice took its flag from may be in a list of another slice. */
function inOneList(report: UndoReport, resources: readonly Resource[]): UndoReport {
  const { displaced = [], own = [] } = Object.groupBy(report.reversed, ({ seq }) =>
    seq.length === 0 ? 'displaced' : 'own',
  )
  const found = displaced.map(({ record_id, resource }) => [record_id, findResource(resources, resource)] as const)
  return withDisplaced({ ...report, reversed: own }, new Map(found))
}

/** Undoes what is in no report, in slices. `own`: entries that are undone with the rights of the caller. */
export async function undoAsideInSlices(
  call: Call,
  options: SlicesOptions,
  own: readonly UndoEntry[] = [],
): Promise<void> {
  const { resources, aside, returning, allow } = options
  for (const slice of slicesOf(own)) await reportOf(call, slice, { ...options, aside: [] })
  for (const slice of slicesOf(aside)) {
    await call.prepare((tx, caller) => {
      allow(caller)
      undoAside(tx, slice, termsOf(resources, caller, returning))
      return responseOf(nothing)
    })
  }
}

function responseOf(report: UndoReport): ApiResponse {
  return { status: 200, body: JSON.stringify({ data: report }) }
}

function slicesOf(entries: readonly UndoEntry[]): UndoEntry[][] {
  const slices: UndoEntry[][] = []
  let changes = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    changes += entry.seq.length
    if (changes > sliceMax) {
      slices.push([])
      changes = entry.seq.length
    }
    slices.at(-1)!.push(entry)
  }
  return slices
}

async function reportOf(call: Call, entries: readonly UndoEntry[], options: SlicesOptions): Promise<UndoReport> {
  let report: UndoReport | undefined
  await undoSlice(call, call.prepare, entries, options, (done) => {
    report = done
    return responseOf(nothing)
  })
  return report!
}

/** On which terms a caller undoes changes. */
export function termsOf(
  resources: readonly Resource[],
  { limits, scopes }: Caller,
  returning: Terms['returning'] = new Set(),
): Terms {
  return { resources, limits, mayRead: ({ scopes: { read } }) => grants(scopes, read), returning }
}

/** Undoes all records together, or each by itself if some cannot be undone. */
async function undoSlice(
  { reader, requestId }: Call,
  write: Write,
  entries: readonly UndoEntry[],
  { resources, aside, returning, isLast, allow }: SlicesOptions,
  respond: (report: UndoReport) => ApiResponse,
): Promise<ApiResponse> {
  const planned = planAll(reader, entries, resources, requestId) // before the transaction, which holds the write lock
  const run = (undo: typeof undoEach) =>
    write((tx, caller) => {
      allow(caller)
      const terms = termsOf(resources, caller, returning)
      const report = undo(tx, planned, terms, isLast)
      takeLinksBack(tx, report.reversed, terms)
      undoAside(tx, aside, terms)
      return respond(report)
    })
  try {
    return await run(undoTogether)
  } catch (error) {
    if (error instanceof NotTogether) return run(undoEach)
    throw error
  }
}
