import { gunzipSync, gzipSync } from 'node:zlib'
import type { PublicUrl } from '../lib/public-url.ts'
import { consoleFiles } from '../packaging/console-files.ts'
import type { PackedFile } from '../packaging/embedded.ts'

type Files = Map<string, PackedFile>

/** Returns a function that loads the console's files by path. With a public URL, the pages contain it, and load their files from below it. */
export function pageFiles(publicUrl: PublicUrl | undefined): () => Promise<Files> {
  if (!publicUrl) return consoleFiles
  let files: Promise<Files> | undefined
  return () => {
    files ??= consoleFiles().then((plain) => new Map([...plain, ...pagesFor(publicUrl, plain)]))
    return files
  }
}

function pagesFor({ href, path }: PublicUrl, files: Files): [string, PackedFile][] {
  return ['/', '/inside'].map((name) => {
    const { type, gzip } = files.get(name)!
    const page = gunzipSync(gzip)
      .toString()
      .replace('<html ', `<html data-public-url="${href}" `)
      .replaceAll('"/assets/', `"${path}/assets/`)
    return [name, { type, gzip: gzipSync(page) }]
  })
}
