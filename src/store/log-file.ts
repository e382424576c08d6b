import { fdatasync, read as readCallback, write as writeCallback } from 'node:fs'
import { promisify } from 'node:util'

import { alignedBuffer, Checksum, frameHeader, header, isFrame, isHeader } from './log-format.ts'

const fdatasyncAsync = promisify(fdatasync)
const readAsync = promisify(readCallback)
const writeAsync = promisify(writeCallback)

const framesPerChunk = 64

/**
 * Writes the first `frames` frames again over themselves and syncs. After a failed sync, Linux marks the pages that it could
 * not write as clean, and no later sync writes them; writing the same bytes marks them as changed. The caller holds the write
 * lock. Returns false if the file does not hold what was committed: the kernel has dropped the pages from memory, too.
 */
export async function rewriteLog(fd: number, frames: number): Promise<boolean> {
  if (frames === 0) return true
  const start = await read(fd, 0, header.bytes)
  const checksum = new Checksum()
  if (!isHeader(start, checksum)) return false
  await write(fd, 0, start)
  const frameBytes = frameHeader.bytes + start.readUInt32BE(header.pageSizeAt)
  for (let done = 0; done < frames; done += framesPerChunk) {
    const position = header.bytes + done * frameBytes
    const chunk = await read(fd, position, Math.min(framesPerChunk, frames - done) * frameBytes)
    for (let offset = 0; offset < chunk.length; offset += frameBytes) {
      if (!isFrame(chunk.subarray(offset, offset + frameBytes), start, checksum)) return false
    }
    await write(fd, position, chunk)
  }
  await fdatasyncAsync(fd)
  return true
}

async function read(fd: number, position: number, length: number): Promise<Buffer> {
  const bytes = alignedBuffer(length)
  await readAsync(fd, bytes, 0, length, position)
  return bytes
}

async function write(fd: number, position: number, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await writeAsync(fd, bytes, 0, bytes.length, position)
  if (bytesWritten < bytes.length) throw new Error('The log was written only in part')
}
