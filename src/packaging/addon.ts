import { hash, randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { makePrivateDirectory } from '../lib/make-directory.ts'

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

function privateDirectory(): string {
  const uid = process.getuid?.() ?? 0
  const path = join(tmpdir(), `kontor-${uid}`)
  try {
    makePrivateDirectory(path)
  } catch (error) {
    throw unpackError(path, error)
  }
  const entry = lstatSync(path)
  if (!entry.isDirectory() || (process.getuid && (entry.uid !== uid || (entry.mode & 0o077) !== 0))) {
    throw new OperatorError(`${path} is not a private directory of this user: remove it, or set TMPDIR.`)
  }
  return path
}

function digestOf(path: string): string | undefined {
  try {
    return hash('sha256', readFileSync(path))
  } catch {
    return undefined
  }
}

/** Replaces a file. Another process never sees a partial file, and one that has mapped the old file keeps it. */
function writeAtomically(path: string, content: Uint8Array): void {
  const temporary = `${path}.${randomUUID()}`
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unpackError(path, error)
  }
}

function unpackError(path: string, error: unknown): OperatorError {
  return new OperatorError(`Cannot unpack to ${path}: ${(error as Error).message}; set TMPDIR to another directory.`)
}
