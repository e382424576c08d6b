import { hash, randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { OperatorError } from '../errors.ts'

/**
 * The path of the native addon with this digest (hexadecimal), in a directory that only this user can write to. It is
 * unpacked (gzip) unless a sound copy lies there. Throws OperatorError.
 */
export function unpackAddon(sha256: string, packed: () => Buffer): string {
  const path = join(privateDirectory(), `${sha256}.node`)
  if (digestOf(path) !== sha256) writeAtomically(path, gunzipSync(packed()))
  return path
}

function privateDirectory(): string {
  const uid = process.getuid?.() ?? 0
  const path = join(tmpdir(), `kontor-${uid}`)
  mkdirSync(path, { mode: 0o700, recursive: true })
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

/** Another process never sees a partial file, and one that has the old file mapped keeps it. */
function writeAtomically(path: string, content: Uint8Array): void {
  const temporary = `${path}.${randomUUID()}`
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new OperatorError(`Cannot unpack to ${path}: ${(error as Error).message}; set TMPDIR to another directory.`)
  }
}
