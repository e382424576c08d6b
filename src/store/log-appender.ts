import { randomBytes } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { writeAll } from '../lib/write-all.ts'
import {
  alignedBuffer,
  Checksum,
  formatVersion,
  frameHeader,
  header,
  littleEndianMagic,
  saltsBytes,
} from './log-format.ts'
import { type IndexHeader, publishFrames, readIndexHeader } from './log-index.ts'

const fdatasyncAsync = promisify(fdatasync)

/**
 * Appends pages to the write-ahead log of a database, as one commit that every connection sees. The caller holds SQLite's write lock. The index
 * stays open: closing it would end all locks of this process on it. A thread must not close it when it ends, either (`startThread`).
 */
export class LogAppender {
  readonly #log: number
  readonly #index: number
  readonly #pageSize: number

  /** Opens the log of the database at `path`, which another connection of this process has open. */
  constructor(path: string, pageSize: number) {
    this.#pageSize = pageSize
    this.#log = openSync(`${path}-wal`, 'r+')
    try {
      this.#index = openSync(`${path}-shm`, 'r+')
    } catch (error) {
      closeSync(this.#log)
      throw error
    }
  }

  get #frameBytes(): number {
    return frameHeader.bytes + this.#pageSize
  }

  /** The frames of the log that were committed, and what names the log: it changes when the log begins anew. */
  state(): { frames: number; name: string } {
    const { frames, salts } = readIndexHeader(this.#index)
    return { frames, name: salts.toString('hex') }
  }

  /** The numbers of the pages in the frames from `from` to before `to`. */
  pageNumbers(from: number, to: number): number[] {
    return Array.from({ length: to - from }, (_, index) =>
      this.#read(from + index, frameHeader.pageAt, 4).readUInt32BE(),
    )
  }

  /** The page in a frame. */
  page(frame: number): Buffer {
    return this.#read(frame, frameHeader.bytes, this.#pageSize)
  }

  /** `databasePages`: the length of the database after the commit. */
  append(pages: ReadonlyMap<number, Buffer>, databasePages: number): void {
    const state = readIndexHeader(this.#index)
    if (state.frames === 0) this.#begin(state)
    const frames = alignedBuffer(pages.size * this.#frameBytes)
    for (const [index, [number, page]] of [...pages].entries()) {
      const frame = frames.subarray(index * this.#frameBytes, (index + 1) * this.#frameBytes)
      frame.writeUInt32BE(number, frameHeader.pageAt)
      frame.writeUInt32BE(index + 1 === pages.size ? databasePages : 0, frameHeader.sizeAt)
      state.salts.copy(frame, frameHeader.saltsAt)
      page.copy(frame, frameHeader.bytes)
      state.checksum.addFrame(frame)
      state.checksum.put(frame, frameHeader.checksumAt)
    }
    writeAll(this.#log, frames, header.bytes + state.frames * this.#frameBytes)
    const frameCount = state.frames + pages.size
    publishFrames(this.#index, [...pages.keys()], this.#pageSize, { ...state, frames: frameCount, databasePages })
  }

  /** Resolves when everything appended before is on disk. */
  sync(): Promise<void> {
    return fdatasyncAsync(this.#log)
  }

  /** `isAlone`: nothing else in this process has the database open, whose locks would end with the index. */
  close(isAlone = false): void {
    closeSync(this.#log)
    if (isAlone) closeSync(this.#index)
  }

  #read(frame: number, at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    readSync(this.#log, bytes, 0, length, header.bytes + frame * this.#frameBytes + at)
    return bytes
  }

  /**
   * Writes the header of a log that is empty. If its file has frames of the log before, these must not become valid again after a power cut: new ones
   * may replace the last of them on disk, but not yet the first, which would then be read without the others.
   */
  #begin(state: IndexHeader): void {
    if (state.salts.every((byte) => byte === 0)) state.salts = randomBytes(saltsBytes)
    const start = alignedBuffer(header.bytes)
    start.writeUInt32BE(littleEndianMagic, header.magicAt)
    start.writeUInt32BE(formatVersion, header.versionAt)
    start.writeUInt32BE(this.#pageSize, header.pageSizeAt)
    state.salts.copy(start, header.saltsAt)
    state.checksum = new Checksum()
    state.checksum.add(start.subarray(0, header.checksumAt))
    state.checksum.put(start, header.checksumAt)
    writeAll(this.#log, start, 0)
    if (fstatSync(this.#log).size > header.bytes) fdatasyncSync(this.#log)
  }
}
