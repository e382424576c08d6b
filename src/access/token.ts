import { hash, randomBytes } from 'node:crypto'

/** Generates a token of 256 random bits, in base64url. */
export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The SHA-256 of a token, hexadecimal. Only this is stored, not the token. */
export function hashToken(token: string): string {
  return hash('sha256', token)
}
