import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Route } from '../engine/route.ts'
import type { AssetName } from '../packaging/assets.ts'
import { readAsset, version } from '../packaging/embedded.ts'
import { methodNotAllowed, send } from './answer.ts'
import type { Ctx, Layer } from './exchange.ts'

interface Page {
  type: string
  gzipped: Buffer
}

type MakePage = () => Page | Promise<Page>

/** Asked for again each time, and mostly answered 304: an upgrade shows at once. */
const caching = 'no-cache'
const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ')

const pageHeaders = [
  ...['Cache-Control', caching, 'Vary', 'Accept-Encoding', 'Content-Security-Policy', policy],
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
]

/** What the API tells of itself: needs no key, and is made when it is first asked for (decisions E8, F7). */
export function docs(routes: readonly Route[]): Layer {
  const pages: Readonly<Record<string, MakePage>> = {
    '/openapi.json': once(async () => text('application/json', JSON.stringify(await describe(routes)))),
    '/llms.txt': once(async () => text('text/markdown', await summarize(routes))),
    '/docs': once(() => asset('text/html', 'docs/page.html')),
    '/docs/page.css': once(() => asset('text/css', 'docs/page.css')),
    '/docs/page.js': once(() => asset('text/javascript', 'docs/page.js')),
    '/docs/ui.css': once(() => asset('text/css', 'docs/ui.css')),
    '/docs/ui.js': once(() => asset('text/javascript', 'docs/ui.js')),
  }
  return async (ctx, next) => {
    const { path } = ctx.state
    if (!Object.hasOwn(pages, path)) return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx.method, ['HEAD', 'GET'])
    show(ctx, await pages[path]!())
  }
}

async function describe(routes: readonly Route[]) {
  const { createDocument } = await import('./openapi/document.ts')
  return createDocument(routes, version)
}

async function summarize(routes: readonly Route[]): Promise<string> {
  const { summarizeDocument } = await import('./openapi/summary.ts')
  return summarizeDocument(await describe(routes))
}

function show(ctx: Ctx, { type, gzipped }: Page): void {
  const packed = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(ctx.req.headers['accept-encoding'] ?? '')
  const body = packed ? gzipped : gunzipSync(gzipped)
  const headers = packed ? [...pageHeaders, 'Content-Encoding', 'gzip'] : pageHeaders
  send(ctx, {
    status: 200,
    type: `${type}; charset=utf-8`,
    body,
    etag: `"${hash('sha256', body, 'base64url')}"`,
    headers,
  })
}

function text(type: string, content: string): Page {
  return { type, gzipped: gzipSync(content) }
}

function asset(type: string, name: AssetName): Page {
  return { type, gzipped: readAsset(name) }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
