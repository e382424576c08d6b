import { fstatSync, readSync } from 'node:fs'
import { writeAll } from '../lib/write-all.ts'
import { alignedBuffer, Checksum } from './log-format.ts'

// SQLite's index of its write-ahead log, the file ending in -shm: https://sqlite.org/walformat.html#the_wal_index_file_format.
// Two copies of a header, then blocks that find the newest frame of a page. Integers have the byte order of the machine.

const headerBytes = 48
const summedBytes = 40
const at = { change: 8, isInit: 12, pageSize: 14, frames: 16, databasePages: 20, frameChecksum: 24, salts: 32 }
const blockBytes = 32_768
const hashAt = 16_384
const slots = 8_192
const framesPerBlock = 4_096
/** The first block also holds the header and what follows it. */
const firstBlockSkips = 136
const framesInFirstBlock = framesPerBlock - firstBlockSkips / 4
const hashFactor = 383

/** The state of the log. Salts are bytes as in the log. */
export interface IndexHeader {
  frames: number
  databasePages: number
  salts: Buffer
  /** The checksum up to the last frame. */
  checksum: Checksum
}

/** Returns the state of the log. The caller holds SQLite's write lock. */
export function readIndexHeader(fd: number): IndexHeader {
  const bytes = readHeader(fd)
  const checksum = new Checksum()
  checksum.first = bytes.readInt32LE(at.frameChecksum)
  checksum.second = bytes.readInt32LE(at.frameChecksum + 4)
  return {
    frames: bytes.readUInt32LE(at.frames),
    databasePages: bytes.readUInt32LE(at.databasePages),
    salts: Buffer.from(bytes.subarray(at.salts, at.salts + 8)),
    checksum,
  }
}

/** Makes frames visible to readers: as one commit, which was written to the log after those that the index knows. The caller holds the write lock. */
export function publishFrames(fd: number, pages: readonly number[], pageSize: number, now: IndexHeader): void {
  addToBlocks(fd, now.frames - pages.length, pages)
  const bytes = readHeader(fd)
  bytes.writeUInt32LE((bytes.readUInt32LE(at.change) + 1) >>> 0, at.change)
  bytes.writeUInt16LE(pageSize === 65_536 ? 1 : pageSize, at.pageSize)
  bytes.writeUInt32LE(now.frames, at.frames)
  bytes.writeUInt32LE(now.databasePages, at.databasePages)
  bytes.writeInt32LE(now.checksum.first, at.frameChecksum)
  bytes.writeInt32LE(now.checksum.second, at.frameChecksum + 4)
  now.salts.copy(bytes, at.salts)
  const checksum = new Checksum()
  checksum.add(bytes.subarray(0, summedBytes))
  bytes.writeInt32LE(checksum.first, summedBytes)
  bytes.writeInt32LE(checksum.second, summedBytes + 4)
  // A reader takes the header only if both copies are equal, and reads the first one first.
  writeAll(fd, bytes.subarray(0, headerBytes), headerBytes)
  writeAll(fd, bytes.subarray(0, headerBytes), 0)
}

function readHeader(fd: number): Buffer {
  const bytes = alignedBuffer(headerBytes)
  readSync(fd, bytes, 0, headerBytes, 0)
  if (bytes[at.isInit] !== 1) throw new Error('The index of the write-ahead log is not initialized')
  return bytes
}

/** Enters the pages of the frames after the first `known` ones. */
function addToBlocks(fd: number, known: number, pages: readonly number[]): void {
  for (let done = 0; done < pages.length; ) {
    const { number, first, capacity } = blockOf(known + done)
    const part = pages.slice(done, done + first + capacity - (known + done))
    addToBlock(fd, { number, capacity }, known + done - first, part)
    done += part.length
  }
}

/** The block of the frame with this index, counted from 0: its number, the index of its first frame, and how many it has. */
function blockOf(frame: number): { number: number; first: number; capacity: number } {
  if (frame < framesInFirstBlock) return { number: 0, first: 0, capacity: framesInFirstBlock }
  const number = 1 + Math.floor((frame - framesInFirstBlock) / framesPerBlock)
  return { number, first: framesInFirstBlock + (number - 1) * framesPerBlock, capacity: framesPerBlock }
}

function addToBlock(
  fd: number,
  { number, capacity }: { number: number; capacity: number },
  known: number,
  pages: readonly number[],
): void {
  const start = number * blockBytes
  const pagesAt = number === 0 ? firstBlockSkips : 0
  const block = Buffer.alloc(blockBytes)
  if (known > 0) readSync(fd, block, 0, blockBytes, start)
  else if (fstatSync(fd).size < start + blockBytes) writeAll(fd, Buffer.alloc(blockBytes), start)
  const numbers = new Uint32Array(block.buffer, block.byteOffset + pagesAt, capacity)
  const hash = new Uint16Array(block.buffer, block.byteOffset + hashAt, slots)
  // A former attempt may have failed before it changed the header.
  for (let slot = 0; slot < slots; slot++) if (hash[slot]! > known) hash[slot] = 0
  for (const [index, page] of pages.entries()) {
    numbers[known + index] = page
    let slot = (page * hashFactor) & (slots - 1)
    while (hash[slot] !== 0) slot = (slot + 1) & (slots - 1)
    hash[slot] = known + index + 1
  }
  // What precedes the numbers in the first block belongs to readers.
  writeAll(fd, block.subarray(pagesAt), start + pagesAt)
}
