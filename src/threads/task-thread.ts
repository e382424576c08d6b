import type { Worker } from 'node:worker_threads'
import { errorFields, log } from '../lib/log.ts'
import { Thread } from '../lib/thread.ts'
import { unavailable } from '../store/constraint.ts'

interface TaskThreadOptions<Task, Message> {
  /** What it does, for the log and for errors: `long lists`. */
  purpose: string
  /** Starts the thread. May throw. */
  start(): Worker
  /** Called with each message of the thread. Settles the running task if the message is the last one about it. */
  receive(message: Message, thread: TaskThread<Task, Message>): void
}

interface Running<Task> {
  task: Task
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** The pause in milliseconds after a thread could not start, for example for lack of file descriptors. */
const restMs = 1_000

/** A thread that runs one task at a time. It starts when it is needed, and again after it has died. */
export class TaskThread<Task, Message> {
  readonly #options: TaskThreadOptions<Task, Message>
  #thread: Thread<unknown, Message> | undefined
  #running: Running<Task> | undefined
  #restUntil = 0

  constructor(options: TaskThreadOptions<Task, Message>) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  isRunning(task: Task): boolean {
    return this.#running?.task === task
  }

  /** Sends `message` and resolves with the result of the task. Throws 503 SERVICE_UNAVAILABLE if the thread cannot start or dies. */
  run<Result>(task: Task, message: object): Promise<Result> {
    if (performance.now() < this.#restUntil) return Promise.reject(this.#notAvailable())
    return new Promise((resolve, reject) => {
      this.#running = { task, resolve: resolve as Running<Task>['resolve'], reject }
      try {
        this.#thread ??= this.#start()
        this.#thread.post(message)
      } catch (error) {
        this.#fail(error)
      }
    })
  }

  /** Sends a message about the running task. */
  send(message: unknown): void {
    this.#thread?.post(message)
  }

  /** Ends the running task. */
  settle(end: (running: Running<Task>) => void): void {
    const running = this.#running
    this.#running = undefined
    if (running) end(running)
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #start(): Thread<unknown, Message> {
    let failure: unknown
    return new Thread<unknown, Message>(this.#options.start(), {
      onReport: (message) => this.#options.receive(message, this),
      onError: (error) => {
        failure = error
      },
      onExit: () => {
        this.#thread = undefined
        if (failure !== undefined) this.#fail(failure)
        else this.settle(({ reject }) => reject(unavailable('The work was interrupted')))
      },
    })
  }

  #fail(error: unknown): void {
    log(`a thread for ${this.#options.purpose} failed`, errorFields(error), 'error')
    this.#restUntil = performance.now() + restMs
    this.settle(({ reject }) => reject(this.#notAvailable()))
  }

  #notAvailable(): Error {
    const { purpose } = this.#options
    return unavailable(`${purpose.charAt(0).toUpperCase()}${purpose.slice(1)} are not available right now`)
  }
}
