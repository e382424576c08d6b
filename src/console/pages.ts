import { gunzipSync } from 'node:zlib'
import type { RateLimiter } from '../access/rate-limit.ts'
import { methodNotAllowed } from '../http/answer.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import { type ConsoleFile, consoleFiles } from '../packaging/console-files.ts'

/** Where the console's own pages begin; its router knows what is behind them. */
const pages =
  /^\/(?:$|(?:test|setup|invitation|pipeline|organizations|contacts|deals|tasks|activities|import|keys|settings)(?:\/|$))/

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = [
  'Content-Security-Policy',
  contentSecurityPolicy,
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Cross-Origin-Opener-Policy',
  'same-origin',
]

/** The console's page and what it loads. */
export function servePages({ limiter }: { limiter: RateLimiter }): Layer {
  return async (ctx, next) => {
    const { path } = ctx.state
    const isAsset = path.startsWith('/assets/')
    if (!isAsset && !pages.test(path)) return next()
    const file = (await consoleFiles()).get(isAsset ? path : '/')
    if (!file) return next()
    const refusal = limiter.admitAddress(ctx.state.address, ctx.state.headers)
    if (refusal) throw refusal
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx.method, ['GET', 'HEAD'])
    sendFile(ctx, file, isAsset)
  }
}

/** What carries its content's hash in its name never changes. */
function sendFile(ctx: Ctx, { type, gzip }: ConsoleFile, forever: boolean): void {
  ctx.respond = false
  const zipped = /\bgzip\b/.test(ctx.req.headers['accept-encoding'] ?? '')
  const body = zipped ? gzip : gunzipSync(gzip)
  ctx.res.writeHead(200, [
    ...ctx.state.headers,
    ...pageHeaders,
    ...['Content-Type', type, 'Content-Length', String(body.length), 'Vary', 'Accept-Encoding'],
    ...['Cache-Control', forever ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ...(zipped ? ['Content-Encoding', 'gzip'] : []),
  ])
  ctx.res.end(ctx.method === 'HEAD' ? undefined : body)
}
