import { promisify } from 'node:util'
import { crc32, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { Pages } from './pages.ts'
import type { Mark, Read } from './wal-reader.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Up to this length, in bytes, another thread would cost more time than it saves. */
const syncBytesMax = 2 ** 18

/** A part's header: version, its number from 0, the number of parts, the leader's epoch, the end of its log, and the checksum of what follows. */
const head = {
  ...{ version: 1, bytes: 28, versionAt: 0, partAt: 2, partsAt: 4 },
  ...{ epochAt: 8, framesAt: 12, saltsAt: 16, checksumAt: 24 },
}
/** The largest value that is stored in etcd. */
const partBytesMax = 2 ** 20
const dataBytesMax = partBytesMax - head.bytes

/** Returns the parts in which commits are stored, which followers apply as one. Each has at most 1 MiB. */
export async function encodeEntry({ pages, databasePages, end }: Read, epoch: number): Promise<Buffer[]> {
  const about = Buffer.from(JSON.stringify({ databasePages, numbers: [...pages.keys()] }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(about.length)
  const bytes = Buffer.concat([length, about, ...pages.values()])
  const packed = bytes.length <= syncBytesMax ? zstdCompressSync(bytes) : await compress(bytes)
  const parts = Math.ceil(packed.length / dataBytesMax)
  return Array.from({ length: parts }, (_, part) => {
    const data = packed.subarray(part * dataBytesMax, (part + 1) * dataBytesMax)
    const start = Buffer.alloc(head.bytes)
    start.writeUInt16BE(head.version, head.versionAt)
    start.writeUInt16BE(part, head.partAt)
    start.writeUInt16BE(parts, head.partsAt)
    start.writeUInt32BE(epoch, head.epochAt)
    start.writeUInt32BE(end.frames, head.framesAt)
    start.write(end.salts, head.saltsAt, 'hex')
    start.writeUInt32BE(crc32(data, crc32(start.subarray(0, head.checksumAt))), head.checksumAt)
    return Buffer.concat([start, data])
  })
}

/** A part as stored. */
export interface Part {
  /** From 0. */
  part: number
  parts: number
  epoch: number
  /** Where the write-ahead log of that leader ended. */
  end: Mark
  data: Buffer
}

/** Throws Error if the part was not written by this version, or has changed since. */
export function readPart(bytes: Buffer): Part {
  const data = bytes.subarray(head.bytes)
  if (bytes.length < head.bytes || bytes.readUInt16BE(head.versionAt) !== head.version) {
    throw new Error('The log has an entry of another version of Kontor')
  }
  const checksum = crc32(data, crc32(bytes.subarray(0, head.checksumAt)))
  if (bytes.readUInt32BE(head.checksumAt) !== checksum) throw new Error('An entry of the log is damaged')
  return {
    part: bytes.readUInt16BE(head.partAt),
    parts: bytes.readUInt16BE(head.partsAt),
    epoch: bytes.readUInt32BE(head.epochAt),
    end: { salts: bytes.toString('hex', head.saltsAt, head.checksumAt), frames: bytes.readUInt32BE(head.framesAt) },
    data,
  }
}

/** Returns what an entry with these parts, complete and in order, has changed. Throws Error. */
export async function decodeEntry(parts: readonly Part[]): Promise<Pages> {
  const packed = Buffer.concat(parts.map(({ data }) => data))
  const bytes = packed.length <= syncBytesMax / 8 ? zstdDecompressSync(packed) : await decompress(packed)
  const pagesAt = 4 + bytes.readUInt32BE(0)
  const about = JSON.parse(bytes.toString('utf8', 4, pagesAt)) as {
    databasePages: number
    numbers: number[]
  }
  const pageBytes = (bytes.length - pagesAt) / about.numbers.length
  const page = (index: number) => bytes.subarray(pagesAt + index * pageBytes, pagesAt + (index + 1) * pageBytes)
  const pages = new Map(about.numbers.map((number, index) => [number, page(index)]))
  return { pages, databasePages: about.databasePages }
}
