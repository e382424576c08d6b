import { hash } from 'node:crypto'

/** 128 bits in base64url. */
const sealLength = 22

export type CursorValue = string | number | null

/**
 * Seals the place where a page ended into an opaque, URL-safe token. `context` is what the token is bound to (workspace,
 * list, sort, filters): it opens with the same context and secret only (decision C3).
 */
export function sealCursor(secret: string, context: string, place: CursorValue[]): string {
  const payload = Buffer.from(JSON.stringify(place)).toString('base64url')
  return seal(secret, context, payload) + payload
}

/** The place inside a token, or undefined for a forged, damaged or foreign one. */
export function openCursor(secret: string, context: string, token: string): CursorValue[] | undefined {
  const payload = token.slice(sealLength)
  if (payload === '' || token.slice(0, sealLength) !== seal(secret, context, payload)) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

/** A hash under a secret, cut to half its length so that it cannot be continued; a fraction of an HMAC's price. */
function seal(secret: string, context: string, payload: string): string {
  return hash('sha256', `${secret}\0${context}\0${payload}`, 'base64url').slice(0, sealLength)
}
