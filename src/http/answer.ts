import { type Answer, isKnown } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Ctx } from './exchange.ts'

export const jsonType = 'application/json; charset=utf-8'

/** An answer of any type; default: JSON. */
type Content = Omit<Answer, 'body'> & { type?: string; body: string | Buffer }

/** Writes head and body in one place, past Koa's own response. */
export function send(ctx: Ctx, { status, type = jsonType, body, etag, headers }: Content): void {
  const { req, res, state } = ctx
  ctx.respond = false
  const known =
    etag !== undefined && (req.method === 'GET' || req.method === 'HEAD') && isKnown(req.headers['if-none-match'], etag)
  state.count?.(known ? 304 : status)
  if (res.headersSent || res.destroyed) return
  if (etag !== undefined) state.headers.push('ETag', etag)
  if (headers) state.headers.push(...headers)
  if (known) {
    res.writeHead(304, state.headers).end()
    return
  }
  state.headers.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)))
  res.writeHead(status, state.headers)
  res.end(body)
}

/** spec: Errors */
export function errorBody({ code, message, details }: ApiError): string {
  return JSON.stringify({ error: { code, message, ...(details && { details }) } })
}

export function errorHeaders({ headers }: ApiError): string[] {
  return Object.entries(headers).flat()
}

/** decision B2 */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
  const message = `${method} is not allowed here; allowed: ${allowed.join(', ')}`
  return new ApiError('INVALID_REQUEST', message, { status: 405, headers: { Allow: allowed.join(', ') } })
}
