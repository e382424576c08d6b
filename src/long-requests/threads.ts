import type { Content } from '../http/exchange.ts'
import type { LongRequest, ServeLong } from '../http/long-request.ts'
import { startThread } from '../packaging/embedded.ts'
import { unavailable } from '../store/constraint.ts'
import { isSuspect, type LogState } from '../store/durability.ts'
import type { Store } from '../store/store.ts'
import { TaskThread } from '../threads/task-thread.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { type LongOrder, type LongReport, type LongRequestInput, receivedError } from './thread-messages.ts'

interface LongRequestsOptions extends LongRequestInput {
  store: Store
  /** The state of the log. While it is suspect, nothing is written. */
  logState: LogState
  /** How long a request waits for its turn in milliseconds; default: 30 s. */
  waitMs?: number
  /** Called when what a request of the workspace has written is on disk, before its response. Default: nothing. */
  afterwards?: (workspaceId: number) => Promise<void>
}

/** Each takes about 30 MiB for its connection and heap. */
const threadsMax = 2
/** The maximum number of waiting requests of one workspace. */
const waitingMax = 50

type Report = Exclude<LongReport, string | { diskFault: unknown }>

/**
 * Serves requests that may take long (undoing, merging, erasing) on threads: one of a workspace at a time, in turn with those of others.
 * The threads start when they are needed.
 */
export class LongRequests {
  readonly #store: Store
  readonly #logState: LogState
  readonly #waitMs: number
  readonly #afterwards: (workspaceId: number) => Promise<void>
  readonly #pool: ThreadPool<LongRequest, Report, LongRequestThread>

  constructor({ store, logState, waitMs = 30_000, afterwards = async () => {}, ...input }: LongRequestsOptions) {
    this.#store = store
    this.#logState = logState
    this.#waitMs = waitMs
    this.#afterwards = afterwards
    const make = () => new LongRequestThread(store, input)
    this.#pool = new ThreadPool({ threadsMax, waitingMax, purpose: 'long requests', make })
  }

  /** Resolves when what the request has written is on disk. Throws 503 SERVICE_UNAVAILABLE if too many wait, or if no thread can run it. */
  readonly serve: ServeLong = async (request): Promise<Content> => {
    this.#store.requireWritable()
    if (isSuspect(this.#logState)) await this.#store.confirm() // a power cut would lose what follows a gap in the log
    const report = await this.#inTurn(request)
    this.#store.renewSnapshot() // one of this turn may not show what the thread has committed
    await this.#store.synced()
    for (const [topic, workspaceId] of report.announced) this.#store.announce(topic, workspaceId)
    await this.#afterwards(request.workspaceId)
    if ('error' in report) throw receivedError(report.error)
    return report.content
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #inTurn(request: LongRequest): Promise<Report> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.#pool.withdraw(request)) reject(unavailable('Other long requests took too long: try again later'))
      }, this.#waitMs)
      this.#pool
        .run(request)
        .then(resolve, reject)
        .finally(() => clearTimeout(timer))
    })
  }
}

class LongRequestThread {
  readonly #store: Store
  readonly #thread: TaskThread<LongRequest, LongReport>

  constructor(store: Store, input: LongRequestInput) {
    this.#store = store
    this.#thread = new TaskThread({
      purpose: 'long requests',
      start: () => startThread('long-request-thread', input),
      receive: (report) => void this.#receive(report),
    })
  }

  get isBusy(): boolean {
    return this.#thread.isBusy
  }

  isRunning(request: LongRequest): boolean {
    return this.#thread.isRunning(request)
  }

  run(request: LongRequest): Promise<Report> {
    const aheadMs = this.#store.clock.now() - Date.now()
    return this.#thread.run(request, { request, aheadMs } satisfies LongOrder)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #receive(report: LongReport): Promise<void> {
    if (report !== 'let others write') {
      if ('diskFault' in report) this.#store.disk.raise(report.diskFault)
      else this.#thread.settle(({ resolve }) => resolve(report))
      return
    }
    await this.#store.letWritesPass()
    this.#thread.send('go on' satisfies LongOrder)
  }
}
