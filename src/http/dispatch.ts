import Router from '@koa/router'
import { grants } from '../access/scopes.ts'
import type { Call, Route } from '../engine/routes.ts'
import { ApiError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { send } from './answer.ts'
import type { ReadBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'

interface Dispatch {
  store: Store
  cursorSecret: string
  readBody: ReadBody
}

/** Hands a request to its route. Each first path segment has a router of its own, so that none has to try them all. */
export function dispatch(routes: readonly Route[], options: Dispatch): Layer {
  const routers = new Map<string, Router>()
  for (const route of routes) {
    const segment = firstSegment(route.path)
    if (!routers.has(segment)) routers.set(segment, new Router({ strict: true, sensitive: true }))
    register(routers.get(segment)!, route, options)
  }
  const layers = new Map([...routers].map(([segment, router]) => [segment, router.routes() as unknown as Layer]))
  return async (ctx) => {
    const segment = firstSegment(ctx.state.path)
    const layer = layers.get(segment)
    if (!layer) throw routeNotFound()
    await layer(ctx, async () => {
      throw unrouted(routers.get(segment)!, ctx)
    })
  }
}

function register(router: Router, route: Route, options: Dispatch): void {
  router.register(route.path, [route.method], (ctx) => serve(route, ctx as never, options))
}

/** Scope, body, handler (decision A5). */
async function serve(route: Route, ctx: Ctx, { store, cursorSecret, readBody }: Dispatch): Promise<void> {
  const { scopes, workspaceId, plan } = ctx.state.credential!
  if (!grants(scopes, route.scope)) {
    throw new ApiError('INSUFFICIENT_PERMISSIONS', `Insufficient permissions. Required scope: ${route.scope}`)
  }
  const call: Call = {
    store,
    workspaceId,
    cursorSecret,
    limits: plan as never,
    params: ctx.params,
    query: ctx.state.query,
    body: route.takesBody ? await readBody(ctx) : {},
  }
  const answer = route.run(call)
  send(ctx, answer instanceof Promise ? await answer : answer)
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

function routeNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'Route not found')
}

/** decision B2 */
function unrouted(router: Router, ctx: Ctx): ApiError {
  const methods = new Set(router.match(ctx.state.path, ctx.method).path.flatMap((layer) => layer.methods))
  if (methods.size === 0) return routeNotFound()
  const message = `${ctx.method} is not allowed here; allowed: ${[...methods].join(', ')}`
  return new ApiError('INVALID_REQUEST', message, { status: 405, headers: { Allow: [...methods].join(', ') } })
}
