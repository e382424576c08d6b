import { randomBytes } from 'node:crypto'
import { closeSync, fdatasync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import {
  alignedBuffer,
  Checksum,
  formatVersion,
  frameHeader,
  header,
  littleEndianMagic,
  saltsBytes,
} from '../store/log-format.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { putPosition, schemaVersionOf } from './database-file.ts'
import type { Pages } from './pages.ts'
import { type IndexHeader, publishFrames, readIndexHeader } from './wal-index.ts'

const fdatasyncAsync = promisify(fdatasync)

/**
 * Writes pages of another machine's database to the write-ahead log of this one, so that readers see them as one commit, and none of them
 * waits. It is the only writer. Its descriptors stay open: closing one would end all locks of this process on the file.
 */
export class WalWriter {
  readonly #db: Connection
  readonly #wal: number
  readonly #index: number
  readonly #pageSize: number
  /** The first page as last written; it holds the position. */
  #first: Buffer

  /** Opens the log of the database at `path`, whose first page is `first`. */
  constructor(path: string, first: Buffer) {
    this.#db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#db.exec('SELECT 1 FROM sqlite_schema')
    this.#pageSize = this.#db.pragma('page_size', { simple: true }) as number
    this.#wal = openSync(`${path}-wal`, 'r+')
    this.#index = openSync(`${path}-shm`, 'r+')
    this.#first = first
  }

  /** The version of the schema, as last written. */
  get schemaVersion(): number {
    return schemaVersionOf(this.#first)
  }

  /** Throws SqliteError with SQLITE_BUSY while a checkpoint empties the log. */
  apply({ pages, databasePages }: Pages, position: number): void {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const first = Buffer.from(pages.get(1) ?? this.#first)
      putPosition(first, position)
      this.#append(new Map([...pages, [1, first]]), databasePages)
      this.#first = first
    } finally {
      this.#db.exec('COMMIT') // of nothing: it releases the lock
    }
  }

  /** Writes only the position. `first` is the newest first page, if others have written since. */
  mark(position: number, first = this.#first): void {
    const databasePages = this.#db.pragma('page_count', { simple: true }) as number
    this.apply({ pages: new Map([[1, first]]), databasePages }, position)
  }

  /** Resolves when everything applied before is on disk. */
  sync(): Promise<void> {
    return fdatasyncAsync(this.#wal)
  }

  /** `isAlone`: nothing else in this process has the database open, whose locks would end with the index. */
  close(isAlone = false): void {
    this.#db.close()
    closeSync(this.#wal)
    if (isAlone) closeSync(this.#index)
  }

  #append(pages: ReadonlyMap<number, Buffer>, databasePages: number): void {
    const state = readIndexHeader(this.#index)
    if (state.frames === 0) this.#begin(state)
    const frameBytes = frameHeader.bytes + this.#pageSize
    const frames = alignedBuffer(pages.size * frameBytes)
    for (const [index, [number, page]] of [...pages].entries()) {
      const frame = frames.subarray(index * frameBytes, (index + 1) * frameBytes)
      frame.writeUInt32BE(number, frameHeader.pageAt)
      frame.writeUInt32BE(index + 1 === pages.size ? databasePages : 0, frameHeader.sizeAt)
      state.salts.copy(frame, frameHeader.saltsAt)
      page.copy(frame, frameHeader.bytes)
      state.checksum.addFrame(frame)
      state.checksum.put(frame, frameHeader.checksumAt)
    }
    writeAll(this.#wal, frames, header.bytes + state.frames * frameBytes)
    const frameCount = state.frames + pages.size
    publishFrames(this.#index, [...pages.keys()], this.#pageSize, { ...state, frames: frameCount, databasePages })
  }

  /** Writes the header of a log that is empty. */
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
    writeAll(this.#wal, start, 0)
  }
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  }
}
