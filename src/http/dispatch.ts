import type { Credential } from '../access/credentials.ts'
import { grants, sayScope } from '../access/scopes.ts'
import type { Listing, Page } from '../engine/page.ts'
import type { BodySize, Call, Route } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { send } from './answer.ts'
import type { AnswerCache } from './answer-cache.ts'
import { hasBody, noBody, type ReadBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'
import { Idempotency, repeats } from './idempotency.ts'
import { matcher } from './match.ts'

/** Where lists that may take long are run, without holding up others. */
export interface ListsApart {
  find(workspaceId: number, listing: Listing, cause?: string): Promise<Page>
}

interface Dispatch {
  store: Store
  answers: AnswerCache
  listsApart: ListsApart | undefined
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
    const kept = options.answers.lookup(ctx)
    if (kept) {
      ctx.state.route = kept.route.path
      requireRights(kept.route, ctx.state.credential!)
      return send(ctx, kept.answer)
    }
    const { route, params } = match(ctx.method, ctx.state.path)
    return serve(route, params, ctx, serving)
  }
}

/** Scope, body, handler (decision A5). */
async function serve(route: Route, params: Call['params'], ctx: Ctx, options: Served): Promise<void> {
  const { store, answers, listsApart, cursorSecret, idempotency } = options
  const { requestId } = ctx.state
  const caller = ctx.state.credential!
  ctx.state.route = route.path
  requireRights(route, caller)
  const once = repeats(route, ctx)
  const readBody = options.readers[route.bodySize ?? (route.takesBody ? 'record' : 'small')]
  const body = route.takesBody || (once && hasBody(ctx)) ? await readBody(ctx) : noBody
  const asked: Call = {
    caller,
    reader: store.workspace(caller.workspaceId, requestId),
    findApart: listsApart && ((listing) => listsApart.find(caller.workspaceId, listing, requestId)),
    access: store.access,
    write: (run) => store.write(caller.workspaceId, run, requestId),
    synced: () => store.synced(),
    clock: store.clock,
    cursorSecret,
    params,
    query: ctx.state.query,
    body: body.object,
    ifMatch: ctx.req.headers['if-match'],
  }
  const call = isMember(caller) && route.forMember ? route.forMember(asked) : asked
  const answer = once
    ? idempotency.answer(ctx, call, body.bytes, route.run)
    : answers.through(route, ctx, () => route.run(call))
  send(ctx, answer instanceof Promise ? await answer : answer)
}

/** spec: Scopes; decision A11 */
function requireRights({ scope, feature, forMember }: Route, caller: Credential): void {
  const { scopes, features, plan } = caller
  const decidesItself = isMember(caller) && forMember !== undefined
  if (!decidesItself && !grants(scopes, scope)) {
    throw new ApiError('INSUFFICIENT_PERMISSIONS', `Insufficient permissions. Required scope: ${sayScope(scope)}`)
  }
  if (feature !== undefined && !features.has(feature)) {
    throw new ApiError('FEATURE_NOT_ENABLED', `Your plan (${plan}) does not include ${feature.replaceAll('_', ' ')}`)
  }
}

/** A user of the console who is neither owner nor admin. */
function isMember({ user }: Credential): boolean {
  return user !== undefined && !user.isAdmin
}
