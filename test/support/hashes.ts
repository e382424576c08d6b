import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

export interface Hashes {
  /** How many passwords have been hashed. */
  count: number
  /** What each one waits for. */
  gate: (() => Promise<unknown>) | undefined
}

/** Watches the hashing of passwords, until the test ends. */
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
