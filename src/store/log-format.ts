// SQLite's write-ahead log as a file: https://sqlite.org/walformat.html. A header, then frames; a frame is a header and a page.
// All numbers are big-endian, except the words that a checksum adds up, which have the byte order of the machine.

/** The log's header: magic, version, page size, checkpoint number, two salts, and the checksum of all these. */
export const header = { bytes: 32, magicAt: 0, versionAt: 4, pageSizeAt: 8, saltsAt: 16, checksumAt: 24 }
/** A frame's header: page number, size of the database in pages (0: not the end of a commit), the log's salts, and the checksum up to this frame's end. */
export const frameHeader = { bytes: 24, pageAt: 0, sizeAt: 4, saltsAt: 8, checksumAt: 16 }

export const saltsBytes = 8
/** The length of the fields at the start of a frame's header that its checksum covers. */
const summedBytes = 8
export const littleEndianMagic = 0x377f0682
export const formatVersion = 3_007_000

/** The checksum of everything before a position; each frame continues the one before it. */
export class Checksum {
  first = 0
  second = 0

  /** `bytes` must be aligned to 4 bytes in its buffer, and its length be a multiple of 8. */
  add({ buffer, byteOffset, length }: Uint8Array): void {
    const words = new Int32Array(buffer, byteOffset, length / 4)
    let { first, second } = this
    for (let i = 0; i < words.length; i += 2) {
      first = (first + words[i]! + second) | 0
      second = (second + words[i + 1]! + first) | 0
    }
    this.first = first
    this.second = second
  }

  /** Adds what the checksum in a frame's header covers. */
  addFrame(frame: Uint8Array): void {
    this.add(frame.subarray(0, summedBytes))
    this.add(frame.subarray(frameHeader.bytes))
  }

  /** Whether it is stored at this offset. */
  isAt(bytes: Buffer, offset: number): boolean {
    return bytes.readInt32BE(offset) === this.first && bytes.readInt32BE(offset + 4) === this.second
  }

  put(bytes: Buffer, offset: number): void {
    bytes.writeInt32BE(this.first, offset)
    bytes.writeInt32BE(this.second, offset + 4)
  }
}

/** Bytes that are aligned as the words of a checksum require. */
export function alignedBuffer(length: number): Buffer<ArrayBuffer> {
  return Buffer.from(new ArrayBuffer(length))
}

/** Whether the bytes are a log's header. Its checksum is added to `checksum`. */
export function isHeader(start: Buffer, checksum: Checksum): boolean {
  checksum.add(start.subarray(0, header.checksumAt))
  return start.readUInt32BE(header.magicAt) === littleEndianMagic && checksum.isAt(start, header.checksumAt)
}

/** Whether a frame follows, in the log that starts with this header, the frames that have been added to `checksum`. */
export function isFrame(frame: Buffer, start: Buffer, checksum: Checksum): boolean {
  checksum.addFrame(frame)
  const salts = frame.subarray(frameHeader.saltsAt, frameHeader.saltsAt + saltsBytes)
  const expected = start.subarray(header.saltsAt, header.saltsAt + saltsBytes)
  return salts.equals(expected) && checksum.isAt(frame, frameHeader.checksumAt)
}
