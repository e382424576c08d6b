import { hash } from 'node:crypto'

/** The length of a seal: 128 bits in base64url. */
const sealLength = 22

export type CursorValue = string | number | null

/**
 * Encodes the position at which a page ended as an opaque, URL-safe token. The token is bound to `context` (workspace, list, sort,
 * filters): it can be read only with the same context and secret (decision C3).
 */
export function sealCursor(secret: string, context: string, place: CursorValue[]): string {
  const payload = Buffer.from(JSON.stringify(place)).toString('base64url')
  return seal(secret, context, payload) + payload
}

/** The position in a token. Undefined if the token is forged, damaged, or belongs to another context. */
export function openCursor(secret: string, context: string, token: string): CursorValue[] | undefined {
  const payload = token.slice(sealLength)
  if (payload === '' || token.slice(0, sealLength) !== seal(secret, context, payload)) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** A keyed hash, truncated to half its length to prevent length extension. Much faster than an HMAC. */
function seal(secret: string, context: string, payload: string): string {
  return hash('sha256', `${secret}\0${context}\0${payload}`, 'base64url').slice(0, sealLength)
}
