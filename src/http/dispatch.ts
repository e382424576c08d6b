import type { Credential } from '../access/credentials.ts'
import type { RateLimiter } from '../access/rate-limit.ts'
import { grants, sayScope } from '../access/scopes.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import type { BodySize, Call, Route } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { hasBody, noBody, type ReadBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'
import { Idempotency, repeats } from './idempotency.ts'
import { matcher } from './match.ts'
import { send } from './response.ts'
import type { ResponseCache } from './response-cache.ts'

/** Where lists that may take long are run, without holding up others. */
export interface OffThreadLists {
  find(workspaceId: number, listing: Listing, cause?: string): Promise<Page>
}

interface Dispatch {
  store: Store
  responses: ResponseCache
  limiter: RateLimiter
  offThreadLists: OffThreadLists | undefined
  cursorSecret: string
  readers: Readonly<Record<BodySize, ReadBody>>
}

interface Served extends Dispatch {
  idempotency: Idempotency
}

/** Hands a request to its route. */
export function dispatch(routes: readonly Route[], options: Dispatch): Layer {
  const serving: Served = { ...options, idempotency: new Idempotency(options.store) }
  const match = matcher(routes)
  return async (ctx) => {
    const kept = options.responses.lookup(ctx)
    if (kept) {
      ctx.state.route = kept.route.path
      requireRights(kept.route, ctx.state.credential!)
      return send(ctx, kept.response)
    }
    const { route, params } = match(ctx.method, ctx.state.path)
    return serve(route, params, ctx, serving)
  }
}

/** Scope, body, handler (decision A5). */
async function serve(route: Route, params: Call['params'], ctx: Ctx, options: Served): Promise<void> {
  const { store, responses, offThreadLists, cursorSecret, idempotency } = options
  const { requestId } = ctx.state
  const admitted = ctx.state.credential!
  ctx.state.route = route.path
  requireRights(route, admitted)
  const once = repeats(route, ctx)
  const readBody = options.readers[route.bodySize ?? (route.takesBody ? 'record' : 'small')]
  const body = route.takesBody || (once && hasBody(ctx)) ? await readBody(ctx) : noBody
  const caller = recheck(route, admitted) // a body may take minutes to arrive
  if (route.method !== 'GET') ctx.state.outflow.requireRoom(ctx.state.clients)
  const asked: Call = {
    caller,
    reader: store.workspace(caller.workspaceId, requestId),
    findOffThread: offThreadLists && ((listing) => offThreadLists.find(caller.workspaceId, listing, requestId)),
    access: store.access,
    write: (run) => store.write(caller.workspaceId, (tx) => run(tx, recheck(route, caller)), requestId),
    synced: () => store.synced(),
    countRequests: () => options.limiter.countsOf(caller.keyId),
    clock: store.clock,
    cursorSecret,
    params,
    query: ctx.state.query,
    body: body.object,
    ifMatch: ctx.req.headers['if-match'],
  }
  const call = route.narrow ? route.narrow(asked) : asked
  const response = once
    ? idempotency.respond(ctx, call, body.bytes, route.run)
    : responses.through(route, ctx, () => route.run(call))
  return send(ctx, response instanceof Promise ? await response : response)
}

/**
 * The caller as of now: called again inside the transaction of a write, so that nothing is written for a key or a session that has lost the
 * right to it meanwhile. Throws what the request would be answered if it came now.
 */
function recheck(route: Route, before: Credential): Credential {
  const now = before.recheck()
  if (now === before) return now
  requireRights(route, now)
  if (route.narrow && now.isMember && !before.isMember) throw forbidden('Your role has changed: send the request again')
  return now
}

/** spec: Scopes; decision A11 */
function requireRights({ scope, feature, adminsOnly, openToMembers }: Route, caller: Credential): void {
  const { scopes, features, plan, user, isMember } = caller
  const isOpen = openToMembers && user && isMember
  if (!isOpen && !grants(scopes, scope)) {
    throw forbidden(`Insufficient permissions. Required scope: ${sayScope(scope)}`)
  }
  if (adminsOnly && isMember) throw forbidden('Only owners and admins may do this, not members or their personal keys')
  if (feature !== undefined && !features.has(feature)) {
    throw new ApiError('FEATURE_NOT_ENABLED', `Your plan (${plan}) does not include ${feature.replaceAll('_', ' ')}`)
  }
}

function forbidden(message: string): ApiError {
  return new ApiError('INSUFFICIENT_PERMISSIONS', message)
}
