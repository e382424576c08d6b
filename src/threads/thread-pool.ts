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
  /** The waiting tasks by workspace, in the order of the workspaces' turns. */
  readonly #waiting = new Map<number, Waiting<Task, Result>[]>()
  readonly #busy = new Set<number>()

  constructor(options: ThreadPoolOptions<Thread>) {
    this.#options = options
  }

  /** Throws 503 SERVICE_UNAVAILABLE if too many tasks wait, and what the thread throws. */
  run(task: Task): Promise<Result> {
    const queue = this.#waiting.get(task.workspaceId) ?? []
    if (queue.length >= this.#options.waitingMax) {
      return Promise.reject(unavailable(`Too many ${this.#options.purpose} are waiting`))
    }
    this.#waiting.set(task.workspaceId, queue)
    return new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject })
      this.#runNext()
    })
  }

  /** Removes a task that waits for its turn. Returns whether there was one. Its promise stays pending. */
  withdraw(task: Task): boolean {
    const queue = this.#waiting.get(task.workspaceId) ?? []
    const place = queue.findIndex((each) => each.task === task)
    if (place !== -1) queue.splice(place, 1)
    if (queue.length === 0) this.#waiting.delete(task.workspaceId)
    return place !== -1
  }

  /** The thread that runs a task. */
  threadOf(task: Task): Thread | undefined {
    return this.#threads.find((thread) => thread.isRunning(task))
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #runNext(): void {
    for (const [workspaceId, queue] of this.#waiting) {
      if (this.#busy.has(workspaceId)) continue
      const thread = this.#idleThread()
      if (!thread) return
      const next = queue.shift()!
      this.#waiting.delete(workspaceId)
      if (queue.length > 0) this.#waiting.set(workspaceId, queue) // after the others
      void this.#run(thread, next)
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
