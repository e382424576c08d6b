import { gzipSync } from 'node:zlib'
import type { Route } from '../engine/api/call/route.ts'
import { once } from '../lib/once.ts'
import type { AssetName } from '../packaging/assets.ts'
import { type PackedFile, readAsset, version } from '../packaging/embedded.ts'
import type { Layer } from './exchange.ts'
import type { OpenApiDocument } from './openapi/operation.ts'
import { revalidated, sendPacked } from './packed.ts'
import { dispatch } from './router.ts'

/** Puts other examples into the document. */
export type Exemplify = (document: OpenApiDocument) => OpenApiDocument

/** Swagger UI has its icons as `data:` URLs. */
const page = { pictures: "'self' data:", cacheControl: revalidated }

/** Serves the documentation of the API, without a key. The document is created at the first request (decisions E8, F7). */
export function docs(
  routes: readonly Route[],
  serverUrl: string | undefined,
  exemplify: Exemplify = (document) => document,
): Layer {
  const describe = async () => {
    const { createDocument } = await import('./openapi/document.ts')
    return exemplify(createDocument(routes, version, serverUrl))
  }
  const pages: Readonly<Record<string, () => Promise<PackedFile>>> = {
    '/openapi.json': once(async () => text('application/json', JSON.stringify(await describe()))),
    '/llms.txt': once(async () => text('text/markdown', await summarize(await describe()))),
    '/docs': once(() => asset('text/html', 'docs/page.html')),
    '/docs/page.css': once(() => asset('text/css', 'docs/page.css')),
    '/docs/page.js': once(() => asset('text/javascript', 'docs/page.js')),
    '/docs/ui.css': once(() => asset('text/css', 'docs/ui.css')),
    '/docs/ui.js': once(() => asset('text/javascript', 'docs/ui.js')),
  }
  const pageRoutes = Object.entries(pages).map(([path, makePage]) => ({ method: 'GET', path, makePage }))
  return dispatch(pageRoutes, ({ makePage }) => [async (ctx) => sendPacked(ctx, await makePage(), page)])
}

async function summarize(document: OpenApiDocument): Promise<string> {
  const { summarizeDocument } = await import('./openapi/summary.ts')
  return summarizeDocument(document)
}

function text(type: string, content: string): PackedFile {
  return { type: `${type}; charset=utf-8`, gzip: gzipSync(content) }
}

function asset(type: string, name: AssetName): PackedFile {
  return { type: `${type}; charset=utf-8`, gzip: readAsset(name) }
}
