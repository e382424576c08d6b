import Router from '@koa/router'
import { ApiError } from '../errors.ts'
import { methodNotAllowed } from './response.ts'

type RouterLayer = ReturnType<Router['register']>

export interface Match<R> {
  route: R
  params: Record<string, string>
}

interface Routed {
  method: string
  path: string
}

/** Finds the route of a request; throws NOT_FOUND or 405. */
export function matcher<R extends Routed>(routes: readonly R[]): (method: string, path: string) => Match<R> {
  const { routers, served } = tableOf(routes)
  return (method, path) => {
    const matched = routers.get(firstSegment(path))?.match(path, method)
    const layer = matched?.pathAndMethod[0]
    if (!layer) throw unrouted(method, matched?.path ?? [])
    return { route: served.get(layer)! as R, params: layer.params(path, layer.captures(path)) }
  }
}

/** Finds the path of the routes that a request's path leads to, whatever the method: `/api-v1-contacts/:id`. */
export function pathNamer(routes: readonly Routed[]): (path: string) => string | undefined {
  const { routers, served } = tableOf(routes)
  return (path) => {
    const [layer] = routers.get(firstSegment(path))?.match(path, 'GET').path ?? []
    return layer && served.get(layer)!.path
  }
}

/** Each first path segment has a router of its own, so that none has to try them all. */
interface Table {
  routers: ReadonlyMap<string, Router>
  served: ReadonlyMap<RouterLayer, Routed>
}

const tables = new WeakMap<readonly Routed[], Table>()

function tableOf(routes: readonly Routed[]): Table {
  const known = tables.get(routes)
  if (known) return known
  const routers = new Map<string, Router>()
  const served = new Map<RouterLayer, Routed>()
  for (const route of routes) {
    const segment = firstSegment(route.path)
    const router = routers.get(segment) ?? new Router({ strict: true, sensitive: true })
    routers.set(segment, router)
    served.set(router.register(route.path, [route.method], []), route)
  }
  const table = { routers, served }
  tables.set(routes, table)
  return table
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

/** decision B2 */
function unrouted(method: string, here: RouterLayer[]): ApiError {
  if (here.length === 0) return new ApiError('NOT_FOUND', 'Route not found')
  return methodNotAllowed(method, [...new Set(here.flatMap(({ methods }) => methods))])
}
