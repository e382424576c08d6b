import type { Worker } from 'node:worker_threads'
import type { StageSum } from '../crm/pipeline.ts'
import type { Listing, Page } from '../engine/list/page.ts'
import { errorFields, log } from '../lib/log.ts'
import { startThread } from '../packaging/embedded.ts'
import { unavailable } from '../store/constraint.ts'

/** What the thread gets at its start. */
export interface ReadThreadInput {
  /** Of the database. */
  path: string
  /** From here on a statement is logged; undefined: none is. */
  slowMs?: number
  /** Set to 1 to stop the read that is running. */
  stop: Int32Array
}

/** A read of a workspace: a page of a list, or the sums of its pipeline. */
export interface Asked {
  workspaceId: number
  what: Listing | 'stage sums'
  /** The request that asks. */
  cause: string | undefined
}

export type Found = Page | StageSum[]

/** From the thread. An error loses its class and its code on the way, so these are sent apart. */
export type Reply = { found: Found } | { error: { message: string; code: string } }

interface Running {
  asked: Asked
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

/** After a thread could not start, for example for lack of file descriptors. */
const restMs = 1_000
const notAvailable = 'Long lists are not available right now'

/** One thread that reads: starts when it is needed, and again after it has died. */
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

  isRunning(asked: Asked): boolean {
    return this.#running?.asked === asked
  }

  /** Throws 503 SERVICE_UNAVAILABLE if the thread cannot start or dies, and what the read throws. */
  run(asked: Asked): Promise<Found> {
    if (performance.now() < this.#restUntil) return Promise.reject(unavailable(notAvailable))
    Atomics.store(this.#stop, 0, 0)
    return new Promise((resolve, reject) => {
      this.#running = { asked, resolve, reject }
      try {
        this.#worker ??= this.#start()
        const { workspaceId, what, cause } = asked
        this.#worker.postMessage({ workspaceId, what, cause } satisfies Asked)
      } catch (error) {
        this.#fail(error)
      }
    })
  }

  /** Lets the read that is running fail at its next row. */
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
