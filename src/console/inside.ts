import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import type { Session } from '../access/session.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import type { Ctx } from '../http/exchange.ts'
import { sendPacked } from '../http/packed.ts'
import { settle } from '../http/response.ts'
import type { PackedFile } from '../packaging/embedded.ts'
import type { Store } from '../store/store.ts'
import { boardReads } from './board-reads.ts'
import { describe } from './description.ts'
import { describeUser } from './enter.ts'

interface Visit {
  document: PackedFile
  /** The path of the page in its workspace. */
  page: string
  session: Session
  store: Store
  takesMail: boolean
  status: number
  /** Runs a GET of the API for the user. Returns errors as responses. */
  read: (target: string) => Promise<ApiResponse>
}

/** Previews of files are pictures and frames that the page itself has made. The server has frames with mails. */
export const previews = { pictures: "'self' blob:", frames: "'self' blob:" }

/**
 * Sends the document for a signed-in user, with a block of JSON, which the content security policy never runs: the session, the description,
 * and the responses to what the board reads first. It belongs to one user, so it is not cached.
 */
export async function sendInside(
  ctx: Ctx,
  { document, page, session, store, takesMail, status, read }: Visit,
): Promise<void> {
  const reads = page === '/pipeline' && ctx.state.query === '' ? await boardReads(read) : {}
  const initial = {
    session: describeUser(store.access, session.userId),
    description: describe(store, session, takesMail),
    reads,
    position: await positionOf(ctx),
  }
  const [before, after] = gunzipSync(document.gzip).toString().split('"%INITIAL_DATA%"') as [string, string]
  const head = readsGerman(ctx) ? before : before.replace(/ *<link [^>]*hreflang="de"[^>]*>\n/, '')
  const block = JSON.stringify(initial).replaceAll('<', '\\u003c')
  const packed = { type: document.type, gzip: await pack(`${head}${block}${after}`, { level: 9 }) }
  sendPacked(ctx, packed, { ...previews, cacheControl: 'no-store', status })
}

const pack = promisify(gzip)

/** The position of the log that the document shows; undefined: the server has no log. */
async function positionOf(ctx: Ctx): Promise<number | undefined> {
  const { headers } = ctx.state
  await settle(ctx, true)
  const at = headers.indexOf('Kontor-Position')
  return at < 0 ? undefined : Number(headers[at + 1])
}

/** Whether the first language of the browser that the console has is German. */
function readsGerman({ req }: Ctx): boolean {
  const known = /\b(?:de|en)\b/i.exec(req.headers['accept-language'] ?? '')
  return known?.[0].toLowerCase() === 'de'
}
