import { LogAppender } from '../store/log-appender.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { putPosition, schemaVersionOf } from './database-file.ts'
import type { Pages } from './pages.ts'

/**
 * Writes pages of another machine's database to the write-ahead log of this one, so that readers see them as one commit, and none of them
 * waits. Nothing else changes what is stored.
 */
export class WalWriter {
  readonly #db: Connection
  readonly #appender: LogAppender
  /** The first page as last written; it holds the position. */
  #first: Buffer

  /** Opens the log of the database at `path`, whose first page is `first`. */
  constructor(path: string, first: Buffer) {
    this.#db = openConnection(path, { busyTimeoutMs: 0, synchronous: 'NORMAL' })
    this.#db.exec('SELECT 1 FROM sqlite_schema')
    this.#appender = new LogAppender(path, this.#db.pragma('page_size', { simple: true }) as number)
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
      this.#appender.append(new Map([...pages, [1, first]]), databasePages)
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
    return this.#appender.sync()
  }

  /** `isAlone`: nothing else in this process has the database open, whose locks would end with the index. */
  close(isAlone = false): void {
    this.#db.close()
    this.#appender.close(isAlone)
  }
}
