import { dirname, join } from 'node:path'
import type { Contents, ContentsSetting } from './contents.ts'
import { DirectoryContents } from './directory.ts'

export function openContents({ directory }: ContentsSetting): Contents {
  return new DirectoryContents(directory)
}

/** The content beside two databases, from the first to the second. */
export function contentsBetween(from: string, to: string): { from: Contents; to: Contents } {
  return { from: openContents(contentsBeside(from)), to: openContents(contentsBeside(to)) }
}

/** Where the content of the database at `path` is: in `files`, beside it. */
export function contentsBeside(path: string): ContentsSetting {
  return { directory: join(dirname(path), 'files') }
}
