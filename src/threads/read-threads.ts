import type { LongReading, ReadFor, Reading, Snapshot } from '../engine/finding/reading.ts'
import { unavailable } from '../store/constraint.ts'
import { type AskedRead, ReadThread, type ReadThreadInput } from './read-thread-handle.ts'
import { Snapshots, type SnapshotsOptions } from './snapshots.ts'
import { ThreadPool } from './thread-pool.ts'

interface ReadThreadsOptions extends Omit<ReadThreadInput, 'stop'>, SnapshotsOptions {
  /** How long a read may take in milliseconds, including its wait. */
  limitMs: number
}

/** Each thread takes about 20 MiB for its connection and heap. */
const threadsMax = 3
/** The maximum number of waiting reads of one workspace. */
const waitingMax = 200

/** Answers questions that may take long on threads, within a time limit. */
export class ReadThreads {
  readonly #limitMs: number
  readonly #pool: ThreadPool<AskedRead, unknown, ReadThread>
  readonly #snapshots: Snapshots

  constructor({ limitMs, path, slowMs, positions, ...snapshots }: ReadThreadsOptions) {
    this.#limitMs = limitMs
    const make = () => new ReadThread({ path, slowMs, positions })
    this.#pool = new ThreadPool({ threadsMax, waitingMax, purpose: 'long lists', make })
    this.#snapshots = new Snapshots(path, { positions, ...snapshots })
  }

  /**
   * Runs a reading, and tells `shown` the position of its answer. Throws 503 SERVICE_UNAVAILABLE if too many reads wait, if it takes too
   * long, or if no thread can run it.
   */
  run<Question>(by: ReadFor, reading: Reading<Question, unknown>, question: Question): Promise<unknown> {
    const { name, advice = () => 'try again later, or with a smaller limit' } = reading
    const { workspaceId, viewer, cause, shown } = by
    const read = { workspaceId, viewer, cause, shown, reading: name, question }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#giveUp(read, () => advice(question))), this.#limitMs)
      this.#pool
        .run(read)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }

  /** Opens a long reading; see `Snapshots.open`. */
  open<Question>(
    { companyId, workspaceId, viewer, shown }: ReadFor,
    { name }: LongReading<Question>,
    question: Question,
  ): Promise<Snapshot> {
    return this.#snapshots.open(companyId, { workspaceId, viewer, reading: name, question }, shown)
  }

  async close(): Promise<void> {
    await this.#pool.close()
    await this.#snapshots.close()
  }

  /** Stops a read that has taken too long, or has waited too long for its turn. Returns the error of its request. */
  #giveUp(read: AskedRead, advice: () => string): Error {
    const hasWaited = this.#pool.withdraw(read)
    if (!hasWaited) this.#pool.threadOf(read)?.stop()
    const reason = hasWaited ? 'it waited for other long lists: try again later' : advice()
    return unavailable(`The ${read.reading} took longer than ${this.#limitMs / 1000} s: ${reason}`)
  }
}
