import { fdatasync, read as readCallback, write as writeCallback } from 'node:fs'
import { promisify } from 'node:util'

// SQLite's write-ahead log as a file: https://sqlite.org/walformat.html. A header, then frames; a frame is a header and a page.
// All numbers are big-endian, except the words that a checksum adds up, which have the byte order of the machine.

const fdatasyncAsync = promisify(fdatasync)
const readAsync = promisify(readCallback)
const writeAsync = promisify(writeCallback)

/** The log's header: magic, version, page size, checkpoint number, two salts, and the checksum of all these. */
const header = { bytes: 32, magicAt: 0, pageSizeAt: 8, saltsAt: 16, checksumAt: 24 }
/** A frame's header: page number, size of the database, the log's two salts, and the checksum up to this frame's end. */
const frameHeader = { bytes: 24, saltsAt: 8, checksumAt: 16 }

const saltsBytes = 8
/** The length of the fields at the start of a frame's header that its checksum covers. */
const summedBytes = 8
const littleEndianMagic = 0x377f0682
const framesPerChunk = 64

/** The checksum of everything before a position; each frame continues the one before it. */
interface Checksum {
  add(bytes: Buffer): void
  /** Whether it is stored at this offset. */
  isAt(bytes: Buffer, offset: number): boolean
}

/**
 * Writes the first `frames` frames again over themselves and syncs. After a failed sync, Linux marks the pages that it could
 * not write as clean, and no later sync writes them; writing the same bytes marks them as changed. The caller holds the write
 * lock. Returns false if the file does not hold what was committed: the kernel has dropped the pages from memory, too.
 */
export async function rewriteLog(fd: number, frames: number): Promise<boolean> {
  if (frames === 0) return true
  const start = await read(fd, 0, header.bytes)
  const checksum = newChecksum()
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

function isHeader(start: Buffer, checksum: Checksum): boolean {
  checksum.add(start.subarray(0, header.checksumAt))
  return start.readUInt32BE(header.magicAt) === littleEndianMagic && checksum.isAt(start, header.checksumAt)
}

function isFrame(frame: Buffer, start: Buffer, checksum: Checksum): boolean {
  checksum.add(frame.subarray(0, summedBytes))
  checksum.add(frame.subarray(frameHeader.bytes))
  const salts = frame.subarray(frameHeader.saltsAt, frameHeader.saltsAt + saltsBytes)
  const expected = start.subarray(header.saltsAt, header.saltsAt + saltsBytes)
  return salts.equals(expected) && checksum.isAt(frame, frameHeader.checksumAt)
}

function newChecksum(): Checksum {
  let first = 0
  let second = 0
  return {
    add({ buffer, byteOffset, length }) {
      const words = new Int32Array(buffer, byteOffset, length / 4)
      for (let i = 0; i < words.length; i += 2) {
        first = (first + words[i]! + second) | 0
        second = (second + words[i + 1]! + first) | 0
      }
    },
    isAt: (bytes, offset) => bytes.readInt32BE(offset) === first && bytes.readInt32BE(offset + 4) === second,
  }
}

async function read(fd: number, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.from(new ArrayBuffer(length)) // aligned, as the words of a checksum require
  await readAsync(fd, bytes, 0, length, position)
  return bytes
}

async function write(fd: number, position: number, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await writeAsync(fd, bytes, 0, bytes.length, position)
  if (bytesWritten < bytes.length) throw new Error('The log was written only in part')
}
