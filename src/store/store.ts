import type { Clock } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import { systemRandomness } from '../lib/randomness.ts'
import { type Origin, system } from './change-log.ts'
import { unavailable } from './constraint.ts'
import { DiskState, type DiskWatch, touchDisk } from './disk-state.ts'
import type { Durability } from './durability.ts'
import type { Connection } from './open.ts'
import type { Reader, Run, Writer } from './reader.ts'
import { type PendingWrite, SharedTransaction } from './shared-transaction.ts'
import { type ReaderOptions, Statements, WorkspaceReader } from './statements.ts'
import type { StoreOptions } from './store-options.ts'
import { Syncs } from './syncs.ts'
import { Turn } from './turn.ts'
import { Versions } from './versions.ts'
import { whenFree } from './when-free.ts'
import { WriteQueue } from './write-queue.ts'

/**
 * The server's connection. The reads of one event-loop turn share a read transaction. A write is a synchronous function that is
 * applied completely or not at all, and acknowledged when it is on disk.
 */
export class Store {
  readonly clock: Clock
  /** Throws ApiError if this server does not accept writes at present. */
  readonly requireWritable: () => void
  /** Set to 1 when a write is requested, so that another thread that writes can release the lock. */
  readonly writeAsked = new Int32Array(new SharedArrayBuffer(4))
  /** Whether the disk accepts writes. */
  readonly disk: DiskState
  readonly #watch: DiskWatch
  readonly #db: Connection
  readonly #durability: Durability
  readonly #syncs: Syncs
  readonly #origin: Origin
  readonly #busyMsMax: number | undefined
  readonly #onAnnounced: StoreOptions['onAnnounced']
  readonly #statements: Statements
  readonly #shared: SharedTransaction
  readonly #writes: WriteQueue
  /** The newest numbers of changes, by workspace, that no sync has covered. */
  readonly #appended: (readonly [workspaceId: number, seq: number])[] = []
  readonly #listeners = new Map<string, ((workspaceId: number) => void)[]>()
  readonly #turn: Turn
  readonly #versions = new Versions(() => this.#statements.forget())

  constructor({ db, clock, durability, slow, ...options }: StoreOptions) {
    this.#db = db
    this.clock = clock
    this.#durability = durability
    this.#syncs = new Syncs(durability)
    this.#origin = options.origin ?? system
    this.#busyMsMax = options.busyMsMax
    this.#onAnnounced = options.onAnnounced
    this.disk = new DiskState(db.name, () => this.#transact(undefined, touchDisk))
    this.#watch = options.disk ?? this.disk
    this.requireWritable = options.requireWritable ?? (() => {})
    this.#statements = new Statements(db, () => this.#turn.enter(), slow)
    this.#turn = new Turn({
      ...{ db, statements: this.#statements, position: options.position ?? (() => undefined) },
      onBegin: (dataVersion) => this.#versions.notice(dataVersion),
    })
    this.#shared = new SharedTransaction({
      ...{ db, clock, statements: this.#statements, versions: this.#versions },
      randomness: options.randomness ?? systemRandomness(),
      announce: (topic, workspaceId) => this.announce(topic, workspaceId),
    })
    this.#writes = new WriteQueue({
      begin: () => this.#begin(),
      commit: (writes, apart) => this.#commit(writes, apart),
      sync: () => this.#syncCommitted(),
      note: (error) => this.#watch.note(error),
      isReproducible: options.randomness !== undefined,
    })
  }

  /** Changes when companies, users, keys or plans may have changed, in this process or in another one (decision A8). */
  get accessVersion(): number {
    this.#turn.enter()
    return this.#versions.access
  }

  /** Changes when anything that a workspace's readers see may have changed, including its company's users, in any process. */
  versionOf(workspaceId: number): number {
    this.#turn.enter()
    return this.#versions.of(workspaceId)
  }

  /** The position in the log of what this turn's reads show; undefined without a log, and on a server that leads. */
  get position(): number | undefined {
    return this.#turn.enter()
  }

  /** A request has arrived: it sees everything that has been committed before, in any process. Requests of one turn share a snapshot. */
  noteArrival(): void {
    this.#turn.arrive()
  }

  /** Makes the next read show everything that has been committed, or has come from the log. */
  renewSnapshot(): void {
    this.#turn.leave()
  }

  /** Returns a reader of a workspace's records. */
  workspace(id: number, options?: ReaderOptions): Reader {
    return new WorkspaceReader(this.#statements, id, options)
  }

  /** Returns a reader of companies, users, keys and plans. */
  get access(): Reader {
    return new WorkspaceReader(this.#statements, undefined)
  }

  /**
   * Writes a workspace's records: runs `run` in a transaction and resolves with its result once that is on disk. If `run` throws, nothing is
   * written. `run` may run twice, so it must have no effect outside of the transaction. Throws 503 SERVICE_UNAVAILABLE if another connection
   * holds the write lock for too long, or if the disk fails.
   *
   *     await store.write(workspaceId, (tx) => insert(contact, tx, input, limits))
   */
  write<T>(workspaceId: number, run: Run<T>, origin?: Origin): Promise<T> {
    return this.#transact(workspaceId, run, origin)
  }

  /** Like `write`, for companies, users, keys and plans. */
  writeAccess<T>(run: Run<T>, origin?: Origin): Promise<T> {
    return this.#transact(undefined, (tx) => run(tx.access), origin)
  }

  /** Like `write`, for usage counts, on which no cached key depends. */
  writeUsage(run: (tx: Writer) => void): Promise<void> {
    return this.#transact(undefined, run)
  }

  /** Calls `listener` with the workspace of each write that announced `topic`, once the write is on disk. */
  listen(topic: string, listener: (workspaceId: number) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener])
  }

  /** Calls the listeners of `topic`, for a write of another connection. One that fails keeps back neither the others nor the writes. */
  announce(topic: string, workspaceId: number): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(workspaceId)
      } catch (error) {
        log('what follows a write failed', { topic, workspace: workspaceId, ...errorFields(error) }, 'error')
      }
    }
    this.#onAnnounced?.(topic, workspaceId)
  }

  /** Resolves when each workspace whose writes wait has had its turn. */
  async letWritesPass(): Promise<void> {
    if (this.#writes.isRunning) await this.confirm().catch(() => {})
  }

  /**
   * Resolves when everything that can be read now is on disk. Takes the write lock only if the log is suspect, and syncs only if there are
   * commits that no sync has covered.
   */
  synced(): Promise<void> {
    if (this.#durability.suspect) return this.confirm()
    this.#turn.enter()
    return this.#syncs.cover(this.#versions.commits)
  }

  /** Resolves when the changes of a workspace up to this number are on disk. Commits that log no change need no sync. */
  async changesSynced(workspaceId: number, seq: number): Promise<void> {
    if (!this.#durability.suspect && this.#syncs.hasChange(workspaceId, seq)) return
    await this.synced()
    this.#syncs.noteChanges([[workspaceId, seq]])
  }

  /** Resolves when everything that any process has committed, even before a crash, is on disk. */
  confirm = (): Promise<void> => this.#transact(undefined, () => {})

  async close(): Promise<void> {
    this.disk.close()
    if (this.#durability.suspect) await this.confirm().catch(() => {})
    const isOnDisk = !this.#durability.suspect
    this.#turn.leave()
    await this.#durability.close()
    if (isOnDisk) this.#db.close() // which checkpoints; otherwise the log is left to the next start
  }

  #transact<T>(workspaceId: number | undefined, run: Run<T>, origin = this.#origin): Promise<T> {
    Atomics.store(this.writeAsked, 0, 1)
    return new Promise<T>((resolve, reject) => {
      this.requireWritable()
      this.#writes.add({ workspaceId, run, origin, resolve: resolve as (result: unknown) => void, reject })
    })
  }

  async #begin(): Promise<void> {
    this.requireWritable() // again: the writes before may have waited for long
    await whenFree(() => this.#turn.lock(), this.#busyMsMax)
    try {
      this.requireWritable() // again: with the lock, the lead cannot be handed over
      if (this.#durability.suspect) await this.#rewriteLog()
    } catch (error) {
      this.#statements.control('ROLLBACK')
      this.#turn.unlock()
      throw error
    }
  }

  async #syncCommitted(): Promise<void> {
    const appended = this.#appended.splice(0)
    await this.#syncs.cover(this.#versions.commits)
    this.#syncs.noteChanges(appended)
  }

  async #rewriteLog(): Promise<void> {
    try {
      await this.#durability.rewrite()
    } catch (error) {
      throw unavailable('The disk does not accept writes', error)
    }
  }

  #commit(writes: readonly PendingWrite[], apart: boolean): (() => void)[] {
    try {
      const settle = this.#shared.commit(writes, apart)
      this.#appended.push(...this.#statements.changeLog.takeAppended())
      return settle
    } finally {
      this.#turn.unlock()
    }
  }
}
