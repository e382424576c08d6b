import { gunzipSync, gzipSync } from 'node:zlib'
import { ApiError } from '../errors.ts'
import { resources } from '../features/index.ts'
import type { Admission } from '../http/admission.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import { immutable, revalidated, sendPacked } from '../http/packed.ts'
import { methodNotAllowed } from '../http/response.ts'
import type { Sessions } from '../http/session.ts'
import type { PublicUrl } from '../lib/public-url.ts'
import { consoleFiles } from '../packaging/console-files.ts'
import type { PackedFile } from '../packaging/embedded.ts'
import type { Store } from '../store/store.ts'
import { isListed, pageOf } from './description.ts'
import { previews, sendInside } from './inside.ts'
import { readWithin } from './read-within.ts'

/** The first parts of the paths of the console's pages. The router in the browser knows the complete paths. */
const pages = new Set([
  'test',
  'setup',
  'invitation',
  'inbox',
  'pipeline',
  'proposals',
  'agents',
  'reports',
  'import',
  'trash',
  ...resources.map(pageOf).map(firstPart),
])

const recordPages = new Set(resources.filter(isListed).map(pageOf).map(firstPart))

/** Pages for users who cannot sign in yet. */
const outside = /^\/(?:setup|invitation)(?:\/|$)/

/** What the paths of the test workspace's pages begin with. */
const test = /^\/test(?=\/|$)/

interface PagesOptions {
  admission: Admission
  sessions: Sessions
  store: Store
  takesMail: boolean
  /** Runs a request of the API within another one. */
  api: Layer
  publicUrl: PublicUrl | undefined
}

/** The console's document and what it loads. */
export function servePages({ admission, sessions, store, takesMail, api, publicUrl }: PagesOptions): Layer {
  const loadFiles = pageFiles(publicUrl)
  const read = readWithin({
    admission,
    lookup: ({ req, state }) => sessions.lookupVisitor(req, test.test(state.path) ? 'test' : 'live'),
    run: api,
  })
  return async (ctx, next) => {
    const { path } = ctx.state
    const isAsset = path.startsWith('/assets/')
    if (!isAsset && path !== '/' && !pages.has(firstPart(path))) return goOn(ctx, next)
    const files = await loadFiles()
    const asset = isAsset ? files.get(path) : undefined
    if (isAsset && !asset) return goOn(ctx, next)
    ctx.state.route = isAsset ? '/assets/:file' : '/'
    admission.admitAddress(ctx)
    if (!isRead(ctx)) throw methodNotAllowed(ctx.method, ['GET', 'HEAD'])
    if (!asset) return sendPage(ctx, files, 200)
    return sendPacked(ctx, asset, { ...previews, cacheControl: isHashed(path) ? immutable : revalidated })
  }

  /** Shows a page to a person who opens an unknown path. */
  function goOn(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    return next().catch(async (error) => {
      if (!isForPerson(ctx, error)) throw error
      return sendPage(ctx, await loadFiles(), 404)
    })
  }

  /** Sends the document of the console, which shows the page of the path, or that the path is unknown. */
  function sendPage(ctx: Ctx, files: Files, status: 200 | 404): Promise<void> | void {
    const { path } = ctx.state
    const session = outside.test(path) ? undefined : sessions.lookupVisit(ctx.req)
    if (!session) return sendPacked(ctx, files.get('/')!, { ...previews, cacheControl: revalidated, status })
    const page = path.replace(test, '') || '/'
    const document = files.get(`/inside/${scriptOf(page)}`)!
    return sendInside(ctx, { document, page, session, store, takesMail, status, read: (target) => read(ctx, target) })
  }
}

/** Whether a request for an unknown path accepts HTML: a browser shows the response. */
function isForPerson(ctx: Ctx, error: unknown): boolean {
  const isUnknown = error instanceof ApiError && error.code === 'NOT_FOUND' && ctx.state.route === undefined
  return isUnknown && isRead(ctx) && /\btext\/html\b/i.test(ctx.req.headers.accept ?? '')
}

function isRead({ method }: Ctx): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The name of the script that has a page. */
function scriptOf(page: string): string {
  const [, first, second] = page.split('/')
  if (first === '') return 'home'
  if (first === 'inbox' || page === '/settings/mail') return 'mail'
  if (first === 'import' || second === 'duplicates') return 'importing'
  if (first === 'reports') return first
  if (first === 'pipeline') return 'board'
  return recordPages.has(first!) ? 'selling' : 'administration'
}

/** Whether the name of a file has a hash of its content. */
function isHashed(path: string): boolean {
  return /^\/assets\/.*-[A-Z0-9]{8}\.(?:js|css)$/.test(path)
}

function firstPart(path: string): string {
  return path.split('/', 2)[1]!
}

type Files = Map<string, PackedFile>

/** Returns a function that loads the console's files by path. With a public URL, the documents contain it, and load their files from below it. */
function pageFiles(publicUrl: PublicUrl | undefined): () => Promise<Files> {
  if (!publicUrl) return consoleFiles
  let files: Promise<Files> | undefined
  return () => {
    files ??= consoleFiles().then((plain) => new Map([...plain, ...documentsFor(publicUrl, plain)]))
    return files
  }
}

function documentsFor({ href, path }: PublicUrl, files: Files): [string, PackedFile][] {
  const documents = [...files].filter(([name]) => !name.startsWith('/assets/'))
  return documents.map(([name, { type, gzip }]) => {
    const page = gunzipSync(gzip)
      .toString()
      .replace('<html ', `<html data-public-url="${href}" `)
      .replaceAll('"/assets/', `"${path}/assets/`)
    return [name, { type, gzip: gzipSync(page) }]
  })
}
