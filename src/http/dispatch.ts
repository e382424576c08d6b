import Router from '@koa/router'
import { grants, sayScope } from '../access/scopes.ts'
import type { Call, Route } from '../engine/routes.ts'
import { ApiError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { methodNotAllowed, send } from './answer.ts'
import type { ReadBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'

type RouterLayer = ReturnType<Router['register']>

interface Dispatch {
  store: Store
  cursorSecret: string
  readBody: ReadBody
}

/** Hands a request to its route. Each first path segment has a router of its own, so that none has to try them all. */
export function dispatch(routes: readonly Route[], options: Dispatch): Layer {
  const routers = new Map<string, Router>()
  const served = new Map<RouterLayer, Route>()
  for (const route of routes) {
    const segment = firstSegment(route.path)
    const router = routers.get(segment) ?? new Router({ strict: true, sensitive: true })
    routers.set(segment, router)
    served.set(router.register(route.path, [route.method], []), route)
  }
  return (ctx) => {
    const { path } = ctx.state
    const matched = routers.get(firstSegment(path))?.match(path, ctx.method)
    const layer = matched?.pathAndMethod[0]
    if (!layer) throw unrouted(ctx, matched?.path ?? [])
    return serve(served.get(layer)!, layer.params(path, layer.captures(path)), ctx, options)
  }
}

/** Scope, body, handler (decision A5). */
async function serve(route: Route, params: Call['params'], ctx: Ctx, options: Dispatch): Promise<void> {
  const { scopes, workspaceId, limits } = ctx.state.credential!
  if (!grants(scopes, route.scope)) {
    throw new ApiError('INSUFFICIENT_PERMISSIONS', `Insufficient permissions. Required scope: ${sayScope(route.scope)}`)
  }
  const call: Call = {
    store: options.store,
    workspaceId,
    cursorSecret: options.cursorSecret,
    limits,
    params,
    query: ctx.state.query,
    body: route.takesBody ? await options.readBody(ctx) : {},
  }
  const answer = route.run(call)
  send(ctx, answer instanceof Promise ? await answer : answer)
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

/** decision B2 */
function unrouted(ctx: Ctx, here: RouterLayer[]): ApiError {
  if (here.length === 0) return new ApiError('NOT_FOUND', 'Route not found')
  return methodNotAllowed(ctx.method, [...new Set(here.flatMap(({ methods }) => methods))])
}
