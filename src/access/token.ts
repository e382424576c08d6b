import { hash, randomBytes } from 'node:crypto'

/** 256 bits, in base64url. */
export function drawToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, hexadecimal: all that is kept of a token. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
