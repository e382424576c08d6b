import { FairQueue } from '../lib/fair-queue.ts'
import { unavailable } from '../store/constraint.ts'

/** What runs one task at a time. */
interface Runner<Task, Result> {
  readonly isBusy: boolean
  isRunning(task: Task): boolean
  run(task: Task): Promise<Result>
  close(): Promise<void>
}

interface ThreadPoolOptions<Thread> {
  /** The maximum number of threads. */
  threadsMax: number
  /** The maximum number of tasks of one workspace that wait. */
  waitingMax: number
  /** What there is too much of beyond it: `long lists`. */
  purpose: string
  /** Makes a thread. */
  make(): Thread
}

interface Waiting<Task, Result> {
  task: Task
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Runs tasks on threads. Each workspace has one task at a time, in turn with the others, so the tasks of one do not delay those of another. */
export class ThreadPool<Task extends { workspaceId: number }, Result, Thread extends Runner<Task, Result>> {
  readonly #options: ThreadPoolOptions<Thread>
  readonly #threads: Thread[] = []
  readonly #waiting = new FairQueue<number, Waiting<Task, Result>>()
  readonly #busy = new Set<number>()

  constructor(options: ThreadPoolOptions<Thread>) {
    this.#options = options
  }

  /** Throws 503 SERVICE_UNAVAILABLE if too many tasks wait, and what the thread throws. */
  run(task: Task): Promise<Result> {
    if (this.#waiting.countOf(task.workspaceId) >= this.#options.waitingMax) {
      return Promise.reject(unavailable(`Too many ${this.#options.purpose} are waiting`))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.add(task.workspaceId, { task, resolve, reject })
      this.#runNext()
    })
  }

  /** Removes a task that waits for its turn. Returns whether there was one. Its promise stays pending. */
  withdraw(task: Task): boolean {
    return this.#waiting.withdraw(task.workspaceId, (each) => each.task === task)
  }

  /** The thread that runs a task. */
  threadOf(task: Task): Thread | undefined {
    return this.#threads.find((thread) => thread.isRunning(task))
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #runNext(): void {
    for (const workspaceId of this.#waiting.owners()) {
      if (this.#busy.has(workspaceId)) continue
      const thread = this.#idleThread()
      if (!thread) return
      void this.#run(thread, this.#waiting.take(workspaceId)!)
    }
  }

  async #run(thread: Thread, { task, resolve, reject }: Waiting<Task, Result>): Promise<void> {
    this.#busy.add(task.workspaceId)
    try {
      resolve(await thread.run(task))
    } catch (error) {
      reject(error)
    }
    this.#busy.delete(task.workspaceId)
    this.#runNext()
  }

  #idleThread(): Thread | undefined {
    const idle = this.#threads.find((thread) => !thread.isBusy)
    if (idle || this.#threads.length === this.#options.threadsMax) return idle
    const thread = this.#options.make()
    this.#threads.push(thread)
    return thread
  }
}
