import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { privateDirectory, writeAtomically } from './private-directory.ts'

/** The paths of copies that this process has verified. No other user can have changed them since. */
const verified = new Set<string>()

/**
 * The path of the native addon with this SHA-256 digest (hexadecimal), in a directory that only this user can write to. The addon is
 * written unless a valid copy exists; the copy may be removed while the process runs. Throws OperatorError.
 */
export function unpackAddon(sha256: string, read: () => Buffer): string {
  const path = join(privateDirectory(), `${sha256}.node`)
  if (verified.has(path) && existsSync(path)) return path
  if (digestOf(path) !== sha256) writeAtomically(path, read())
  verified.add(path)
  return path
}

/** The path of the native addon in the package better-sqlite3, which is installed next to the program. Throws OperatorError. */
export function installedAddon(): string {
  const platform = `${isMusl() ? 'linuxmusl' : process.platform}-${process.arch}`
  const path = join(
    dirname(createRequire(__filename).resolve('better-sqlite3/package.json')),
    `prebuilds/${platform}.node`,
  )
  if (existsSync(path)) return path
  throw new OperatorError(`Kontor does not run on ${platform}: better-sqlite3 has no addon for it.`)
}

/** Whether the process uses musl instead of glibc, as on Alpine: its loader is mapped into memory. */
function isMusl(): boolean {
  return process.platform === 'linux' && readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-')
}

function digestOf(path: string): string | undefined {
  try {
    return hash('sha256', readFileSync(path))
  } catch {
    return undefined
  }
}
