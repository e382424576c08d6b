import { type Clock, timestamp } from '../lib/clock.ts'
import type { Randomness } from '../lib/randomness.ts'
import type { Origin } from './change-log.ts'
import { toApiError, undone } from './constraint.ts'
import type { Connection } from './open.ts'
import type { Writer } from './reader.ts'
import type { Statements } from './statements.ts'
import type { Versions } from './versions.ts'
import { WorkspaceWriter } from './workspace-writer.ts'

/** The maximum number of writes in a transaction. */
export const sharedWritesMax = 64
/** How long, in milliseconds, a transaction begins writes. More would keep the event loop from reading for too long. */
const beginsMs = 10

/** A write that waits for its transaction. */
export interface PendingWrite {
  workspaceId: number | undefined
  run: (tx: Writer) => unknown
  origin: Origin
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

interface SharedTransactionOptions {
  db: Connection
  statements: Statements
  versions: Versions
  clock: Clock
  randomness: Randomness
  announce: (topic: string, workspaceId: number) => void
}

/** Runs writes, one after the other, in a transaction that has begun, and ends it. */
export class SharedTransaction {
  readonly #options: SharedTransactionOptions

  constructor(options: SharedTransactionOptions) {
    this.#options = options
  }

  /**
   * Commits the first of the writes: as many as fit into a short time. Returns functions to call once they are on disk, which resolve and reject
   * their promises. `apart`: each in a savepoint, so that one that throws undoes nothing of the others. Otherwise an error undoes all of them and is thrown; a savepoint
   * would copy each page that its write changes. Throws 503 SERVICE_UNAVAILABLE if the database cannot be written.
   */
  commit(writes: readonly PendingWrite[], apart: boolean): (() => void)[] {
    const { db, statements, versions } = this.#options
    const { access } = versions
    try {
      const endsAt = performance.now() + beginsMs
      const settle: (() => void)[] = []
      for (const write of writes) {
        settle.push(this.#run(write, apart))
        if (performance.now() >= endsAt) break
      }
      statements.control('COMMIT')
      versions.commits++
      return settle
    } catch (error) {
      const isUndone = !db.inTransaction
      if (!isUndone) statements.control('ROLLBACK')
      statements.forget()
      if (versions.access !== access) versions.access++ // one write may have read what another wrote, which is undone as well
      throw isUndone ? undone(db.name, error) : toApiError(error)
    }
  }

  #run({ workspaceId, run, origin, resolve, reject }: PendingWrite, apart: boolean): () => void {
    const { db, statements, versions, clock, randomness } = this.#options
    const nowMs = clock.now()
    const announced = new Map<string, () => void>()
    const writer = new WorkspaceWriter(statements, workspaceId, {
      nowMs,
      now: timestamp(nowMs),
      origin,
      randomness,
      onWorkspace: (id) => versions.countWrite(id), // even if the write fails
      onAccess: () => versions.access++,
      announce: (topic, id) => announced.set(`${topic} ${id}`, () => this.#options.announce(topic, id)),
    })
    try {
      const result = apart ? statements.savepoint(() => run(writer)) : run(writer)
      if (!db.inTransaction) throw undone(db.name) // and `run` has ignored the error
      return () => {
        resolve(result)
        for (const announce of announced.values()) announce()
      }
    } catch (error) {
      if (!apart || !db.inTransaction) throw error // which undoes the other writes as well
      return () => reject(toApiError(error))
    }
  }
}
