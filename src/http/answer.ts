import { type Answer, isKnown } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Ctx } from './exchange.ts'
import type { Observed } from './observe.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Of every answer in JSON: for browsers, which are to show and keep nothing of it. */
const framing = [
  ...['X-Content-Type-Options', 'nosniff', 'X-Frame-Options', 'DENY', 'Referrer-Policy', 'no-referrer'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Cross-Origin-Resource-Policy', 'same-origin'], // `fetch` by the pages of `--cors-origins` is not subject to it
]
/** Where nothing stricter is said of keeping it. */
export const securityHeaders = [...framing, 'Cache-Control', 'private, no-cache']

/** An answer of any type, with headers of its own for browsers; default: JSON. */
type Content = Omit<Answer, 'body'> & { type?: string; body: string | Buffer }

/** Writes head and body in one place, past Koa's own response. */
export function send(ctx: Ctx, { status, type, body, parts, bodyBytes, etag, headers }: Content): void {
  const { req, res, state } = ctx
  const bytes = parts ? undefined : (bodyBytes ?? Buffer.byteLength(body))
  if (req.method !== 'GET' && req.method !== 'HEAD') state.outflow.reserveAnyway(res, state.clients, bytes ?? 0)
  else if (status < 400) state.outflow.reserve(res, bytes === undefined ? partReaders(ctx) : state.clients, bytes)
  ctx.respond = false
  const known =
    etag !== undefined && (req.method === 'GET' || req.method === 'HEAD') && isKnown(req.headers['if-none-match'], etag)
  if (etag !== undefined) state.headers.push('ETag', etag)
  if (headers) state.headers.push(...headers)
  if (known) finish(ctx, 304, { type })
  else finish(ctx, status, { body, parts, bytes, type })
}

/** 204, for what asks about the API itself. */
export function sendNothing(ctx: Ctx, headers: readonly string[]): void {
  ctx.respond = false
  ctx.state.headers.push(...headers)
  finish(ctx, 204)
}

/** Pages in parts take long: a company has its share of them, whatever keys and addresses it uses. */
function partReaders({ state: { clients, credential } }: Ctx): readonly string[] {
  return credential ? [...clients, credential.companyId] : clients
}

interface Payload {
  body?: string | Buffer
  parts?: AsyncIterable<string> | undefined
  /** Of the body; undefined where it comes in parts. */
  bytes?: number | undefined
  type?: string | undefined
}

function finish(ctx: Ctx, status: number, { body, parts, bytes, type }: Payload = {}): void {
  const { req, res, state } = ctx
  state.count?.(status)
  state.observe?.(observed(ctx, status))
  if (res.headersSent || res.destroyed) return
  if (type === undefined) state.headers.push(...(state.headers.includes('Cache-Control') ? framing : securityHeaders))
  if (body !== undefined) state.headers.push('Content-Type', type ?? jsonType)
  if (bytes !== undefined) state.headers.push('Content-Length', String(bytes))
  res.writeHead(status, state.headers)
  if (body === undefined || req.method === 'HEAD') res.end()
  else if (parts) state.outflow.sendParts(res, parts)
  else state.outflow.send(res, body, bytes!)
}

function observed({ method, state }: Ctx, status: number): Observed {
  const { requestId, address, path, route, beginMs, credential, session } = state
  const ms = performance.now() - beginMs
  const user = credential?.user
  const keyId = user ? undefined : credential?.keyId // in place of a session's key there is its hash
  const [userId, companyId] = [user?.id ?? session?.userId, credential?.companyId ?? session?.companyId]
  return { requestId, address, method, path, route, status, ms, keyId, userId, companyId }
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
