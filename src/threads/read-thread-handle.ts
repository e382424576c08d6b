import { startThread } from '../packaging/embedded.ts'
import type { PositionCells, Shown } from '../store/log-position.ts'
import type { View } from '../store/visibility.ts'
import { TaskThread } from './task-thread.ts'

/** The input of a thread that starts. */
export interface ReadThreadInput {
  /** The path of the database. */
  path: string
  /** Statements that take at least this long are logged; default: none. */
  slowMs?: number | undefined
  /** The positions of snapshots, of a server with a log. */
  positions?: PositionCells | undefined
  /** Set to 1 to stop the current read. */
  stop: Int32Array
}

/** A question about a workspace, with the name of its reading. */
export interface ThreadRead {
  workspaceId: number
  viewer: View
  reading: string
  question: unknown
  /** The id of the request. */
  cause?: string | undefined
}

/** A read. `shown` notes the position of its snapshot. */
export interface AskedRead extends ThreadRead {
  shown?: Shown | undefined
}

/** A message from the thread. An error loses its class and code when it is sent, so its parts are sent. `position`: of the snapshot. */
export type Reply = { answer: unknown; position: number | undefined } | { error: { message: string; code: string } }

/** A thread that reads. */
export class ReadThread {
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  readonly #thread: TaskThread<AskedRead, Reply>

  constructor({ path, slowMs, positions }: Omit<ReadThreadInput, 'stop'>) {
    const input: ReadThreadInput = { path, positions, stop: this.#stop, slowMs }
    this.#thread = new TaskThread({ purpose: 'long lists', start: () => startThread('read-thread', input), receive })
  }

  get isBusy(): boolean {
    return this.#thread.isBusy
  }

  isRunning(read: AskedRead): boolean {
    return this.#thread.isRunning(read)
  }

  /** Throws 503 SERVICE_UNAVAILABLE if the thread cannot start or dies, and any error of the read. */
  run(read: AskedRead): Promise<unknown> {
    Atomics.store(this.#stop, 0, 0)
    const { shown, ...sent } = read
    return this.#thread.run(read, sent satisfies ThreadRead)
  }

  /** Makes the current read fail at its next row. */
  stop(): void {
    Atomics.store(this.#stop, 0, 1)
  }

  close(): Promise<void> {
    this.stop()
    return this.#thread.close()
  }
}

function receive(reply: Reply, thread: TaskThread<AskedRead, Reply>): void {
  thread.settle(({ task, resolve, reject }) => {
    if ('answer' in reply) {
      task.shown?.note(reply.position)
      resolve(reply.answer)
    } else reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
  })
}
