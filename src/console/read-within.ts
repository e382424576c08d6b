import type { ApiResponse } from '../engine/http-response.ts'
import { ApiError } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { Content, Ctx, Exchange, Layer } from '../http/exchange.ts'
import { responseTo } from '../http/problem.ts'
import { endUnread } from '../http/response.ts'
import { notFound } from '../http/router.ts'
import type { Sessions } from '../http/session.ts'

interface Parts {
  sessions: Sessions
  admission: Admission
  /** Runs a GET of the API. */
  api: Layer
  /** Runs a GET of the console. */
  console: Layer
}

/**
 * Returns a function that runs a GET within another request of the console. It passes the same checks as a request of its own, and counts
 * against the rate limit. Returns errors as responses.
 */
export function readWithin({ sessions, admission, api, console }: Parts) {
  return async (outer: Ctx, target: string): Promise<ApiResponse> => {
    const ctx = innerOf(outer, target)
    try {
      const credential = sessions.lookupCredential(ctx.req)
      if (!credential) throw new ApiError('UNAUTHORIZED', 'Sign in first')
      admission.count(ctx, credential)
      ctx.state.credential = credential
      await (ctx.state.path.startsWith('/console/') ? console : api)(ctx, notFound)
      return jsonOf(ctx.state.content!)
    } catch (thrown) {
      return responseTo(thrown, ctx.state)
    }
  }
}

/** The request with the path and query of `target`, for JSON, and a response of its own. */
function innerOf(outer: Ctx, target: string): Ctx {
  const [path, query = ''] = target.split(/\?(.*)/s, 2) as [string, string?]
  const state: Exchange = { ...outer.state, path, query, headers: [] }
  const accepts = () => 'application/json'
  return Object.create(outer, {
    state: { value: state },
    params: { value: {}, writable: true },
    accepts: { value: accepts },
  })
}

/** Throws if the response is a file, which needs a request of its own. */
function jsonOf(content: Content): ApiResponse {
  const { parts, mediaType, body } = content
  if (mediaType === undefined) return { ...content, body: String(body) }
  if (parts) endUnread(parts)
  throw new ApiError('INVALID_REQUEST', 'A file needs a request of its own')
}
