import Router from '@koa/router'
import { ApiError } from '../errors.ts'
import { compose } from './compose.ts'
import type { Ctx, Layer } from './exchange.ts'
import { methodNotAllowed } from './response.ts'

interface Routed {
  method: string
  /** `/api-v1-organizations/:id` */
  path: string
}

/**
 * Registers each route with its steps, and runs those of the route that a request matches. A request to a path without routes goes to the
 * next layer. A path whose routes have other methods is 405 (decision B2), after `admit`, if the layers before have admitted nobody.
 *
 * The router only compiles the paths: its own middleware matches every path of a group and composes the steps again for every request,
 * which costs 6 to 15 % of a GET by id.
 */
export function dispatch<R extends Routed>(
  routes: readonly R[],
  stepsOf: (route: R) => readonly Layer[],
  admit: (ctx: Ctx) => void = () => {},
): Layer {
  const routers = routersOf(routes)
  const layers = routes.map((route) => compose(stepsOf(route)))
  return (ctx, next) => {
    const { path } = ctx.state
    const { method } = ctx
    const stack = routers(groupOf(path))?.stack
    const route = stack?.find((each) => each.methods.includes(method) && each.match(path))
    if (!route) return pass(stack?.filter((each) => each.match(path)) ?? [], ctx, next, admit)
    ctx.state.route = route.path as string
    ctx.params = route.params(path, route.captures(path))
    return layers[(route.stack[0] as unknown as Place).at]!(ctx, next)
  }
}

/** Continues after the routes of another method that match the path, if any. */
function pass(
  [route, ...others]: Router['stack'],
  ctx: Ctx,
  next: () => Promise<void>,
  admit: (ctx: Ctx) => void,
): Promise<void> {
  if (!route) return next()
  ctx.state.route = route.path as string
  admit(ctx)
  throw methodNotAllowed(ctx.method, [...new Set([route, ...others].flatMap(({ methods }) => methods))])
}

/** The last layer: responds with 404. */
export function notFound(): Promise<void> {
  throw new ApiError('NOT_FOUND', 'Route not found')
}

/** Returns a function that finds the route of a request's path, regardless of the method: `/api-v1-contacts/:id`. */
export function pathNamer(routes: readonly Routed[]): (path: string) => string | undefined {
  let routers: Routers | undefined
  return (path) => {
    routers ??= routersOf(routes)
    return routers(groupOf(path))?.stack.find((each) => each.match(path))?.path as string | undefined
  }
}

/** Stands for the steps of a route: its place among the routes. */
type Place = (() => void) & { at: number }

/** The router of a group of paths. */
type Routers = (group: string) => Router | undefined

/** The routers of all applications of this process. */
const known = new Map<string, Routers>()

/**
 * Each group of paths has a router of its own, so that a request is compared with few routes. It is made with the first request, because to
 * compile the paths of all groups would take most of the time that creating an application takes.
 */
function routersOf(routes: readonly Routed[]): Routers {
  const name = routes.map(({ method, path }) => `${method} ${path}`).join()
  const routers = known.get(name) ?? createRouters(routes)
  known.set(name, routers)
  return routers
}

function createRouters(routes: readonly Routed[]): Routers {
  const groups = Map.groupBy(routes.entries(), ([, { path }]) => groupOf(path))
  const routers = new Map<string, Router>()
  return (group) => {
    const made = routers.get(group)
    const members = groups.get(group)
    if (made || !members) return made
    const router = new Router({ strict: true, sensitive: true })
    for (const [at, { method, path }] of members)
      router.register(path, [method], Object.assign(() => {}, { at }) as never)
    routers.set(group, router)
    return router
  }
}

/** The first segment of a path, and the number of the others: `2 /api-v1-contacts` for `/api-v1-contacts/:id/history`. */
function groupOf(path: string): string {
  const end = path.indexOf('/', 1)
  if (end === -1) return path
  let others = 1
  for (let at = path.indexOf('/', end + 1); at !== -1; at = path.indexOf('/', at + 1)) others++
  return `${others} ${path.slice(0, end)}`
}
