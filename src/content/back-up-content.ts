import { rmSync } from 'node:fs'
import type { Contents, Place } from './contents.ts'
import { type Copied, copyContent, isReferred, listReferred } from './copy-content.ts'
import { contentsBeside } from './open.ts'

interface BackingUp {
  /** Where the content of the database is. */
  from: Contents
  /** Whether content that is missing or damaged is left out; default: it is an error. */
  withoutFiles?: boolean | undefined
  signal?: AbortSignal | undefined
}

/**
 * Copies the content of the database at `path` to beside its backup `file`. Without a complete copy, there is no backup: it is removed.
 * Throws OperatorError, or the signal's reason.
 */
export async function backUpContent(path: string, file: string, options: BackingUp): Promise<Copied> {
  const { from, withoutFiles = false, signal } = options
  const isNeeded = (place: Place) => isReferred(path, place)
  try {
    return await copyContent(listReferred(file), {
      ...{ from, to: contentsBeside(file), withoutFiles, isNeeded, signal },
    })
  } catch (error) {
    rmSync(file)
    throw error
  }
}
