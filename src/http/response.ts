import { isKnown, type SentFile } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'
import { acceptsGzip, type Compression, compressedBytesMin } from './compression.ts'
import type { Content, Ctx } from './exchange.ts'
import type { Observed } from './observe.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Headers of every JSON response: browsers must not display, frame or embed it. */
const framing = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin', // does not apply to `fetch` by pages of `--cors-origins`
}).flat()
/** The headers of a JSON response without a Cache-Control of its own. */
export const securityHeaders = [...framing, 'Cache-Control', 'private, no-cache']

/** Headers of a response that shows a secret: proxies must not compress it either. */
const secretHeaders = ['Cache-Control', 'no-store, no-transform']

/** Writes head and body directly, without Koa's response. Returns a promise if the body is compressed first, or the response has to wait. */
export function send(ctx: Ctx, content: Content): Promise<void> | undefined {
  const settled = settle(ctx, content.status < 500)
  if (content.file) return (settled ?? Promise.resolve()).then(() => sendFile(ctx, content, content.file!))
  if (!settled) return sendNow(ctx, content)
  return settled.then(
    () => sendNow(ctx, content),
    (error) => {
      if (content.parts) endUnread(content.parts)
      throw error
    },
  )
}

/** Resolves when the response may be sent; undefined: it may. Throws ApiError. */
export function settle({ state }: Ctx, showsData: boolean): Promise<void> | undefined {
  const { settle: settleOnce } = state
  state.settle = undefined
  return settleOnce?.(showsData)
}

function sendNow(ctx: Ctx, content: Content): Promise<void> | undefined {
  const { req, res, state } = ctx
  const { status, type, mediaType, body, parts, bodyBytes, etag, headers } = content
  const bytes = parts ? undefined : (bodyBytes ?? Buffer.byteLength(body))
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (!isRead) state.outflow.reserveAnyway(res, state.clients, bytes ?? 0)
  else if (status < 400) state.outflow.reserve(res, bytes === undefined ? partReaders(ctx) : state.clients, bytes)
  if (parts && (req.method === 'HEAD' || res.destroyed)) endUnread(parts)
  const compression = compressionFor(ctx, content, bytes)
  if (etag !== undefined) state.headers.push('ETag', compression ? `W/${etag}` : etag)
  if (headers) state.headers.push(...(state.basePath === '' ? headers : belowBase(headers, state.basePath)))
  if (content.secret) state.headers.push(...secretHeaders)
  const plain = { body, parts, bytes, type, mediaType }
  if (isRead && etag !== undefined && isKnown(req.headers['if-none-match'], etag)) return finish(ctx, 304, { type })
  return compression ? finishCompressed(ctx, content, plain, compression) : finish(ctx, status, plain)
}

/** Puts the paths of `Location` and `Link` below the path of the public URL. Stored responses have paths without it. */
function belowBase(headers: readonly string[], basePath: string): string[] {
  return headers.map((text, at) => {
    const refers = at % 2 === 1 && ['Location', 'Link'].includes(headers[at - 1]!)
    return refers ? text.replace(/^<?(?=\/)/, (start) => start + basePath) : text
  })
}

/** Frees what the parts of a body need that nobody will read. */
export function endUnread(parts: AsyncIterable<unknown>): void {
  parts[Symbol.asyncIterator]()
    .return?.()
    .catch((error) => log('a body could not be closed', errorFields(error), 'error'))
}

/** Returns the compression if the response should be compressed. A body in parts is always long enough. */
function compressionFor({ req, state }: Ctx, { type, secret }: Content, bytes = compressedBytesMin) {
  if (!state.compression || type !== undefined || secret || bytes < compressedBytesMin) return undefined
  state.headers.push('Vary', 'Accept-Encoding')
  return acceptsGzip(req.headers['accept-encoding']) ? state.compression : undefined
}

function finishCompressed(ctx: Ctx, content: Content, plain: Payload, compression: Compression) {
  const { status, mediaType, body, parts, compressed } = content
  if (ctx.res.destroyed) return finish(ctx, status, plain) // the client has gone: do not compress
  const finishCoded = (payload: Payload) => {
    ctx.state.headers.push('Content-Encoding', 'gzip')
    return finish(ctx, status, payload)
  }
  if (parts) return finishCoded({ body, mediaType, parts: compression.compressParts(parts) })
  const end = (made?: Buffer) =>
    made ? finishCoded({ body: made, mediaType, bytes: made.length }) : finish(ctx, status, plain)
  const make = () => compression.compress(body, plain.bytes!, ctx.state.clients)
  const made = compressed ? (compressed.bytes ?? compressed.through(make)) : make()
  return made instanceof Promise ? made.then(end) : end(made)
}

/** Responds to a CORS preflight request. */
export function sendNothing(ctx: Ctx, headers: readonly string[]): void {
  void settle(ctx, false)
  ctx.state.headers.push(...headers)
  finish(ctx, 204)
}

/** Sending in parts takes long, so it is also limited for each company. */
function partReaders({ state: { clients, credential } }: Ctx): readonly string[] {
  return credential ? [...clients, credential.companyId] : clients
}

const eventHeaders = [
  ...framing,
  ...['Cache-Control', 'no-cache, no-transform', 'X-Accel-Buffering', 'no', 'Content-Type', 'text/event-stream'],
]

/** Begins a response of server-sent events (decision G6). False if there is no client to send them to. */
export function beginEvents(ctx: Ctx): boolean {
  const { req, res, state } = ctx
  state.count?.(200)
  state.observe?.(observed(ctx, 200))
  if (res.headersSent || res.destroyed) return false
  res.writeHead(200, [...state.headers, ...eventHeaders])
  res.flushHeaders() // alone: joined with the first event, they would keep all parts of their text in memory while the stream lasts
  if (req.method === 'HEAD') res.end()
  return req.method !== 'HEAD'
}

/** Sends content. Reads its beginning before the head, so that an error about it is a response. Throws ApiError. */
async function sendFile(ctx: Ctx, { status, etag, headers = [] }: Content, file: SentFile): Promise<void> {
  const { req, res, state } = ctx
  const tag = etag === undefined ? [] : ['ETag', etag]
  if (etag !== undefined && isKnown(req.headers['if-none-match'], etag)) {
    state.headers.push(...tag, ...fileHeaders)
    return finish(ctx, 304, { type: file.mediaType })
  }
  const parts = req.method === 'HEAD' || res.destroyed ? undefined : await begun(file.parts())
  if (parts && res.destroyed) endUnread(parts) // the client has gone meanwhile
  state.headers.push(...tag, ...headers, ...fileHeaders)
  finish(ctx, status, { body: '', parts, bytes: file.bytes, type: file.mediaType })
}

/** Files come from anybody: a browser must neither run anything in them nor guess their type (decision O4). */
const fileHeaders = Object.entries({
  ...Object.fromEntries(
    Array.from({ length: framing.length / 2 }, (_, at) => [framing[2 * at]!, framing[2 * at + 1]!]),
  ),
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cache-Control': 'private, no-cache',
}).flat()

/** The same parts, of which the first has been read. No generator: one that has not begun closes nothing when it is ended. */
async function begun(parts: AsyncIterable<Buffer>): Promise<AsyncIterable<Buffer>> {
  const iterator = parts[Symbol.asyncIterator]()
  let first: IteratorResult<Buffer> | undefined = await iterator.next()
  const rest: AsyncIterator<Buffer> = {
    async next() {
      const next = first ?? iterator.next()
      first = undefined
      return next
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { [Symbol.asyncIterator]: () => rest }
}

interface Payload {
  body?: string | Buffer
  parts?: AsyncIterable<string | Buffer> | undefined
  /** Length of the body; undefined if it comes in parts. */
  bytes?: number | undefined
  /** The type of a file. */
  type?: string | undefined
  /** The type of a response of the API; default: JSON. */
  mediaType?: string | undefined
}

function finish(ctx: Ctx, status: number, { body, parts, bytes, type, mediaType = jsonType }: Payload = {}): undefined {
  const { req, res, state } = ctx
  state.count?.(status)
  state.observe?.(observed(ctx, status))
  if (res.headersSent || res.destroyed) return
  if (type === undefined) state.headers.push(...(state.headers.includes('Cache-Control') ? framing : securityHeaders))
  if (body !== undefined) state.headers.push('Content-Type', type ?? mediaType)
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
  const keyId = user ? undefined : credential?.keyId // the keyId of a session is its hash
  const [userId, companyId] = [user?.id ?? session?.userId, credential?.companyId ?? session?.companyId]
  return { requestId, address, method, path, route, status, ms, keyId, userId, companyId }
}

/** spec: Errors */
export function errorBody({ code, message, details }: ApiError): string {
  return JSON.stringify({ error: { code, message, ...(details && { details }) } })
}

/** With what every 401 carries (decision A4). */
export function errorHeaders({ status, headers }: ApiError): string[] {
  return Object.entries({ ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }), ...headers }).flat()
}

/** decision B2 */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
  const message = `${method} is not allowed here; allowed: ${allowed.join(', ')}`
  return new ApiError('INVALID_REQUEST', message, { status: 405, headers: { Allow: allowed.join(', ') } })
}
