import { hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { PackedFile } from '../packaging/embedded.ts'
import { acceptsGzip } from './compression.ts'
import type { Ctx } from './exchange.ts'
import { send } from './response.ts'

interface PageOptions {
  /** Sources of images in the Content-Security-Policy, which otherwise allows only this server. */
  pictures: string
  /** Sources of frames; default: none are allowed. */
  frames?: string
  cacheControl: string
  /** Default: 200. */
  status?: number
}

/** A Cache-Control with which browsers revalidate each time (usually 304), so that an upgrade takes effect immediately. */
export const revalidated = 'no-cache'
/** A Cache-Control for files with a hash of their content in the name. */
export const immutable = 'public, max-age=31536000, immutable'

/** Sends a compressed file; decompressed if the client does not accept gzip or compression is off. */
export function sendPacked(ctx: Ctx, { type, gzip }: PackedFile, options: PageOptions): void {
  const packed = ctx.state.compression !== undefined && acceptsGzip(ctx.req.headers['accept-encoding'])
  const { body, etag } = formOf(gzip, packed)
  const headers = [...pageHeaders(options), ...(packed ? ['Content-Encoding', 'gzip'] : [])]
  const { status = 200 } = options
  send(ctx, { status, type, body, ...(status === 200 && { etag }), headers }) // conditions concern successes only
}

interface Form {
  body: Buffer
  etag: string
}

const forms = { packed: new WeakMap<Buffer, Form>(), plain: new WeakMap<Buffer, Form>() }

/** Anybody may ask for these files at any rate, and to decompress and hash a large one takes 10 ms: it is done once. */
function formOf(gzip: Buffer, packed: boolean): Form {
  const known = packed ? forms.packed : forms.plain
  const found = known.get(gzip)
  if (found) return found
  const body = packed ? gzip : gunzipSync(gzip)
  const form = { body, etag: `"${hash('sha256', body, 'base64url')}"` }
  known.set(gzip, form)
  return form
}

/** Browser features that the pages do not use. */
const unused = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'publickey-credentials-get', 'usb']

function pageHeaders({ pictures, frames, cacheControl }: PageOptions): string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${pictures}`,
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return Object.entries({
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': unused.map((feature) => `${feature}=()`).join(', '),
  }).flat()
}
