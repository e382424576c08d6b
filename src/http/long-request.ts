import type { IncomingHttpHeaders } from 'node:http'
import type { Environment } from '../access/company.ts'
import type { Route } from '../engine/api/call/route.ts'
import { ApiError } from '../errors.ts'
import type { Body, Content, Ctx, Layer } from './exchange.ts'

/** Who makes a request: a key, given as its header, or the session with this hash. */
export type Identity = { authorization: string } | { session: string; environment: Environment }

/** A request that has passed the checks of the event loop, as plain data: another thread serves it. */
export interface LongRequest {
  readonly workspaceId: number
  readonly identity: Identity
  readonly method: string
  readonly path: string
  readonly query: string
  readonly basePath: string
  readonly requestId: string
  readonly headers: IncomingHttpHeaders
  readonly body: Body | undefined
  /** The JSON of an agent's message, with the address of the console; undefined: a request of the API. */
  readonly message?: { readonly text: string; readonly consoleUrl: string }
}

/** Serves a request on another thread. Throws ApiError. */
export type ServeLong = (request: LongRequest) => Promise<Content>

/** Thrown where a request turns out to be long that cannot be moved by itself: the complete request is served on another thread. */
export class TooLongHere extends Error {}

/** Refuses to try out or to propose what takes several transactions. */
export class SeveralSteps extends ApiError {
  constructor() {
    const message =
      'So many changes are made in several steps, which can be neither tried out nor proposed: change less at once, or ask a user to do it in the console'
    super('CONFLICT', message)
  }
}

/** Serves a request of a route on another thread if it is long, or if it makes one that is. Comes before the layer that runs the route. */
export function moveIfLong(route: Route, serve: ServeLong): Layer {
  return async (ctx, next) => {
    if (!route.isLong?.(ctx.state.call!)) {
      try {
        return await next()
      } catch (error) {
        if (!(error instanceof TooLongHere)) throw error
      }
    }
    ctx.state.content = await serve(longRequestOf(ctx))
    ctx.state.noteWrite?.()
  }
}

/** Throws TooLongHere if a request within another one is long. */
export function refuseLong(route: Route): Layer {
  return (ctx, next) => {
    if (route.isLong?.(ctx.state.call!)) throw new TooLongHere()
    return next()
  }
}

export function longRequestOf({ method, req, state }: Ctx): LongRequest {
  const { path, query, basePath, requestId, body } = state
  const { workspaceId, user, keyId, environment } = state.credential!
  const identity: Identity = user
    ? { session: keyId, environment: environment as Environment }
    : { authorization: req.headers.authorization! }
  return { workspaceId, identity, method, path, query, basePath, requestId, headers: req.headers, body }
}
