import { copyDatabase } from '../store/copy.ts'
import type { Contents, Place } from './contents.ts'
import { type Copied, copyContent, isReferred, listReferred } from './copy-content.ts'
import { contentsBeside } from './open.ts'

interface BackingUp {
  /** Where the content of the database is. */
  from: Contents
  /** Whether content that is missing or damaged is left out; default: it is an error. */
  withoutFiles?: boolean | undefined
  /** Whether the copy may replace a file; default: no, which is an error. */
  replaces?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Copies the database at `path` to `file`, and its content to beside it. Without a complete copy of both, there is no file of this name. Returns
 * the bytes of the database, and how much content was copied. Throws OperatorError, SERVICE_UNAVAILABLE, or the signal's reason.
 */
export async function backUp(path: string, file: string, options: BackingUp): Promise<Copied & { bytes: number }> {
  let content: Copied = { copied: 0, missing: 0 }
  const bringContent = async (copy: string) => {
    content = await backUpContent(path, copy, options)
  }
  return {
    ...(await copyDatabase(path, file, { bringContent, replaces: options.replaces, signal: options.signal })),
    ...content,
  }
}

/** Copies the content of the database at `path` to beside its copy. Throws like `backUp`. */
export async function backUpContent(path: string, copy: string, options: BackingUp): Promise<Copied> {
  const { from, withoutFiles = false, signal } = options
  const isNeeded = (place: Place) => isReferred(path, place)
  return copyContent(listReferred(copy), { from, to: contentsBeside(copy), withoutFiles, isNeeded, signal })
}
