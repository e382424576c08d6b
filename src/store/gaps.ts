import { openSync, readSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { LogAppender } from './log-appender.ts'
import { type Connection, openConnection } from './open.ts'

// A page of a b-tree, https://sqlite.org/fileformat.html#b_tree_pages: a header, the offsets of the cells, a gap, and the cells. SQLite overwrites
// what it deletes (secure_delete), but when it distributes cells over pages, former copies of cells stay in the gap.

const types = { interiorIndex: 2, interiorTable: 5, leafIndex: 10, leafTable: 13 } as const
const at = { type: 0, cells: 3, firstCell: 5 }
const headerBytes = { interior: 12, leaf: 8 }
/** Other pages begin with the number of a page, of which the first byte is none of the types in a smaller file. */
const pagesMax = types.interiorIndex * 2 ** 24
/** The first page has the schema only, and before that the header of the file. */
const firstPage = 2

/** As long as the longest page. */
const nothing = Buffer.alloc(65_536)

/** The file is read in at most 2,500 parts of at least 1 MiB (with pages of 4 KiB), with a pause after each: the pauses take 8 s for 1 GiB, and 20 s at most. */
const partPagesMin = 256
const partsMax = 2_500
const pauseMs = 8
/** How many frames are counted, and how many pages are looked at, while writers wait; and the pause in milliseconds after that. */
const [lockedFrames, lockedPages] = [4_096, 256]
const lockedPauseMs = 2
/** How many parts are read with the same snapshot. Nothing that is committed meanwhile can be moved. */
const readsMax = 64
/** The log is moved after so many frames, and truncated when it has so many in all. */
const [movedFrames, fullFrames] = [1_024, 16_384]

/** From where to where a page has something in its gap. Undefined: it has nothing there, or is no page of a b-tree. */
function gapIn(page: Buffer): [from: number, to: number] | undefined {
  const type = page[at.type]!
  const isInterior = type === types.interiorIndex || type === types.interiorTable
  if (!isInterior && type !== types.leafIndex && type !== types.leafTable) return undefined
  const from = (isInterior ? headerBytes.interior : headerBytes.leaf) + 2 * page.readUInt16BE(at.cells)
  const to = page.readUInt16BE(at.firstCell) || 65_536
  if (to > page.length || from >= to || nothing.compare(page, from, to, 0, to - from) === 0) return undefined
  return [from, to]
}

/**
 * Overwrites the gaps of a database's pages: no gap keeps what it had when this began. It looks at every page of the file, and at every page that
 * is written meanwhile, because SQLite moves pages with their gaps. So that it misses none of them, a read transaction keeps the log from beginning
 * anew until all of its frames have been counted.
 */
export class Gaps {
  /** Reads as of the frames that have been counted. */
  readonly #snapshot: Connection
  readonly #mover: Connection
  readonly #path: string
  readonly #pageSize: number
  #appender: LogAppender | undefined
  /** Never closed: that would end all locks of this process on the file. */
  #file: number | undefined
  /** Whether no other page begins as one of a b-tree. Other files are left as they are: too large ones, and those with maps of their pages. */
  readonly #isPlain: boolean
  /** The pages that have to be looked at. */
  readonly #due = new Set<number>()
  /** The next page of the file to read, the last one, and how many parts have been read with this snapshot. Undefined: not begun. */
  #scan: { next: number; last: number; reads: number } | undefined
  #counted = newCount()
  /** A long log is truncated: it is moved completely while writers wait, and then that is possible. */
  #truncation: 'not due' | 'due' | 'possible' = 'not due'

  /** Of the database at `path`, which another connection of this process has open. */
  constructor(path: string) {
    const open = () => openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#snapshot = open()
    this.#mover = open()
    const setting = (name: string) => this.#mover.pragma(name, { simple: true }) as number
    this.#pageSize = setting('page_size')
    this.#isPlain = setting('auto_vacuum') === 0 && this.#pageCount() < pagesMax
    this.#path = path
  }

  /** Reads a part of the file. Returns whether `clear` has something to do. Throws if the disk fails. */
  look(): boolean {
    this.#scan ??= this.#begin()
    const scan = this.#scan
    if (scan.next <= scan.last) {
      const count = Math.max(partPagesMin, Math.ceil(scan.last / partsMax))
      this.#readFile(scan.next, Math.min(count, scan.last - scan.next + 1))
      scan.next += count
      scan.reads++
    }
    if (this.#truncation === 'possible') this.#checkpoint('TRUNCATE')
    else if (this.#counted.frames - this.#counted.moved >= movedFrames) this.#checkpoint('PASSIVE')
    return this.#due.size > 0 || scan.reads >= readsMax || scan.next > scan.last
  }

  /** The caller holds the write lock, and lets all of the log be moved. Returns whether no gap has anything more. Throws if the disk fails. */
  clear(): boolean {
    if (!this.#scan || !this.#count()) return false
    this.#snapshot.exec('COMMIT')
    if (this.#truncation === 'due') this.#moveAll()
    else this.#overwrite()
    this.#snapshot.exec(beginSql)
    this.#scan.reads = 0
    return this.#due.size === 0 && this.#scan.next > this.#scan.last
  }

  /** Ends what has begun, complete or not. */
  end(): void {
    if (this.#snapshot.inTransaction) this.#snapshot.exec('COMMIT')
    this.#scan = undefined
    this.#due.clear()
    this.#counted = newCount()
    this.#truncation = 'not due'
  }

  close(): void {
    this.#snapshot.close()
    this.#mover.close()
    this.#appender?.close()
  }

  #begin() {
    this.#appender ??= new LogAppender(this.#path, this.#pageSize)
    this.#file ??= openSync(this.#path, 'r')
    this.#snapshot.exec(beginSql)
    const pages = this.#pageCount()
    return { next: firstPage, last: this.#isPlain ? pages : 0, reads: 0 }
  }

  #pageCount(): number {
    return this.#mover.pragma('page_count', { simple: true }) as number
  }

  /** Finds pages of the file with something in their gap. The log may have newer ones of them. */
  #readFile(first: number, count: number): void {
    const bytes = Buffer.alloc(count * this.#pageSize)
    readSync(this.#file!, bytes, 0, bytes.length, (first - 1) * this.#pageSize)
    for (let index = 0; index < count; index++) {
      const page = bytes.subarray(index * this.#pageSize, (index + 1) * this.#pageSize)
      if (gapIn(page)) this.#due.add(first + index)
    }
  }

  /** Notes which pages have been written since the last call. Returns whether it has come to the end of the log. */
  #count(): boolean {
    const { frames, name } = this.#appender!.state()
    if (name !== this.#counted.name || frames < this.#counted.frames) this.#counted = newCount(name)
    const counted = this.#counted
    for (const number of this.#appender!.pageNumbers(counted.frames, Math.min(frames, counted.frames + lockedFrames))) {
      if (this.#isPlain && number >= firstPage) this.#due.add(number)
      counted.byPage.set(number, counted.frames++)
    }
    return counted.frames === frames
  }

  #overwrite(): void {
    const cleared = new Map<number, Buffer>()
    let left = lockedPages
    for (const number of this.#due) {
      if (left-- === 0) break
      this.#due.delete(number)
      const page = this.#read(number)
      const gap = gapIn(page)
      if (gap) cleared.set(number, page.fill(0, ...gap))
    }
    if (cleared.size > 0) this.#appender!.append(cleared, this.#pageCount())
  }

  /** The newest content of a page. */
  #read(number: number): Buffer {
    const frame = this.#counted.byPage.get(number)
    if (frame !== undefined) return this.#appender!.page(frame)
    const page = Buffer.alloc(this.#pageSize)
    readSync(this.#file!, page, 0, this.#pageSize, (number - 1) * this.#pageSize)
    return page
  }

  /** The snapshot limits what is moved, and does not let a log begin anew that has frames which have not been counted. */
  #checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): void {
    this.#mover.pragma(`wal_checkpoint(${mode})`)
    const { frames } = this.#counted
    this.#counted.moved = frames
    this.#truncation = mode === 'PASSIVE' && frames > fullFrames ? 'due' : 'not due'
  }

  /** While nothing is written. Whoever holds the write lock reads as of the frames that have been counted, too, so there may be no others. */
  #moveAll(): void {
    this.#mover.pragma('wal_checkpoint(PASSIVE)')
    this.#truncation = 'possible'
  }
}

const beginSql = 'BEGIN; SELECT 1 FROM sqlite_schema'

/** The frames of the log that have been counted, what names the log, how many frames have been moved, and the newest frame of each page. */
function newCount(name = '') {
  return { name, frames: 0, moved: 0, byPage: new Map<number, number>() }
}

/** What `overwriteGaps` does step by step. */
interface Steps {
  look(): boolean | Promise<boolean>
  clear(): boolean | Promise<boolean>
  end(): unknown
}

/** Overwrites all gaps. Returns whether it did: false if `goesOn` was false meanwhile. */
export async function overwriteGaps(steps: Steps, goesOn: () => boolean): Promise<boolean> {
  try {
    while (goesOn()) {
      const isDue = await steps.look()
      if (isDue && (await steps.clear())) return true
      await delay(isDue ? lockedPauseMs : pauseMs)
    }
    return false
  } finally {
    await steps.end()
  }
}
