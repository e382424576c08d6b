import { closeSync, openSync, readSync } from 'node:fs'
import { alignedBuffer, Checksum, frameHeader, header, isFrame, isHeader, saltsBytes } from '../store/log-format.ts'
import type { Pages } from './pages.ts'

/** A place in the write-ahead log: the number of frames before it. The salts name the log, which begins anew from time to time. */
export interface Mark {
  /** Hexadecimal; the first half counts the logs of this file. Empty: there is no log yet. */
  salts: string
  frames: number
}

/** What the log holds between two places. */
export interface Read extends Pages {
  end: Mark
}

const framesPerChunk = 256

/** Reads the commits of a write-ahead log in their order, and verifies the checksum of each frame. */
export class WalReader {
  readonly #fd: number
  #start = alignedBuffer(header.bytes)
  /** Of the frames read so far. */
  #checksum = new Checksum()
  #frames = 0

  constructor(path: string) {
    this.#fd = openSync(`${path}-wal`, 'r')
  }

  get mark(): Mark {
    return { salts: this.#salts, frames: this.#frames }
  }

  /**
   * Reads what follows the last read, up to the frame with this number, which must end a commit; undefined if nothing does. Throws Error if the
   * file does not hold it.
   */
  readTo(frames: number): Read | undefined {
    return this.readNew(() => frames)
  }

  /** As `readTo`, up to the newest commit. A log of which everything has been read may begin anew at any moment, so `count` is called twice. */
  readNew(count: () => number): Read | undefined {
    let frames: number
    do {
      frames = count()
      if (frames > 0) this.#findStart()
    } while (count() !== frames)
    if (frames === 0) return undefined
    return this.#read(frames, () => {
      throw new Error('The write-ahead log does not hold what was committed')
    })
  }

  /** Reads all complete commits of a log that nobody writes to. */
  readAll(): Read | undefined {
    return this.#findStart() ? this.#read(Number.POSITIVE_INFINITY, () => {}) : undefined
  }

  close(): void {
    closeSync(this.#fd)
  }

  get #salts(): string {
    return this.#start.toString('hex', header.saltsAt, header.saltsAt + saltsBytes)
  }

  /** Begins from the first frame if the log has begun anew. Returns false if there is no log. */
  #findStart(): boolean {
    const start = alignedBuffer(header.bytes)
    readSync(this.#fd, start, 0, header.bytes, 0)
    const isSame = this.#frames > 0 && start.equals(this.#start)
    if (isSame) return true
    const checksum = new Checksum()
    if (!isHeader(start, checksum)) return false
    this.#start = start
    this.#checksum = checksum
    this.#frames = 0
    return true
  }

  #read(frames: number, onEnd: () => void): Read | undefined {
    const frameBytes = frameHeader.bytes + this.#start.readUInt32BE(header.pageSizeAt)
    const pages = new Map<number, Buffer>()
    let open: [number, Buffer][] = []
    let end: Read | undefined
    const checksum = this.#checksum
    let at = this.#frames
    while (at < frames) {
      const chunk = alignedBuffer(Math.min(framesPerChunk, frames - at) * frameBytes)
      const length = readSync(this.#fd, chunk, 0, chunk.length, header.bytes + at * frameBytes)
      let offset = 0
      for (; offset + frameBytes <= length; offset += frameBytes) {
        const frame = chunk.subarray(offset, offset + frameBytes)
        if (!isFrame(frame, this.#start, checksum)) break
        at++
        open.push([frame.readUInt32BE(frameHeader.pageAt), frame.subarray(frameHeader.bytes)])
        const databasePages = frame.readUInt32BE(frameHeader.sizeAt)
        if (databasePages === 0) continue
        for (const [number, page] of open) pages.set(number, page)
        open = []
        this.#frames = at
        this.#checksum = Object.assign(new Checksum(), { first: checksum.first, second: checksum.second })
        end = { pages, databasePages, end: this.mark }
      }
      if (offset < chunk.length) break
    }
    if (at < frames) onEnd()
    return end
  }
}

/** What names the write-ahead log of the database at `path`: it changes when the log begins anew. SQLite locks another file, so closing this one ends no lock. */
export function logSaltsOf(path: string): string {
  const fd = openSync(`${path}-wal`, 'r')
  try {
    const salts = Buffer.alloc(saltsBytes)
    readSync(fd, salts, 0, saltsBytes, header.saltsAt)
    return salts.toString('hex')
  } finally {
    closeSync(fd)
  }
}
