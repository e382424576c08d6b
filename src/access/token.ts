import { hash, randomBytes } from 'node:crypto'

/** 256 bits, in base64url. */
export function drawToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, hexadecimal: only this is stored of a token. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
