import { createHmac, timingSafeEqual } from 'node:crypto'

const macBytes = 12

export type CursorValue = string | number | null

/**
 * Seals the place where a page ended into an opaque, URL-safe token. `context` is what the token is bound to (workspace,
 * list, sort, filters): it opens with the same context and secret only (decision C3).
 */
export function sealCursor(secret: string, context: string, place: CursorValue[]): string {
  const payload = Buffer.from(JSON.stringify(place))
  return Buffer.concat([sign(secret, context, payload), payload]).toString('base64url')
}

/** The place inside a token, or undefined for a forged, damaged or foreign one. */
export function openCursor(secret: string, context: string, token: string): CursorValue[] | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= macBytes || bytes.toString('base64url') !== token) return undefined
  const payload = bytes.subarray(macBytes)
  if (!timingSafeEqual(sign(secret, context, payload), bytes.subarray(0, macBytes))) return undefined
  return JSON.parse(payload.toString())
}

function sign(secret: string, context: string, payload: Buffer): Buffer {
  return createHmac('sha256', secret).update(context).update('\0').update(payload).digest().subarray(0, macBytes)
}
