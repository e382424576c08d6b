import { hash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { PackedFile } from '../packaging/embedded.ts'
import { acceptsGzip } from './compression.ts'
import type { Ctx } from './exchange.ts'
import { send } from './response.ts'

interface PageOptions {
  /** Of a Content-Security-Policy that allows nothing from elsewhere, what may be shown as a picture. */
  pictures: string
  cacheControl: string
}

/** Asked for again each time, and mostly answered 304: an upgrade shows at once. */
export const revalidated = 'no-cache'
/** For what carries its content's hash in its name. */
export const immutable = 'public, max-age=31536000, immutable'

/** Sends a file as it is packed; unpacked for a client that does not accept that, and where compression is off. */
export function sendPacked(ctx: Ctx, { type, gzip }: PackedFile, options: PageOptions): void {
  const packed = ctx.state.compression !== undefined && acceptsGzip(ctx.req.headers['accept-encoding'])
  const body = packed ? gzip : gunzipSync(gzip)
  const etag = `"${hash('sha256', body, 'base64url')}"`
  const headers = [...pageHeaders(options), ...(packed ? ['Content-Encoding', 'gzip'] : [])]
  send(ctx, { status: 200, type, body, etag, headers })
}

/** What browsers could give to a page, and these pages need nothing of. */
const unused = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'publickey-credentials-get', 'usb']

function pageHeaders({ pictures, cacheControl }: PageOptions): string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${pictures}`,
    "connect-src 'self'",
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
