import { type Clock, timestamp } from '../lib/clock.ts'
import { UuidSequence } from '../lib/uuid.ts'
import { toApiError, unavailable } from './constraint.ts'
import type { Durability } from './durability.ts'
import type { Connection } from './open.ts'
import type { Reader, Synchronous, Writer } from './reader.ts'
import type { SlowStatements } from './slow.ts'
import { Statements, WorkspaceReader, WorkspaceWriter } from './statements.ts'
import { Versions } from './versions.ts'
import { whenFree } from './when-free.ts'

/** More would keep the event loop from reading for too long. */
const sharedWritesMax = 64

interface Write {
  workspaceId: number | undefined
  run: (tx: Writer) => unknown
  cause: string | undefined
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

export interface StoreOptions {
  db: Connection
  clock: Clock
  durability: Durability
  ids?: UuidSequence
  /** How long a write waits for another connection's lock before it is refused. */
  busyMsMax?: number | undefined
  /** Default: nobody is told. */
  slow?: SlowStatements | undefined
}

/**
 * The server's one connection. Reads of one event-loop turn share one read transaction; a write is a synchronous function,
 * whole or not at all, acknowledged when it is on the disk.
 */
export class Store {
  readonly clock: Clock
  /** Set to 1 whenever a write is asked for: a thread that writes, too, may look and make room. */
  readonly writeAsked = new Int32Array(new SharedArrayBuffer(4))
  readonly #db: Connection
  readonly #durability: Durability
  readonly #ids: UuidSequence
  readonly #busyMsMax: number | undefined
  readonly #statements: Statements
  readonly #waiting: Write[] = []
  readonly #listeners = new Map<string, (workspaceId: number) => void>()
  #writingLoop = false
  #state: 'idle' | 'reading' | 'writing' = 'idle'
  readonly #versions = new Versions()

  constructor({ db, clock, durability, ids = new UuidSequence(), busyMsMax, slow }: StoreOptions) {
    this.#db = db
    this.clock = clock
    this.#durability = durability
    this.#ids = ids
    this.#busyMsMax = busyMsMax
    this.#statements = new Statements(db, () => this.#enterTurn(), slow)
  }

  /** Changes whenever companies, users, keys or plans may have changed, also by another process (decision A8). */
  get accessVersion(): number {
    this.#enterTurn()
    return this.#versions.access
  }

  /** Changes whenever what a workspace's readers see may have changed, its company's users included, also by another process. */
  versionOf(workspaceId: number): number {
    this.#enterTurn()
    return this.#versions.of(workspaceId)
  }

  /** The door to a workspace's records. `cause` is the request that it is opened for: slow statements name it. */
  workspace(id: number, cause?: string): Reader {
    return new WorkspaceReader(this.#statements, id, cause)
  }

  /** The door to what is above the workspaces: companies, users, keys, plans. */
  get access(): Reader {
    return new WorkspaceReader(this.#statements, undefined)
  }

  /** Writes a workspace's records. Throws 503 SERVICE_UNAVAILABLE when the write lock is not to be had. */
  write<T>(workspaceId: number, run: (tx: Writer) => Synchronous<T>, cause?: string): Promise<T> {
    return this.#transact(workspaceId, run, cause)
  }

  /** Writes what is above the workspaces. */
  writeAccess<T>(run: (tx: Writer) => Synchronous<T>): Promise<T> {
    return this.#transact(undefined, (tx) => run(tx.access))
  }

  /** Writes bookkeeping that no cached key depends on. */
  writeUsage(run: (tx: Writer) => void): Promise<void> {
    return this.#transact(undefined, run)
  }

  /** Calls `listener` with the workspace of each write that announced `topic`, when it is on the disk. */
  listen(topic: string, listener: (workspaceId: number) => void): void {
    this.#listeners.set(topic, listener)
  }

  /** Resolves when the writes that wait have had their turn, whatever became of them. */
  async letWritesPass(): Promise<void> {
    if (this.#writingLoop) await this.confirm().catch(() => {})
  }

  /** Resolves when all that can be read now is on the disk; takes no lock where it need not. */
  synced(): Promise<void> {
    return this.#durability.proven ? this.#sync() : this.confirm()
  }

  /** Resolves when all that has been committed is on the disk, also by another process or before a crash. */
  confirm(): Promise<void> {
    return this.#transact(undefined, () => {})
  }

  async close(): Promise<void> {
    const proven = await this.#prove()
    this.#leaveTurn()
    await this.#durability.close()
    // The last connection to close checkpoints. Where that is not safe, the log stays for the next start.
    if (proven) this.#db.close()
  }

  async #prove(): Promise<boolean> {
    const confirmed = () => true
    return this.#durability.proven || this.confirm().then(confirmed, () => false)
  }

  #transact<T>(workspaceId: number | undefined, run: (tx: Writer) => Synchronous<T>, cause?: string): Promise<T> {
    Atomics.store(this.writeAsked, 0, 1)
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ workspaceId, run, cause, resolve: resolve as (result: unknown) => void, reject })
      if (!this.#writingLoop) {
        this.#writingLoop = true
        setImmediate(() => this.#writeWaiting())
      }
    })
  }

  /**
   * Writes that came in one event-loop turn, or while the disk was busy with earlier ones, share a transaction and a sync:
   * one that was committed earlier would have to wait for the next sync all the same.
   */
  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const begun = await this.#begin().catch((error) => ({ error }))
      const writes = this.#waiting.splice(0, sharedWritesMax)
      try {
        if (begun) throw begun.error
        const settle = this.#commit(writes)
        await this.#sync()
        for (const each of settle) each()
      } catch (error) {
        for (const { reject } of writes) reject(error)
      }
    }
    this.#writingLoop = false
  }

  #sync(): Promise<void> {
    return this.#durability.sync().catch((error) => {
      throw unavailable('The disk did not confirm the write', error)
    })
  }

  async #begin(): Promise<void> {
    await whenFree(() => this.#takeLock(), this.#busyMsMax)
    if (!this.#durability.proven) await this.#proveLog()
  }

  /** Under the write lock, which is given back where the log cannot be brought to the disk. */
  async #proveLog(): Promise<void> {
    try {
      await this.#durability.prove()
    } catch (error) {
      this.#statements.control('ROLLBACK')
      this.#state = 'idle'
      throw unavailable('The disk does not take writes', error)
    }
  }

  #takeLock(): void {
    this.#leaveTurn()
    this.#statements.control('BEGIN IMMEDIATE')
    this.#state = 'writing'
    this.#versions.notice(this.#statements.dataVersion())
  }

  /** Answers how to settle each write, once all are on the disk. */
  #commit(writes: Write[]): (() => void)[] {
    try {
      const settle = writes.map((write) => this.#run(write))
      this.#statements.control('COMMIT')
      return settle
    } catch (error) {
      if (this.#db.inTransaction) this.#statements.control('ROLLBACK')
      this.#versions.access++ // what one of the writes has read of another's is undone, too
      throw toApiError(error)
    } finally {
      this.#state = 'idle'
    }
  }

  #run({ workspaceId, run, cause, resolve, reject }: Write): () => void {
    const nowMs = this.clock.now()
    const announced: (() => void)[] = []
    const writer = new WorkspaceWriter(this.#statements, workspaceId, {
      now: timestamp(nowMs),
      newId: () => this.#ids.next(nowMs),
      onWorkspace: (id) => this.#versions.countWrite(id), // whatever becomes of the write
      onAccess: () => this.#versions.access++,
      cause,
      announce: (topic, workspace) => announced.push(() => this.#listeners.get(topic)?.(workspace)),
    })
    try {
      const result = this.#statements.savepoint(() => run(writer))
      return () => {
        resolve(result)
        for (const tell of announced) tell()
      }
    } catch (error) {
      if (!this.#db.inTransaction) throw error // the failure has undone the others, too
      return () => reject(toApiError(error))
    }
  }

  #enterTurn(): void {
    if (this.#state !== 'idle') return
    this.#statements.control('BEGIN')
    this.#state = 'reading'
    setImmediate(() => this.#leaveTurn())
    this.#versions.notice(this.#statements.dataVersion())
  }

  #leaveTurn(): void {
    if (this.#state !== 'reading') return
    this.#state = 'idle'
    try {
      this.#statements.control('COMMIT')
    } catch {
      // The disk failed a read, whose caller was told; there is nothing to lose.
      if (this.#db.inTransaction) this.#statements.control('ROLLBACK')
    }
  }
}
