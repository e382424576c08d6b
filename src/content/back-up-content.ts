import { rmSync } from 'node:fs'
import type { Place } from './contents.ts'
import { type Copied, copyContent, listReferred } from './copy-content.ts'
import { contentsBetween } from './open.ts'

interface BackingUp {
  /** Whether content that is missing or damaged is left out; default: it is an error. */
  withoutFiles?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Copies the content beside the database at `path` to beside its backup `file`. Without a complete copy, there is no backup: it is removed.
 * Throws OperatorError, or the signal's reason.
 */
export async function backUpContent(path: string, file: string, options: BackingUp): Promise<Copied> {
  const { withoutFiles = false, signal } = options
  const isNeeded = (place: Place) => listReferred(path).some(({ sha256 }) => sha256 === place.sha256) // not erased since
  try {
    return await copyContent(listReferred(file), { ...contentsBetween(path, file), withoutFiles, isNeeded, signal })
  } catch (error) {
    rmSync(file)
    throw error
  }
}
