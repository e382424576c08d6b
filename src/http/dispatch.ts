import Router from '@koa/router'
import type { Credential } from '../access/credentials.ts'
import { grants, sayScope } from '../access/scopes.ts'
import type { Listing, Page } from '../engine/page.ts'
import type { Call, Route } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { methodNotAllowed, send } from './answer.ts'
import { hasBody, noBody, type ReadBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'
import { Idempotency, repeats } from './idempotency.ts'

type RouterLayer = ReturnType<Router['register']>

/** Where lists that may take long are run, without holding up others. */
export interface ListsApart {
  find(workspaceId: number, listing: Listing): Promise<Page>
}

interface Dispatch {
  store: Store
  listsApart: ListsApart | undefined
  cursorSecret: string
  readBody: ReadBody
  readBulk: ReadBody
}

interface Served extends Dispatch {
  idempotency: Idempotency
}

/** Hands a request to its route. Each first path segment has a router of its own, so that none has to try them all. */
export function dispatch(routes: readonly Route[], options: Dispatch): Layer {
  const routers = new Map<string, Router>()
  const served = new Map<RouterLayer, Route>()
  const serving: Served = { ...options, idempotency: new Idempotency(options.store) }
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
    return serve(served.get(layer)!, layer.params(path, layer.captures(path)), ctx, serving)
  }
}

/** Scope, body, handler (decision A5). */
async function serve(route: Route, params: Call['params'], ctx: Ctx, options: Served): Promise<void> {
  const { store, listsApart, cursorSecret, idempotency } = options
  const caller = ctx.state.credential!
  requireRights(route, caller)
  const once = repeats(route, ctx)
  const readBody = route.takesBulk ? options.readBulk : options.readBody
  const body = route.takesBody || (once && hasBody(ctx)) ? await readBody(ctx) : noBody
  const call: Call = {
    caller,
    reader: store.workspace(caller.workspaceId),
    findApart: listsApart && ((listing) => listsApart.find(caller.workspaceId, listing)),
    access: store.access,
    write: (run) => store.write(caller.workspaceId, run),
    synced: () => store.synced(),
    clock: store.clock,
    cursorSecret,
    params,
    query: ctx.state.query,
    body: body.object,
    ifMatch: ctx.req.headers['if-match'],
  }
  const answer = once ? idempotency.answer(ctx, call, body.bytes, route.run) : route.run(call)
  send(ctx, answer instanceof Promise ? await answer : answer)
}

/** spec: Scopes; decision A11 */
function requireRights({ scope, feature }: Route, { scopes, features, plan }: Credential): void {
  if (!grants(scopes, scope)) {
    throw new ApiError('INSUFFICIENT_PERMISSIONS', `Insufficient permissions. Required scope: ${sayScope(scope)}`)
  }
  if (feature !== undefined && !features.has(feature)) {
    throw new ApiError('FEATURE_NOT_ENABLED', `Your plan (${plan}) does not include ${feature.replaceAll('_', ' ')}`)
  }
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
