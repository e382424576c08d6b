import type { DuplicateSearch } from '../engine/duplicates/find.ts'
import type { DuplicateGroup } from '../engine/duplicates/group.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import type { Asked } from '../engine/reading.ts'
import type { Search, SearchResult } from '../engine/search/find.ts'
import type { Group, Summing } from '../engine/summary/find-groups.ts'
import { startThread } from '../packaging/embedded.ts'
import type { PositionCells, Shown } from '../store/log-position.ts'
import { TaskThread } from './task-thread.ts'

/** The input of a thread that starts. */
export interface ReadThreadInput {
  /** The path of the database. */
  path: string
  /** Statements that take at least this long are logged; default: none. */
  slowMs?: number
  /** The positions of snapshots, of a server with a log. */
  positions?: PositionCells | undefined
  /** Set to 1 to stop the current read. */
  stop: Int32Array
}

/** A read of a workspace: a page of a list, the groups of a summary, a search, groups of duplicates, or any other reading. */
export interface ThreadRead {
  workspaceId: number
  what: Listing | Summing | Search | DuplicateSearch | Asked
  /** The id of the request. */
  cause: string | undefined
}

/** A read. `shown` notes the position of its snapshot. */
export interface AskedRead extends ThreadRead {
  shown?: Shown | undefined
}

export type Found = Page | Group[] | SearchResult[] | DuplicateGroup[] | unknown

/** A message from the thread. An error loses its class and code when it is sent, so its parts are sent. `position`: of the snapshot. */
export type Reply = { found: Found; position: number | undefined } | { error: { message: string; code: string } }

/** A thread that reads. */
export class ReadThread {
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  readonly #thread: TaskThread<AskedRead, Reply>

  constructor({ path, slowMs, positions }: Omit<ReadThreadInput, 'stop'>) {
    const input: ReadThreadInput = { path, positions, stop: this.#stop, ...(slowMs !== undefined && { slowMs }) }
    this.#thread = new TaskThread({ purpose: 'long lists', start: () => startThread('read-thread', input), receive })
  }

  get isBusy(): boolean {
    return this.#thread.isBusy
  }

  isRunning(read: AskedRead): boolean {
    return this.#thread.isRunning(read)
  }

  /** Throws 503 SERVICE_UNAVAILABLE if the thread cannot start or dies, and any error of the read. */
  run(read: AskedRead): Promise<Found> {
    Atomics.store(this.#stop, 0, 0)
    const { workspaceId, what, cause } = read
    return this.#thread.run(read, { workspaceId, what, cause } satisfies ThreadRead)
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
    if ('found' in reply) {
      task.shown?.note(reply.position)
      resolve(reply.found)
    } else reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }))
  })
}
