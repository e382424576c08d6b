import { createHash, type Hash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAll } from '../content/disk.ts'
import { syncDirectory } from '../store/durability.ts'
import { type DatabaseFile, putPosition } from './database-file.ts'
import type { Pages } from './pages.ts'
import { logSaltsOf, type Mark, WalReader } from './wal-reader.ts'

// The copy of a leader's database that a node begins with: a line of JSON, the database file, then the pages of its write-ahead log,
// each after its number, a zero, and the SHA-256 of all this.

/** A moment of the leader's database. */
export interface BaseHead {
  /** The id of the log. */
  log: string
  /** The position that it holds exactly. */
  position: number
  pageSize: number
  /** The size of the database. */
  pages: number
  /** The committed frames of the write-ahead log. */
  frames: number
}

const chunkBytes = 2 ** 20
const numberBytes = 4
const hashBytes = 32
const lineBytesMax = 4096

/**
 * Yields a base. The caller holds a read transaction that was opened at the position, until the last part has been read: what the file and the
 * frames hold of that moment is not overwritten until then. `salts` name the write-ahead log of that moment, if it has frames.
 */
export async function* sendBase(file: DatabaseFile, head: BaseHead, salts: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (part: Buffer) => {
    hash.update(part)
    return part
  }
  yield hashed(Buffer.from(`${JSON.stringify(head)}\n`))
  const bytes = head.pages * head.pageSize
  for (let at = 0; at < bytes; at += chunkBytes) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, bytes - at)) // zeros where the file does not have the page yet
    file.read(chunk, at)
    yield hashed(chunk)
    await new Promise(setImmediate)
  }
  for (const [number, page] of logPages(file.path, { salts, frames: head.frames })) {
    if (number <= head.pages) yield hashed(Buffer.concat([numbered(number), page]))
  }
  yield hashed(numbered(0))
  yield hash.digest()
}

/** The pages of the log's first frames. If the log has begun anew, the file has had all of them since before the read transaction. */
function logPages(path: string, { salts, frames }: Mark): Pages['pages'] {
  const reader = new WalReader(path)
  try {
    const read = reader.readTo(frames)
    return read?.end.salts === salts ? read.pages : new Map()
  } catch (error) {
    if (logSaltsOf(path) === salts) throw error // the disk fails
    return new Map()
  } finally {
    reader.close()
  }
}

function numbered(number: number): Buffer {
  const bytes = Buffer.alloc(numberBytes)
  bytes.writeUInt32BE(number)
  return bytes
}

/**
 * Stores a base of a log as the database at `path`, in the place of another one. Returns its head. Throws Error, and changes nothing, if it is not
 * complete, or not what `sendBase` sends of this log.
 */
export async function receiveBase(path: string, parts: AsyncIterable<Uint8Array>, log: string): Promise<BaseHead> {
  const unfinished = `${path}.base`
  const file = await open(unfinished, 'w+', 0o600)
  try {
    const input = new Input(parts)
    const head = readHead((await input.line()).toString(), log)
    const bytes = head.pages * head.pageSize
    for (let at = 0; at < bytes; at += chunkBytes) {
      await writeAll(file, await input.bytes(Math.min(chunkBytes, bytes - at)), at)
    }
    for (;;) {
      const number = (await input.bytes(numberBytes)).readUInt32BE()
      if (number === 0) break
      if (number > head.pages) throw new Error('The base has a page beyond its end')
      await writeAll(file, await input.bytes(head.pageSize), (number - 1) * head.pageSize)
    }
    if (!(await input.isSound())) throw new Error('The base is damaged')
    const position = Buffer.alloc(100)
    await file.read(position, 0, position.length, 0)
    if (!position.subarray(0, fileMark.length).equals(fileMark)) throw new Error('The base is not a database')
    putPosition(position, head.position)
    await writeAll(file, position, 0)
    await file.sync()
    for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true }) // of the database that is replaced
    await rename(unfinished, path)
    syncDirectory(dirname(path))
    return head
  } finally {
    await file.close()
    await rm(unfinished, { force: true })
  }
}

/** With these bytes, a database of SQLite begins. */
const fileMark = Buffer.from('SQLite format 3\0')
const pageSizes = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
const pagesMax = 2 ** 32 - 2

function readHead(text: string, log: string): BaseHead {
  const head: BaseHead = JSON.parse(text)
  if (head.log !== log) throw new Error('The base is of another log')
  const isBetween = (number: unknown, min: number, max: number) =>
    Number.isSafeInteger(number) && Number(number) >= min && Number(number) <= max
  const isSound = isBetween(head.pages, 1, pagesMax) && isBetween(head.position, 0, Number.MAX_SAFE_INTEGER)
  if (!isSound || !pageSizes.includes(head.pageSize)) throw new Error('The base has a head that is not valid')
  return head
}

/** Reads pieces of given lengths from a stream, and hashes them. */
class Input {
  readonly #parts: AsyncIterator<Uint8Array>
  readonly #hash: Hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(parts: AsyncIterable<Uint8Array>) {
    this.#parts = parts[Symbol.asyncIterator]()
  }

  /** Up to the next line feed. */
  async line(): Promise<Buffer> {
    while (!this.#rest.includes(10)) {
      if (this.#rest.length > lineBytesMax) throw new Error('The base has no head')
      await this.#more()
    }
    return this.bytes(this.#rest.indexOf(10) + 1)
  }

  async bytes(length: number): Promise<Buffer> {
    const taken = await this.#take(length)
    this.#hash.update(taken)
    return taken
  }

  /** Whether the hash that follows is that of everything before it. */
  async isSound(): Promise<boolean> {
    return (await this.#take(hashBytes)).equals(this.#hash.digest())
  }

  async #take(length: number): Promise<Buffer> {
    while (this.#rest.length < length) await this.#more()
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#parts.next()
    if (done) throw new Error('The base is not complete')
    this.#rest = Buffer.concat([this.#rest, value])
  }
}
