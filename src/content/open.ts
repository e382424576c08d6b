import { realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { OperatorError } from '../errors.ts'
import type { Contents, ContentsSetting } from './contents.ts'
import { DirectoryContents } from './directory.ts'
import { S3Contents } from './s3-contents.ts'

export function openContents({ directory, s3 }: ContentsSetting): Contents {
  return s3 ? new S3Contents(s3, directory) : new DirectoryContents(directory)
}

/** The content beside a backup or another copy of a database: in `files`, beside it. */
export function contentsBeside(path: string): Contents {
  return new DirectoryContents(directoryBeside(path))
}

/** Where the content of the database at `path` is, unless it is in S3, and where it arrives. */
export function directoryBeside(path: string): string {
  return join(dirname(path), 'files')
}

/**
 * Throws OperatorError if a copy in `directory` would share its content with the database of the data directory `data`: erasures remove that, and the
 * copy would no longer be complete.
 */
export function requireApart(directory: string, data: string): void {
  if (realPath(directory) !== realPath(data)) return
  throw new OperatorError(
    `${directory} is the data directory, and a copy needs another one: its files/ would be those of the server.`,
  )
}

/** Without links, if there is such a directory. */
function realPath(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}
