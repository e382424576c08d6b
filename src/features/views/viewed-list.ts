import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { summaryPath } from '../../engine/api/lists/summary.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { type DetailCode, validationError } from '../../errors.ts'
import { nounsOf } from '../../lib/plural.ts'
import { parseUuid } from '../../lib/uuid.ts'
import { faultsOf, mergeQuery, type SavedQuery, viewed } from './query.ts'
import { isVisible } from './restrict.ts'

type View = SavedQuery & { user_id: string | null }

/** Adds `view` to the routes that list and summarize a resource: the filters of a saved view, and its sort in the list (decision J7). */
export function withView(resource: Resource, route: Route): Route {
  const path = `/${resource.path}`
  const parameter = { [path]: listParameter, [summaryPath(resource)]: summaryParameter }[route.path]
  if (!viewed.includes(resource) || route.method !== 'GET' || parameter === undefined) return route
  const sorts = route.path === path
  return {
    ...route,
    run: (call) => (call.query.includes('view') ? runViewed(resource, route, call, sorts) : route.run(call)),
    describe: (doc) => {
      const description = route.describe(doc)
      return { ...description, query: [...(description.query ?? []), parameter] }
    },
  }
}

const schema = { type: 'string', format: 'uuid' }
const listParameter = {
  ...{ name: 'view', schema },
  about:
    'The id of a view of this resource, whose filters and sort apply. `sort` replaces that of the view, and a filter its filters of the same field.',
}
const summaryParameter = {
  ...{ name: 'view', schema },
  about:
    'The id of a view of this resource, whose filters apply. A filter of the request replaces its filters of the same field.',
}

async function runViewed(resource: Resource, route: Route, call: Call, sorts: boolean): Promise<ApiResponse> {
  const given = new URLSearchParams(call.query).getAll('view')
  if (given.length === 0) return route.run(call)
  if (given.length > 1) throw refused('view must be given once')
  const view = lookupView(resource, call, given[0]!)
  const code = parseUuid(given[0]!) === undefined ? 'INVALID_FORMAT' : 'NOT_FOUND'
  if (!view) throw refused(`view must be the id of a view of ${nounsOf(resource)} that you can use`, code)
  const [fault] = faultsOf(view, call.reader).filter(({ field }) => field !== 'columns')
  if (fault) throw refused(`The view is broken, change it first: ${fault.message}`)
  const response = await route.run({ ...call, query: mergeQuery(sorts ? view : { ...view, sort: null }, call.query) })
  return view.user_id === null ? response : { ...response, personal: true }
}

function refused(message: string, code?: DetailCode): Error {
  return validationError([invalid('view', message, code)])
}

/** A view of the resource that the caller can use. */
function lookupView({ name }: Resource, { reader, caller }: Call, id: string): View | undefined {
  const sql = `SELECT resource, filter, sort, NULL AS columns, user_id FROM view
    WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  const view = reader.row<View>(sql, parseUuid(id) ?? '')
  return view?.resource === name && isVisible(view, caller) ? view : undefined
}
