import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorFields, log as report } from '../lib/log.ts'
import { databasePath } from '../store/directory.ts'
import { DatabaseFile, readWholeLog, schemaVersionOf, storePosition } from './database-file.ts'
import type { Leader } from './log.ts'
import { type LogSettings, readState, removeState, type State, writeState } from './state.ts'
import { WalWriter } from './wal-writer.ts'

/** More positions than a server can write while it leads: a leader stores its own at the end. */
const unknownMax = 10 ** 10
/** The free space without which a disk may soon be full. */
const roomBytesMin = 64 * 2 ** 20
/** How many databases of former leaders are kept. */
const deposedMax = 2

/** The data directory of a node: its database, and what it knows of its log. */
export class Place {
  readonly directory: string
  readonly path: string
  readonly settings: LogSettings
  /** The id of this node. */
  readonly node: string
  #state: State | undefined
  /** Opened once, because it may never be closed. */
  #file: DatabaseFile | undefined

  constructor(directory: string, settings: LogSettings) {
    this.directory = directory
    this.path = databasePath(directory)
    this.settings = settings
    this.#state = readState(directory)
    this.node = this.#state?.node ?? randomUUID()
  }

  /** Undefined: the directory belongs to no log. */
  get state(): State | undefined {
    return this.#state
  }

  get hasDatabase(): boolean {
    return existsSync(this.path)
  }

  /** The database, which must exist. From now on, only SQLite may open its file. */
  get file(): DatabaseFile {
    this.#file ??= new DatabaseFile(this.path)
    return this.#file
  }

  get walBytes(): number {
    return statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  }

  /** Whether the disk has space for what a leader writes. */
  get hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(this.directory)
    return bavail * bsize >= roomBytesMin
  }

  /** This node, as it presents itself when it leads. */
  get self(): Leader {
    return { node: this.node, url: this.settings.advertise }
  }

  /** The version of the database's schema. */
  get schemaVersion(): number {
    return schemaVersionOf(this.file.firstPage())
  }

  /**
   * Gives the database, which SQLite has not opened, a position above all that a log has given out before. `last`: the newest one; undefined: it is
   * not known, since that log is gone.
   */
  renumber(last: number | undefined): void {
    const own = this.file.position()
    const position = last === undefined ? own + unknownMax : Math.max(own, last) + 1
    if (readWholeLog(this.path)) {
      const writer = new WalWriter(this.path, this.file.firstPage())
      try {
        writer.mark(position)
      } finally {
        writer.close(true)
      }
    } else storePosition(this.path, position)
  }

  /** Makes the directory one of a log. */
  enter(log: string, leading: number | null): void {
    const { fenced = 0 } = this.#state ?? {}
    this.#write({ log, node: this.node, leading, shipping: null, needsBase: false, fenced, settings: this.settings })
  }

  update(change: Partial<Omit<State, 'log' | 'node' | 'settings'>>): void {
    this.#write({ ...this.#state!, ...change, settings: this.settings })
  }

  /** As `update`, before the process ends, also if the disk is full. */
  noteAtEnd(change: Partial<Pick<State, 'shipping' | 'needsBase' | 'fenced'>>): void {
    try {
      this.update(change)
    } catch (error) {
      report('the state of this node could not be stored', errorFields(error), 'error')
    }
  }

  /**
   * Before the database is looked at: from now on, no command writes to it. The settings stay those of the server before. If it may
   * have had more than the log, and its write-ahead log is gone, another program has moved that into the database, where it cannot be told any more.
   */
  endShipping(): void {
    if (!this.#state) return
    const isMoved = this.#state.unshipped === true && this.hasDatabase && !existsSync(`${this.path}-wal`)
    this.#write({ ...this.#state, shipping: null, needsBase: this.#state.needsBase || isMoved })
  }

  /** Commands on this directory reach the server by the settings with which it was started last. */
  keepSettings(): void {
    const isKept = JSON.stringify(this.#state?.settings) === JSON.stringify(this.settings)
    if (!isKept) this.update({})
  }

  /** Makes the directory one of no log. */
  leave(): void {
    removeState(this.directory)
    this.#state = undefined
  }

  /** Moves the database of a former leader aside: it may hold what the log never had. Returns its new name. */
  setAside(stamp: string): string {
    const name = `${this.path}.deposed-${stamp}`
    for (const suffix of ['-wal', '']) if (existsSync(this.path + suffix)) renameSync(this.path + suffix, name + suffix)
    rmSync(`${this.path}-shm`, { force: true })
    this.#removeOldest()
    this.#file = undefined
    return name
  }

  /** The database has been replaced by a copy of the leader's. */
  hasBase(): void {
    this.#file = undefined
    this.update({ leading: null, needsBase: false, unshipped: false })
  }

  #removeOldest(): void {
    const start = `${basename(this.path)}.deposed-`
    const directory = dirname(this.path)
    const names = readdirSync(directory).filter((name) => name.startsWith(start) && !name.endsWith('-wal'))
    for (const name of names.sort().slice(0, -deposedMax)) {
      for (const suffix of ['', '-wal']) rmSync(join(directory, name + suffix), { force: true })
    }
  }

  #write(state: State): void {
    writeState(this.directory, state)
    this.#state = state
  }
}
