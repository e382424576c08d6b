import { hash } from 'node:crypto'
import { decrypt, encrypt } from '../../../lib/cipher.ts'
import type { Reader, Writer } from '../../../store/reader.ts'

/** A secret that signs deliveries. It is stored encrypted. */
export interface Secret {
  secret: string
  /** Until when it signs, in milliseconds since 1970; null: it is the current one. */
  untilMs: number | null
}

const secretBytes = 32
export const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/

/** Each adds a signature to every delivery. */
export const secretsMax = 5

/** The secrets of a webhook, the current one first (decision H2). */
export function readSecrets(access: Reader, stored: string): Secret[] {
  const key = encryptionKey(access)
  return (JSON.parse(stored) as Secret[]).map((each) => ({ ...each, secret: decrypt(key, each.secret) }))
}

/** A new secret, and the column that stores it, encrypted. Former secrets sign for `overlapMs`. */
export function replaceSecret(
  tx: Writer,
  { stored = '[]', nowMs, overlapMs = 0 }: { stored?: string; nowMs: number; overlapMs?: number },
): { secret: string; stored: string } {
  const secret = `whsec_${Buffer.from(tx.randomBytes(secretBytes)).toString('base64')}`
  const until = nowMs + overlapMs
  const former = unexpired(JSON.parse(stored), nowMs).map(({ secret, untilMs }) => ({
    secret,
    untilMs: Math.min(untilMs ?? until, until),
  }))
  const current: Secret = { secret: encrypt(encryptionKey(tx), secret), untilMs: null }
  return { secret, stored: JSON.stringify(unexpired([current, ...former], nowMs).slice(0, secretsMax)) }
}

/** The secrets that sign now. */
export function unexpired(secrets: readonly Secret[], nowMs: number): Secret[] {
  return secrets.filter(({ untilMs }) => untilMs === null || untilMs > nowMs)
}

/** The stored secrets of a webhook, encrypted for another database, to which they have been copied. */
export function reencrypt(stored: string, from: Reader, to: Reader): string {
  const key = encryptionKey(to)
  return JSON.stringify(readSecrets(from, stored).map((each) => ({ ...each, secret: encrypt(key, each.secret) })))
}

/** It is in the database, too: it keeps secrets out of logs and partial copies, not from somebody who has the whole database. */
function encryptionKey(reader: Reader): Buffer {
  const value = reader.value<string>("SELECT value FROM setting WHERE name = 'webhook_key'")!
  return hash('sha256', value, 'buffer')
}
