import { fdatasync, read as readCallback, write as writeCallback } from 'node:fs'
import { promisify } from 'node:util'

// SQLite's write-ahead log as a file (https://sqlite.org/walformat.html), as little-endian machines write it.

const fdatasyncAsync = promisify(fdatasync)
const readAsync = promisify(readCallback)
const writeAsync = promisify(writeCallback)

const headerBytes = 32
const frameHeaderBytes = 24
const littleEndianMagic = 0x377f0682
const framesPerStep = 64

/** The two halves of the running checksum. */
type Sum = [number, number]

/**
 * Writes every committed frame once more over itself, so that the kernel has to bring all of it to the disk, whatever an
 * earlier sync that failed has made it forget. The caller holds the write lock. False where a frame is not what was committed.
 */
export async function rewriteLog(fd: number, frames: number): Promise<boolean> {
  if (frames === 0) return true
  const header = await read(fd, 0, headerBytes)
  let sum = addUp([0, 0], header.subarray(0, 24))
  if (header.readUInt32BE(0) !== littleEndianMagic || !isSum(sum, header, 24)) return false
  await write(fd, header, 0)
  const pageBytes = header.readUInt32BE(8)
  const frameBytes = frameHeaderBytes + (pageBytes === 1 ? 65_536 : pageBytes)
  for (let done = 0; done < frames; done += framesPerStep) {
    const at = headerBytes + done * frameBytes
    const step = await read(fd, at, Math.min(framesPerStep, frames - done) * frameBytes)
    for (let offset = 0; offset < step.length; offset += frameBytes) {
      const frame = step.subarray(offset, offset + frameBytes)
      sum = addUp(addUp(sum, frame.subarray(0, 8)), frame.subarray(frameHeaderBytes))
      if (!isSum(sum, frame, 16) || header.compare(frame, 8, 16, 16, 24) !== 0) return false
    }
    await write(fd, step, at)
  }
  await fdatasyncAsync(fd)
  return true
}

async function read(fd: number, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.from(new ArrayBuffer(length)) // aligned, as the checksum's words must be
  await readAsync(fd, bytes, 0, length, at)
  return bytes
}

async function write(fd: number, bytes: Buffer, at: number): Promise<void> {
  const { bytesWritten } = await writeAsync(fd, bytes, 0, bytes.length, at)
  if (bytesWritten < bytes.length) throw new Error('The log could not be written as a whole')
}

function addUp([first, second]: Sum, { buffer, byteOffset, length }: Buffer): Sum {
  const words = new Int32Array(buffer, byteOffset, length / 4)
  for (let i = 0; i < words.length; i += 2) {
    first = (first + words[i]! + second) | 0
    second = (second + words[i + 1]! + first) | 0
  }
  return [first, second]
}

function isSum([first, second]: Sum, bytes: Buffer, offset: number): boolean {
  return bytes.readInt32BE(offset) === first && bytes.readInt32BE(offset + 4) === second
}
