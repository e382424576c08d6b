import type { Worker } from 'node:worker_threads'
import type { DuplicateSearch } from '../engine/duplicates/find.ts'
import type { DuplicateGroup } from '../engine/duplicates/group.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import type { Search, SearchResult } from '../engine/search/find.ts'
import type { Group, Summing } from '../engine/summary/find-groups.ts'
import { errorFields, log } from '../lib/log.ts'
import { startThread } from '../packaging/embedded.ts'
import { unavailable } from '../store/constraint.ts'

/** The input of a thread that starts. */
export interface ReadThreadInput {
  /** The path of the database. */
  path: string
  /** Statements that take at least this long are logged; default: none. */
  slowMs?: number
  /** Set to 1 to stop the current read. */
  stop: Int32Array
}

/** A read of a workspace: a page of a list, the groups of a summary, a search, or groups of duplicates. */
export interface ThreadRead {
  workspaceId: number
  what: Listing | Summing | Search | DuplicateSearch
  /** The id of the request. */
  cause: string | undefined
}

export type Found = Page | Group[] | SearchResult[] | DuplicateGroup[]

/** A message from the thread. An error loses its class and code when it is sent, so its parts are sent. */
export type Reply = { found: Found } | { error: { message: string; code: string } }

interface Running {
  read: ThreadRead
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/** The pause in milliseconds after a thread could not start, for example for lack of file descriptors. */
const restMs = 1_000
const notAvailable = 'Long lists are not available right now'

/** A thread that reads. It starts when it is needed, and again after it has died. */
export class ReadThread {
  readonly #input: Omit<ReadThreadInput, 'stop'>
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  #worker: Worker | undefined
  #running: Running | undefined
  #restUntil = 0

  constructor({ path, slowMs }: Omit<ReadThreadInput, 'stop'>) {
    this.#input = { path, ...(slowMs !== undefined && { slowMs }) }
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  isRunning(read: ThreadRead): boolean {
    return this.#running?.read === read
  }

  /** Throws 503 SERVICE_UNAVAILABLE if the thread cannot start or dies, and any error of the read. */
  run(read: ThreadRead): Promise<Found> {
    if (performance.now() < this.#restUntil) return Promise.reject(unavailable(notAvailable))
    Atomics.store(this.#stop, 0, 0)
    return new Promise((resolve, reject) => {
      this.#running = { read, resolve, reject }
      try {
        this.#worker ??= this.#start()
        const { workspaceId, what, cause } = read
        this.#worker.postMessage({ workspaceId, what, cause } satisfies ThreadRead)
      } catch (error) {
        this.#fail(error)
      }
    })
  }

  /** Makes the current read fail at its next row. */
  stop(): void {
    Atomics.store(this.#stop, 0, 1)
  }

  async close(): Promise<void> {
    this.stop()
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = startThread('read-thread', { ...this.#input, stop: this.#stop } satisfies ReadThreadInput)
    let failure: unknown
    worker.on('message', (reply: Reply) => {
      if ('found' in reply) this.#settle(({ resolve }) => resolve(reply.found))
      else
        this.#settle(({ reject }) => reject(Object.assign(new Error(reply.error.message), { code: reply.error.code })))
    })
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      if (failure !== undefined) this.#fail(failure)
      else this.#settle(({ reject }) => reject(unavailable('The read was interrupted')))
    })
    return worker
  }

  #fail(error: unknown): void {
    log('a thread for long lists failed', errorFields(error), 'error')
    this.#restUntil = performance.now() + restMs
    this.#settle(({ reject }) => reject(unavailable(notAvailable)))
  }

  #settle(settle: (running: Running) => void): void {
    const running = this.#running
    this.#running = undefined
    if (running) settle(running)
  }
}
