import type { Admission } from './admission.ts'
import type { Layer } from './exchange.ts'
import { sendNothing } from './response.ts'

const methods = 'GET, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, If-Range, Kontor-Mcp-Mode, Kontor-Min-Position, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Range, X-Request-Id'
const exposedHeaders =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, Location, Retry-After, Kontor-Duplicate-Of, Kontor-Leader, Kontor-Moved-To, Kontor-Original-Request-Id, Kontor-Outcome, Kontor-Position, Idempotent-Replayed, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy'
const preflightSeconds = 600

/** Allows pages of these origins (`*`: all) to call the API from a browser. Credentials are not allowed: keys are sent in a header. */
export function cors(origins: readonly string[], admission: Admission): Layer {
  const all = origins.includes('*')
  return (ctx, next) => {
    const { origin } = ctx.req.headers
    const { state } = ctx
    if (!all) state.headers.push('Vary', 'Origin')
    if (origin === undefined || !(all || origins.includes(origin))) return next()
    state.headers.push(
      'Access-Control-Allow-Origin',
      all ? '*' : origin,
      'Access-Control-Expose-Headers',
      exposedHeaders,
    )
    if (ctx.method !== 'OPTIONS' || ctx.req.headers['access-control-request-method'] === undefined) return next()
    admission.admitAddress(ctx)
    const allowed = ['Access-Control-Allow-Methods', methods, 'Access-Control-Allow-Headers', requestHeaders]
    sendNothing(ctx, [...allowed, 'Access-Control-Max-Age', String(preflightSeconds)])
    return Promise.resolve()
  }
}
