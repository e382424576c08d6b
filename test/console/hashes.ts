import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

export interface Hashes {
  /** The number of passwords hashed so far. */
  count: number
  /** Awaited before each hash. */
  gate: (() => Promise<unknown>) | undefined
}

/** Counts and delays the hashing of passwords until the test ends. */
export function watchHashes(t: TestContext): Hashes {
  const hashes: Hashes = { count: 0, gate: undefined }
  const { scrypt } = crypto
  const watched = (...args: unknown[]) => {
    hashes.count++
    void Promise.resolve(hashes.gate?.()).then(() => (scrypt as (...all: unknown[]) => void)(...args))
  }
  crypto.scrypt = watched as never
  syncBuiltinESMExports()
  t.after(() => {
    crypto.scrypt = scrypt
    syncBuiltinESMExports()
  })
  return hashes
}
