import { dirname, join } from 'node:path'
import type { Contents, ContentsSetting } from './contents.ts'
import { DirectoryContents } from './directory.ts'

export function openContents({ directory }: ContentsSetting): Contents {
  return new DirectoryContents(directory)
}

/** Where the content of the database at `path` is: in `files`, beside it. */
export function contentsBeside(path: string): ContentsSetting {
  return { directory: join(dirname(path), 'files') }
}
