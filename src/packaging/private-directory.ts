import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../errors.ts'
import { makePrivateDirectory } from '../lib/make-directory.ts'

/** The directory for files that are run, to which only this user can write. It is created. Throws OperatorError. */
export function privateDirectory(): string {
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

/** Replaces a file. Another process never sees a partial file, and one that has mapped the old file keeps it. Throws OperatorError. */
export function writeAtomically(path: string, content: Uint8Array): void {
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
