import type { Worker } from 'node:worker_threads'
import type { StageSum } from '../crm/pipeline.ts'
import type { Listing, Page } from '../engine/page.ts'
import { startThread } from '../packaging/embedded.ts'
import { unavailable } from '../store/constraint.ts'

/** What the thread is told at its start. */
export interface ApartInput {
  /** Of the database. */
  path: string
  /** From here on a statement is logged; undefined: none is. */
  slowMs?: number
}

/** What a workspace asks for: a page of a list, or the sums of its pipeline. */
export interface Asked {
  workspaceId: number
  what: Listing | 'stage sums'
  /** The request that asks. */
  cause: string | undefined
}

type Found = Page | StageSum[]

interface Waiting extends Asked {
  resolve: (found: Found) => void
  reject: (error: unknown) => void
}

interface Reply {
  found?: Found
  error?: unknown
}

/** Of one workspace. */
const waitingMax = 200

/**
 * Runs lists, and what else may read much, on a thread of their own, which starts with the first one. Each workspace has a
 * turn after the other's, so that one that asks for much does not keep the others waiting.
 */
export class ReadThread {
  readonly #input: ApartInput
  /** By workspace, in the order of their turns. */
  readonly #waiting = new Map<number, Waiting[]>()
  #running: Waiting | undefined
  #thread: Worker | undefined

  constructor(input: ApartInput) {
    this.#input = input
  }

  /** Throws 503 SERVICE_UNAVAILABLE where too many wait, or the thread ends. */
  find(workspaceId: number, listing: Listing, cause?: string): Promise<Page> {
    return this.#ask({ workspaceId, what: listing, cause }) as Promise<Page>
  }

  /** Throws as `find` does. */
  sumStages(workspaceId: number): Promise<StageSum[]> {
    return this.#ask({ workspaceId, what: 'stage sums', cause: undefined }) as Promise<StageSum[]>
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #ask(asked: Asked): Promise<Found> {
    const waiting = this.#waiting.get(asked.workspaceId) ?? []
    if (waiting.length >= waitingMax) return Promise.reject(unavailable('Too many long reads are waiting'))
    this.#waiting.set(asked.workspaceId, waiting)
    return new Promise((resolve, reject) => {
      waiting.push({ ...asked, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    const [turn] = this.#waiting
    if (this.#running || !turn) return
    const [workspaceId, waiting] = turn
    const running = waiting.shift()!
    this.#running = running
    this.#waiting.delete(workspaceId)
    if (waiting.length > 0) this.#waiting.set(workspaceId, waiting)
    this.#thread ??= this.#start()
    const { what, cause } = running
    this.#thread.postMessage({ workspaceId, what, cause } satisfies Asked)
  }

  #start(): Worker {
    const thread = startThread('read-thread', this.#input)
    let failure: unknown
    thread.on('message', ({ found, error }: Reply) =>
      this.#settle((asked) => (found ? asked.resolve(found) : asked.reject(error))),
    )
    thread.on('error', (error) => {
      failure = error
    })
    thread.on('exit', () => {
      this.#thread = undefined
      this.#settle(({ reject }) => reject(unavailable('The read was interrupted', failure)))
    })
    return thread
  }

  #settle(settle: (asked: Waiting) => void): void {
    const asked = this.#running
    this.#running = undefined
    if (asked) settle(asked)
    this.#next()
  }
}
