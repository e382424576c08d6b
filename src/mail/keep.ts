import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'

export interface KeptBody {
  readonly bytes: Buffer
  /** The SHA-256 of what follows `bytes`; empty if nothing does. */
  readonly rest: string
}

/** Keeps the beginning of a text. */
export async function keepBody(content: Readable, bytesMax: number): Promise<KeptBody> {
  const parts: Buffer[] = []
  const rest = createHash('sha256')
  let left = bytesMax
  let hasRest = false
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const kept = chunk.subarray(0, left)
    parts.push(kept)
    left -= kept.length
    if (kept.length < chunk.length) {
      hasRest = true
      rest.update(chunk.subarray(kept.length))
    }
  }
  return { bytes: Buffer.concat(parts), rest: hasRest ? rest.digest('hex') : '' }
}

/** Writes content to a new file. */
export async function keepFile(content: Readable, file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  await using handle = await open(file, 'wx', 0o600)
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
    await handle.writeFile(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}
