import { brotliDecompressSync } from 'node:zlib'

// dist/kontor.cjs: a short program (start.ts), and a comment for each packed file, `//name base64`, because a start skips comments, but
// would parse literals.

/** The text of the comment of a file. */
export function packedComment(name: string, compressed: Uint8Array): string {
  return `//${name} ${Buffer.from(compressed).toString('base64')}\n`
}

/** The content of a packed file, compressed with Brotli; undefined if the program's file has none of this name, or ends within it. */
export function findPacked(file: Buffer, name: string): Buffer | undefined {
  const mark = `\n//${name} `
  const at = file.lastIndexOf(mark)
  if (at === -1) return undefined
  const start = at + mark.length
  const end = file.indexOf('\n', start)
  return end === -1 ? undefined : Buffer.from(file.toString('latin1', start, end), 'base64')
}

export function unpacked(compressed: Uint8Array): Buffer {
  return brotliDecompressSync(compressed)
}
