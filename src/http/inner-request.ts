import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { InnerRequest } from '../engine/api/call/route.ts'
import { exactText } from '../engine/records/kinds/exact-numbers.ts'
import { ApiError } from '../errors.ts'
import { noBody } from './body.ts'
import type { Content, Ctx, Exchange, Layer } from './exchange.ts'
import { endUnread } from './response.ts'
import { notFound } from './router.ts'

/**
 * Runs a request within another one, as its caller and under its request id. It passes the same checks as a request of its own, except rate
 * limits. Throws ApiError.
 */
export async function performWithin(api: Layer, outer: Ctx, request: InnerRequest): Promise<ApiResponse> {
  const ctx = innerOf(outer, request)
  await api(ctx, notFound)
  return jsonOf(ctx.state.content!)
}

/** The request with the method, target and body of `inner`, and a response of its own. It gets JSON. */
export function innerOf(outer: Ctx, { method, target, body, ...rest }: InnerRequest): Ctx {
  const [path, query = ''] = target.split(/\?(.*)/s, 2) as [string, string?]
  const given = body ? { bytes: Buffer.from(exactText(body)), object: body } : noBody
  const { operation, cause, around, aroundParts } = rest
  const within = {
    isInner: true,
    takeBack: undefined,
    operation,
    cause,
    around,
    aroundParts,
    shown: outer.state.shown?.part(),
  }
  const state: Exchange = { ...outer.state, path, query, headers: [], body: given, ...within }
  const { authorization, host } = outer.req.headers
  const req = { method: { value: method }, headers: { value: { authorization, host } } }
  return Object.create(outer, {
    req: { value: method === 'GET' ? outer.req : Object.create(outer.req, req) },
    method: { value: method },
    state: { value: state },
    params: { value: {}, writable: true },
  })
}

/** Throws if the response is a file, which needs a request of its own. */
export function jsonOf(content: Content): ApiResponse {
  const { parts, file, mediaType, body } = content
  if (mediaType === undefined && !file) return { ...content, body: String(body) }
  if (parts) endUnread(parts)
  throw new ApiError('INVALID_REQUEST', 'A file needs a request of its own')
}
