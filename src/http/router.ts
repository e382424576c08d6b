import Router, { type RouterMiddleware } from '@koa/router'
import { ApiError } from '../errors.ts'
import type { Ctx, Layer } from './exchange.ts'
import { methodNotAllowed } from './response.ts'

export interface Routed {
  method: string
  /** `/api-v1-organizations/:id` */
  path: string
}

/**
 * Registers each route with its steps and dispatches requests to them. A path with no route goes to the next layer; a path
 * whose routes have other methods is 405 (decision B2).
 */
export function dispatch<R extends Routed>(routes: readonly R[], stepsOf: (route: R) => readonly Layer[]): Layer {
  const routers = routersOf(routes, (route) => [nameRoute(route), ...stepsOf(route)])
  for (const router of routers.values()) router.on('not-found', refuseMethod as never)
  const layers = new Map([...routers].map(([segment, router]) => [segment, router.routes() as unknown as Layer]))
  return (ctx, next) => {
    const layer = layers.get(firstSegment(ctx.state.path))
    if (!layer) return next()
    ctx.newRouterPath = ctx.state.path
    return layer(ctx, next)
  }
}

/** The last layer. */
export function notFound(): Promise<void> {
  throw new ApiError('NOT_FOUND', 'Route not found')
}

/** Finds the route path that a request's path leads to, whatever the method: `/api-v1-contacts/:id`. */
export function pathNamer(routes: readonly Routed[]): (path: string) => string | undefined {
  const routers = routersOf(routes, () => [])
  return (path) => {
    const [matched] = routers.get(firstSegment(path))?.match(path, 'GET').path ?? []
    return matched?.path as string | undefined
  }
}

/** Each first path segment has a router of its own, so that no request is compared with every route. */
function routersOf<R extends Routed>(routes: readonly R[], stepsOf: (route: R) => Layer[]): Map<string, Router> {
  const routers = new Map<string, Router>()
  for (const route of routes) {
    const segment = firstSegment(route.path)
    const router = routers.get(segment) ?? new Router({ strict: true, sensitive: true })
    routers.set(segment, router)
    router.register(route.path, [route.method], stepsOf(route) as unknown as RouterMiddleware[])
  }
  return routers
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

function nameRoute({ path }: Routed): Layer {
  return (ctx, next) => {
    ctx.state.route = path
    return next()
  }
}

function refuseMethod(ctx: Ctx & { matched: ReturnType<Router['match']>['path'] }, next: () => Promise<void>) {
  const [first] = ctx.matched
  if (!first) return next()
  ctx.state.route = first.path as string
  throw methodNotAllowed(ctx.method, [...new Set(ctx.matched.flatMap(({ methods }) => methods))])
}
