import { randomBytes, scryptSync } from 'node:crypto'

// OWASP's parameters for scrypt.
const cost = 2 ** 17
const blockSize = 8
const parallelization = 1
const hashBytes = 32
const saltBytes = 16

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. Takes about 200 ms on purpose. */
export function hashPassword(password: string): string {
  const salt = randomBytes(saltBytes)
  const options = { N: cost, r: blockSize, p: parallelization, maxmem: 256 * cost * blockSize }
  const hash = scryptSync(password.normalize('NFKC'), salt, hashBytes, options)
  return ['scrypt', cost, blockSize, parallelization, salt.toString('base64url'), hash.toString('base64url')].join('$')
}
