import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs'
import { writeAll } from '../lib/write-all.ts'
import { WalReader } from './wal-reader.ts'

/**
 * In the first page of a database: bytes that SQLite reserves for expansion and does not read. The position is kept there, so that it is written
 * together with the pages.
 */
const positionAt = 72

/** Where the first page has the version of the schema (`PRAGMA user_version`). */
const schemaVersionAt = 60

export function schemaVersionOf(first: Buffer): number {
  return first.readUInt32BE(schemaVersionAt)
}

export function putPosition(first: Buffer, position: number): void {
  first.writeBigUInt64BE(BigInt(position), positionAt)
}

/** Stores the position in a file that has no log and that SQLite has not opened. */
export function storePosition(path: string, position: number): void {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(position))
  const fd = openSync(path, 'r+')
  try {
    writeAll(fd, bytes, positionAt)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * The file of a database that SQLite has open or will open. Its descriptor is never closed: closing one ends all locks that this process holds
 * on the file.
 */
export class DatabaseFile {
  readonly path: string
  readonly #fd: number

  constructor(path: string) {
    this.path = path
    this.#fd = openSync(path, 'r')
  }

  get bytes(): number {
    return fstatSync(this.#fd).size
  }

  /** Reads from this byte on. Returns how many bytes were read. */
  read(bytes: Buffer, position: number): number {
    return readSync(this.#fd, bytes, 0, bytes.length, position)
  }

  /** The newest content of the first page, in the file or in its log. */
  firstPage(): Buffer {
    const fromLog = readWholeLog(this.path)?.pages.get(1)
    if (fromLog) return fromLog
    const start = Buffer.alloc(100)
    this.read(start, 0)
    const stored = start.readUInt16BE(16)
    const page = Buffer.alloc(stored === 1 ? 65_536 : stored)
    this.read(page, 0)
    return page
  }

  /** The position up to which the database followed a log; 0 if it never followed one. */
  position(): number {
    return Number(this.firstPage().readBigUInt64BE(positionAt))
  }
}

/** All commits in the log of a database that nobody writes to; undefined if there are none. */
export function readWholeLog(path: string) {
  try {
    const reader = new WalReader(path)
    try {
      return reader.readAll()
    } finally {
      reader.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
