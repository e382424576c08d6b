import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PendingWrite, sharedWritesMax } from './shared-transaction.ts'

interface WriteQueueOptions {
  /** Begins a transaction that writes. */
  begin: () => Promise<void>
  /** Commits the first of the writes in it (`SharedTransaction.commit`). */
  commit: (writes: readonly PendingWrite[], apart: boolean) => (() => void)[]
  /** Resolves when what is committed is on disk. */
  sync: () => Promise<void>
  /** Takes notice of errors. */
  note: (error: unknown) => void
  /** Whether the ids of new records must be reproducible: a write that runs twice takes two. */
  isReproducible: boolean
}

/** Writes that share a sync. */
interface Shared {
  readonly left: PendingWrite[]
  readonly committed: PendingWrite[]
  /** To be called once the committed ones are on disk. */
  readonly settle: (() => void)[]
}

/**
 * Writes that are requested in one turn of the event loop, or during the sync of earlier ones, share a sync, and a transaction if they are short:
 * after each transaction, others have their turn.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #waiting: PendingWrite[] = []
  #isRunning = false

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  add(write: PendingWrite): void {
    this.#waiting.push(write)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#run())
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const shared: Shared = { left: [], committed: [], settle: [] }
      await this.#writeSome(shared)
      while (shared.left.length > 0) {
        await nextTurn()
        await this.#writeSome(shared)
      }
      await this.#sync(shared)
    }
    this.#isRunning = false
  }

  /** Commits one transaction. */
  async #writeSome({ left, committed, settle }: Shared): Promise<void> {
    const begun = await this.#options.begin().catch((error) => ({ error }))
    left.push(...this.#waiting.splice(0, sharedWritesMax - committed.length - left.length))
    try {
      if (begun) throw begun.error
      const done = await this.#commit(left)
      settle.push(...done)
      committed.push(...left.splice(0, done.length))
    } catch (error) {
      this.#fail(left.splice(0), error)
    }
  }

  /** If one of several writes fails, those before it run again, and it runs, each in a savepoint. */
  async #commit(writes: readonly PendingWrite[]): Promise<(() => void)[]> {
    const { begin, commit, isReproducible } = this.#options
    if (!isReproducible) {
      try {
        return commit(writes, false)
      } catch (error) {
        if (writes.length === 1) throw error
        await begin() // the failure has ended the transaction; a write that fails by itself fails again
      }
    }
    return commit(writes, true)
  }

  async #sync({ committed, settle }: Shared): Promise<void> {
    try {
      if (committed.length > 0) await this.#options.sync()
      for (const each of settle) each()
    } catch (error) {
      this.#fail(committed, error)
    }
  }

  #fail(writes: readonly PendingWrite[], error: unknown): void {
    this.#options.note(error)
    for (const { reject } of writes) reject(error)
  }
}
