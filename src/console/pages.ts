import { promisify } from 'node:util'
import { gunzipSync, gzip, gzipSync } from 'node:zlib'
import type { Session } from '../access/session.ts'
import { records } from '../crm/records.ts'
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
import { describe, pageOf } from './description.ts'
import { describeUser } from './enter.ts'

/** The first parts of the paths of the console's pages. The router in the browser knows the complete paths. */
const pages = new Set([
  'test',
  'setup',
  'invitation',
  'pipeline',
  'proposals',
  'agents',
  'reports',
  'import',
  'trash',
  ...resources.map(pageOf).map(firstPart),
])

const recordPages = new Set(records.map(pageOf).map(firstPart))

/** Pages for users who cannot sign in yet. */
const outside = /^\/(?:setup|invitation)(?:\/|$)/

interface PagesOptions {
  admission: Admission
  sessions: Sessions
  store: Store
  publicUrl: PublicUrl | undefined
}

/** The console's page and what it loads. */
export function servePages({ admission, sessions, store, publicUrl }: PagesOptions): Layer {
  const loadFiles = pageFiles(publicUrl)
  return async (ctx, next) => {
    const { path } = ctx.state
    const isAsset = path.startsWith('/assets/')
    if (!isAsset && path !== '/' && !pages.has(firstPart(path))) return next()
    const files = await loadFiles()
    const file = files.get(isAsset ? path : '/')
    if (!file) return next()
    ctx.state.route = isAsset ? '/assets/:file' : '/'
    admission.admitAddress(ctx)
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx.method, ['GET', 'HEAD'])
    const session = isAsset || outside.test(path) ? undefined : sessions.lookupVisit(ctx.req)
    if (session) await sendInside(ctx, files.get(insideOf(path))!, initialData(session, store))
    else sendPacked(ctx, file, { ...previews, cacheControl: isHashed(path) ? immutable : revalidated })
  }
}

/** The page for a signed-in user at this address: those of records name their scripts. */
function insideOf(path: string): string {
  const part = firstPart(path.replace(/^\/test(?=\/)/, ''))
  return part === 'pipeline' || recordPages.has(part) ? '/inside/selling' : '/inside'
}

/** Whether the name of a file has a hash of its content. */
function isHashed(path: string): boolean {
  return /^\/assets\/.*-[A-Z0-9]{8}\.(?:js|css)$/.test(path)
}

function firstPart(path: string): string {
  return path.split('/', 2)[1]!
}

/** The data that a signed-in user's page needs first: that of `/console/session` and `/console/description`. */
function initialData({ userId, companyId }: Session, store: Store): object {
  return { session: describeUser(store.access, userId), description: describe(store, companyId) }
}

const pack = promisify(gzip)

/** Previews of files are pictures and frames that the page itself has made. */
const previews = { pictures: "'self' blob:", frames: 'blob:' }

/** Sends the page with a block of JSON, which the content security policy never runs. It belongs to one user, so it is not cached. */
async function sendInside(ctx: Ctx, page: PackedFile, initial: object): Promise<void> {
  const [before, after] = gunzipSync(page.gzip).toString().split('"%INITIAL_DATA%"') as [string, string]
  const block = JSON.stringify(initial).replaceAll('<', '\\u003c')
  const packed = { type: page.type, gzip: await pack(`${before}${block}${after}`) }
  sendPacked(ctx, packed, { ...previews, cacheControl: 'no-store' })
}

type Files = Map<string, PackedFile>

/** Returns a function that loads the console's files by path. With a public URL, the pages contain it, and load their files from below it. */
function pageFiles(publicUrl: PublicUrl | undefined): () => Promise<Files> {
  if (!publicUrl) return consoleFiles
  let files: Promise<Files> | undefined
  return () => {
    files ??= consoleFiles().then((plain) => new Map([...plain, ...pagesFor(publicUrl, plain)]))
    return files
  }
}

function pagesFor({ href, path }: PublicUrl, files: Files): [string, PackedFile][] {
  return ['/', '/inside', '/inside/selling'].map((name) => {
    const { type, gzip } = files.get(name)!
    const page = gunzipSync(gzip)
      .toString()
      .replace('<html ', `<html data-public-url="${href}" `)
      .replaceAll('"/assets/', `"${path}/assets/`)
    return [name, { type, gzip: gzipSync(page) }]
  })
}
