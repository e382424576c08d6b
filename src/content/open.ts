import { dirname, join } from 'node:path'
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
