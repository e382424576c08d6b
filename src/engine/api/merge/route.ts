import { pluralOf } from '../../../lib/plural.ts'
import { parseUuid } from '../../../lib/uuid.ts'
import type { Writer } from '../../../store/reader.ts'
import { tryOutAlone } from '../../../store/try-out.ts'
import { refuseParameters } from '../../finding/query/parameters.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { idListsTo } from '../../records/id-lists.ts'
import { linksTo } from '../../records/links.ts'
import { idOf, lookupText } from '../../records/select.ts'
import { type ApiResponse, requireMatch, shown } from '../call/http-response.ts'
import type { Call, Caller, Route } from '../call/route.ts'
import { belongingTo, fromReferring, isCounted } from './children.ts'
import { describeMerge } from './describe.ts'
import { mergeRecords } from './merge.ts'
import { othersMax, readMerge } from './request.ts'

/** Which resources can refer to the merged one, and what a caller may do. */
interface MergeContext {
  readonly resources: readonly Resource[]
  /** Throws INSUFFICIENT_PERMISSIONS if the caller may not change records of a resource. */
  readonly requireWrite: (caller: Caller, resource: Resource) => void
}

/** `POST /api-v1-contacts/:id/merge` (decision K6). */
export function mergeRoute(resource: Resource, context: MergeContext): Route {
  const counted = () => belongingTo(resource, context.resources).filter(isCounted)
  return {
    method: 'POST',
    path: `/${resource.path}/:id/merge`,
    scope: resource.scopes.write,
    takesBody: true,
    isLong: (call) => movesMany(context, resource, call),
    run: (call) => merge(resource, context, call),
    describe: (doc) => describeMerge(doc, resource, [...new Set(counted().map(({ child }) => pluralOf(child)))]),
  }
}

function merge(resource: Resource, context: MergeContext, call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const id = idOf(resource, call.params.id!)
  const request = readMerge(resource, call.reader, id, call.body)
  const belonging = belongingTo(resource, context.resources)
  const run = (tx: Writer, caller: Caller) => {
    const readText = () => lookupText(resource, tx, id)!
    const moved = mergeRecords(resource, tx, id, request, {
      belonging,
      requireWrite: (child) => context.requireWrite(caller, child),
      allow: () => requireMatch(call.headers.ifMatch, readText, resource),
    })
    const rest = JSON.stringify({ merged: request.others, moved }).slice(1)
    const text = readText()
    return { ...shown(200, text, resource), body: `{"data":${text},${rest}` }
  }
  return request.dryRun ? tryOutAlone(call.write, run) : call.write(run)
}

/** The maximum number of records that move while the event loop waits. */
const movedAtOnceMax = 50

/** SQL: the condition on links and lists that name some records. */
const whereNamed = (to: string) => `WHERE workspace_id = :workspace AND ${to} IN (SELECT value FROM json_each(?))`

/** Whether many records belong to the ones that are merged, or name them in links and lists of ids. */
function movesMany({ resources }: MergeContext, resource: Resource, { reader, body }: Call): boolean {
  const given = Array.isArray(body.with) ? body.with.slice(0, othersMax) : []
  const others = JSON.stringify(given.map((each) => parseUuid(String(each)) ?? null))
  const inLists = [...linksTo(resource).map(({ link }) => link), ...idListsTo(resource).map(({ list }) => list)]
  const sources = [
    ...belongingTo(resource, resources).map(fromReferring),
    ...inLists.map(({ table, to }) => `FROM ${table} INDEXED BY ${table}_${to} ${whereNamed(to)}`),
  ]
  let count = 0
  for (const from of sources) {
    count += reader.value<number>(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ?)`, others, movedAtOnceMax + 1)!
  }
  return count > movedAtOnceMax
}
