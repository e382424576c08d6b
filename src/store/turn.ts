import type { Connection } from './open.ts'
import type { Statements } from './statements.ts'

interface TurnOptions {
  db: Connection
  statements: Statements
  /** Called with SQLite's `data_version` at the start of each transaction. */
  onBegin: (dataVersion: number) => void
  /** The position in the log that a new snapshot has; undefined: it is not known. */
  position: () => number | undefined
}

/** The transactions of a connection: one that the reads of a turn of the event loop share, or one that writes. */
export class Turn {
  readonly #options: TurnOptions
  #state: 'idle' | 'reading' | 'writing' = 'idle'
  #hasArrived = false
  #position: number | undefined

  constructor(options: TurnOptions) {
    this.#options = options
  }

  /** Begins to read, if this turn does not yet. Returns the position of the snapshot, which stays the same until the transaction ends. */
  enter(): number | undefined {
    if (this.#state !== 'idle') return this.#position
    const { statements, position } = this.#options
    statements.control('BEGIN')
    this.#state = 'reading'
    setImmediate(() => this.leave())
    this.#begin() // which opens the snapshot
    this.#position = position()
    return this.#position
  }

  /** Ends the reading transaction, so that the next read shows everything that has been committed. */
  leave(): void {
    if (this.#state !== 'reading') return
    this.#state = 'idle'
    const { db, statements } = this.#options
    try {
      statements.control('COMMIT')
    } catch {
      // The disk failed during a read, whose caller got the error. The transaction has written nothing.
      if (db.inTransaction) statements.control('ROLLBACK')
    }
  }

  /**
   * Ends a snapshot that is older than the requests of this turn, the first of which has arrived: a timer, or the end of the turn before, may
   * have opened it.
   */
  arrive(): void {
    if (this.#hasArrived) return
    this.#hasArrived = true
    setImmediate(() => {
      this.#hasArrived = false
    })
    this.leave()
  }

  /** Takes the write lock. */
  lock(): void {
    this.leave()
    this.#options.statements.control('BEGIN IMMEDIATE')
    this.#state = 'writing'
    this.#position = undefined
    this.#begin()
  }

  /** The transaction that writes has ended. */
  unlock(): void {
    this.#state = 'idle'
  }

  #begin(): void {
    const { statements, onBegin } = this.#options
    onBegin(statements.dataVersion())
  }
}
