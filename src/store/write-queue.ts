import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue } from '../lib/fair-queue.ts'
import { type PendingWrite, sharedWritesMax } from './shared-transaction.ts'

/** How long, in milliseconds, a committed write waits for others to share its sync. */
const sharedMsMax = 50

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
  readonly committed: PendingWrite[]
  /** To be called once the committed ones are on disk. */
  readonly settle: (() => void)[]
}

/**
 * Writes that are requested in one turn of the event loop, or during the sync of earlier ones, share a sync, and a transaction if they are short:
 * after each transaction, others have their turn. Workspaces take turns, too: the writes of one do not wait for all those of another.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #waiting = new FairQueue<number | undefined, PendingWrite>()
  #isRunning = false

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#isRunning
  }

  add(write: PendingWrite): void {
    this.#waiting.add(write.workspaceId, write)
    if (this.#isRunning) return
    this.#isRunning = true
    setImmediate(() => this.#run())
  }

  async #run(): Promise<void> {
    while (!this.#waiting.isEmpty) {
      const shared: Shared = { committed: [], settle: [] }
      let isCut = await this.#writeSome(shared)
      for (const endsAt = performance.now() + sharedMsMax; isCut && performance.now() < endsAt; ) {
        await nextTurn()
        isCut = await this.#writeSome(shared)
      }
      await this.#sync(shared)
      if (!this.#waiting.isEmpty) await nextTurn()
    }
    this.#isRunning = false
  }

  /** Commits one transaction. Returns whether it had no time for all of the writes that waited. */
  async #writeSome({ committed, settle }: Shared): Promise<boolean> {
    const begun = await this.#options.begin().catch((error) => ({ error }))
    const next = this.#waiting.next(sharedWritesMax - committed.length)
    try {
      if (begun) throw begun.error
      const done = await this.#commit(next)
      settle.push(...done)
      committed.push(...this.#take(next.slice(0, done.length)))
      return done.length < next.length
    } catch (error) {
      this.#fail(this.#take(next), error)
      return false
    }
  }

  /** Removes the next writes from those that wait. */
  #take(next: readonly PendingWrite[]): readonly PendingWrite[] {
    for (const { workspaceId } of next) this.#waiting.take(workspaceId)
    return next
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
