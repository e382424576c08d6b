import { inLiveWorkspace } from '../access/credentials.ts'
import type { RateLimiter } from '../access/rate-limit.ts'
import type { Contents } from '../content/contents.ts'
import type { Around, BodySize, Call, Caller, Route } from '../engine/api/call/route.ts'
import type { Mailroom } from '../mail/mailroom.ts'
import type { Actor } from '../store/change-log.ts'
import type { Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { hasBody, noBody, type ReadBody } from './body.ts'
import type { EventStreams } from './event-streams.ts'
import type { Ctx, Layer } from './exchange.ts'
import type { FairTurns } from './fair-turns.ts'
import { Idempotency, isRepeatable } from './idempotency.ts'
import { performWithin } from './inner-request.ts'
import { moveIfLong, refuseLong, type ServeLong, SeveralSteps } from './long-request.ts'
import { linkNext } from './next-page.ts'
import { recheckPermission, requirePermission } from './permissions.ts'
import { accepts, prefers } from './preferred.ts'
import { type ReadThreads, readWith } from './read.ts'
import { send, settle } from './response.ts'
import type { ResponseCache } from './response-cache.ts'
import { dispatch } from './router.ts'
import { announceFile, type Uploads } from './upload.ts'
import type { Waiting } from './waiting.ts'

/** What a call needs. */
interface CallOptions {
  store: Store
  limiter: Pick<RateLimiter, 'countsOf'>
  /** Answer long questions; undefined: the event loop does. */
  readThreads: ReadThreads | undefined
  /** Serves long requests on other threads; undefined: they are served here. */
  serveLong?: ServeLong | undefined
  /** Called after each transaction of a request that makes several, except the last one. */
  letOthersWrite?: (() => Promise<void>) | undefined
  cursorSecret: string
  waiting: Waiting
  destinations: { refusal(url: string): string | undefined }
  /** Where content is; undefined: this server stores none. */
  contents: Contents | undefined
  /** What the server has for mail; undefined: it takes none. */
  mail: Mailroom | undefined
  /** Runs a request within another one. */
  inner(): Layer
}

interface ApiOptions extends CallOptions {
  responses: ResponseCache
  readers: Readonly<Record<BodySize, ReadBody>>
  streams: EventStreams
  uploads: Uploads
  turns: FairTurns
}

/** Serves the API's routes. Every request to a route passes its steps in this order (decision A5). */
export function serveApi(routes: readonly Route[], options: ApiOptions): Layer {
  const idempotency = new Idempotency(options.store)
  return dispatch(routes, (route) => [
    respond(options.streams),
    permit(route, options.store),
    ...(route.takesFile ? [announceFile, prepareCall(route, options), options.uploads.receive(route)] : []),
    ...(!route.takesFile && (route.takesBody || route.method === 'POST')
      ? [readBody(route, options)]
      : [takeTurn(options.turns)]),
    prepareCall(route, options),
    ...(route.method === 'GET' ? [] : [requireReading]),
    ...(route.method === 'POST' ? [idempotency.layer] : []),
    ...(route.cacheable ? [options.responses.cache(route)] : []),
    ...(options.serveLong && (route.isLong || route.performs) ? [moveIfLong(route, options.serveLong)] : []),
    run(route),
  ])
}

/** Runs a request within another one; its response is in `content`. */
export function innerApi(routes: readonly Route[], options: CallOptions): Layer {
  const idempotency = new Idempotency(options.store)
  return dispatch(routes, (route) => [
    permit(route, options.store),
    prepareCall(route, options),
    ...(options.serveLong && route.isLong ? [refuseLong(route)] : []),
    ...(route.method === 'GET' ? [] : [idempotency.layer, wrapWrite]),
    run(route),
  ])
}

/** Sends the response that the later steps have prepared. */
function respond(streams: EventStreams): Layer {
  return async (ctx, next) => {
    await next()
    const content = ctx.state.content!
    if (!content.events) return send(ctx, content)
    await settle(ctx, true)
    return streams.send(ctx, content.events)
  }
}

function permit(route: Route, { access }: Store): Layer {
  return ({ state }, next) => {
    requirePermission(route, state.credential!)
    if (route.ofCompany) state.credential = inLiveWorkspace(access, state.credential!)
    return next()
  }
}

/** Waits for the request's turn. */
function takeTurn(turns: FairTurns): Layer {
  return (ctx, next) => turns.wait(ctx)?.then(next) ?? next()
}

function readBody(route: Route, { readers, turns }: ApiOptions): Layer {
  const read = readers[route.bodySize ?? (route.takesBody ? 'record' : 'small')]
  return async (ctx, next) => {
    const needsBody = route.takesBody && !route.bodyOptional
    if (needsBody || ((route.takesBody || isRepeatable(ctx)) && hasBody(ctx))) {
      ctx.state.body = await read(ctx, route.bodyOptional)
    } else await turns.wait(ctx)
    return next()
  }
}

/** Rejects a write while its client leaves long responses unread. */
function requireReading(ctx: Ctx, next: () => Promise<void>): Promise<void> {
  ctx.state.outflow.requireCapacity(ctx.state.clients)
  return next()
}

/** Comes after the layer that stores the response of an idempotent request, so that the stored one is that of the wrapped transaction. */
function wrapWrite({ state }: Ctx, next: () => Promise<void>): Promise<void> {
  const { call, around, aroundParts = refuseParts } = state
  if (around) state.call = { ...call!, write: around(call!.write), prepare: aroundParts(call!.prepare) }
  return next()
}

/** What is tried out or proposed must be one transaction. */
const refuseParts: Around = () => () => {
  throw new SeveralSteps()
}

function prepareCall(route: Route, options: CallOptions): Layer {
  return (ctx, next) => {
    ctx.state.call = callOf(ctx, route, options)
    return next()
  }
}

function callOf(ctx: Ctx, route: Route, options: CallOptions): Call {
  const { store, limiter, letOthersWrite, cursorSecret, waiting, destinations, contents, mail } = options
  const { credential, requestId, query, body = noBody, upload, cause, shown } = ctx.state
  const caller = recheckPermission(route, credential!) // the body may have taken minutes to arrive
  const { viewer } = caller
  const origin = { actor: actorOf(caller), requestId, cause: cause && JSON.stringify(cause), view: viewer }
  const write: Call['write'] = (run) => {
    const runNow = (tx: Writer) => {
      const now = recheckPermission(route, caller)
      return run(now === caller ? tx : tx.as({ ...tx.origin, view: now.viewer }), now)
    }
    return noting(ctx, store.write(caller.workspaceId, runNow, origin))
  }
  const { companyId, workspaceId } = caller
  const reader = store.workspace(workspaceId, { view: viewer, cause: requestId, shown })
  const call: Call = {
    caller,
    reader,
    read: readWith(reader, { companyId, workspaceId, viewer, cause: requestId, shown }, options.readThreads),
    access: store.access,
    write,
    prepare: letOthersWrite ? (run) => write(run).finally(letOthersWrite) : write,
    release: (run) => store.write(caller.workspaceId, run, origin),
    perform: (request) => performWithin(options.inner(), ctx, request),
    recheck: () => recheckPermission(route, caller),
    requestId,
    log: {
      synced: (seq) => (seq === undefined ? store.synced() : store.changesSynced(workspaceId, seq)),
      wait: (latest, ms) => waiting.wait(ctx, latest, ms),
    },
    refusalOf: (url) => destinations.refusal(url),
    countRequests: () => limiter.countsOf(caller.keyId),
    clock: store.clock,
    cursorSecret,
    params: ctx.params,
    query,
    body: body.object,
    upload,
    contents,
    mail,
    headers: {
      ifMatch: ctx.req.headers['if-match'],
      range: ctx.req.headers.range,
      ifRange: ctx.req.headers['if-range'] as string | undefined,
      lastEventId: ctx.req.headers['last-event-id'] as string | undefined,
      prefers: (type) => prefers(ctx, type),
      accepts: (type) => accepts(ctx, type),
    },
  }
  return route.narrow ? route.narrow(call) : call
}

/** Notes the position that contains a write before others follow. */
function noting<T>({ state: { noteWrite } }: Ctx, written: Promise<T>): Promise<T> {
  if (!noteWrite) return written
  return written.then((result) => {
    noteWrite()
    return result
  })
}

/** The `keyId` of a session is not that of an API key. */
function actorOf({ user, keyId }: Caller): Actor {
  return user ? { type: 'user', id: user.id } : { type: 'api_key', id: keyId }
}

function run(route: Route): Layer {
  return async (ctx) => {
    ctx.state.content = linkNext(ctx, await route.run(ctx.state.call!))
  }
}
