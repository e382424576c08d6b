import { setTimeout as delay } from 'node:timers/promises'
import { FailureLog } from '../../lib/failure-log.ts'
import { isPassing } from '../../store/constraint.ts'
import { moveOfWorkspaceSql } from '../../store/move-state.ts'
import type { Store } from '../../store/store.ts'
import type { Done, LogReader } from './log-reader.ts'

interface Waiting<D> {
  done: D
  stored: () => void
}

/** How much a transaction stores at most. */
const togetherMax = 100
const retryMs = 1_000

/** Stores what a reader has done, in its order: a later position presumes what was done before. */
export class DoneQueue<D extends Done> {
  readonly #store: Store
  readonly #reader: LogReader<D>
  readonly #waiting: Waiting<D>[] = []
  readonly #failures = new FailureLog('a reader of the log could not store what it has done')
  #running: Promise<void> | undefined
  #closing = false

  constructor(store: Store, reader: LogReader<D>) {
    this.#store = store
    this.#reader = reader
  }

  /** Resolves when it is on disk, or when it never will be. */
  add(done: D): Promise<void> {
    return new Promise((stored) => {
      this.#waiting.push({ done, stored })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when everything that was added is on disk, or never will be. */
  async drained(): Promise<void> {
    await this.#running
  }

  /** Stores what was added, unless the disk does not accept it. */
  async close(): Promise<void> {
    this.#closing = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const { workspaceId } = this.#waiting[0]!.done
      const others = this.#waiting.findIndex(({ done }) => done.workspaceId !== workspaceId)
      const count = Math.min(others === -1 ? this.#waiting.length : others, togetherMax)
      const together = this.#waiting.slice(0, count).map(({ done }) => done)
      const isStored = await this.#write(workspaceId, together)
      if (!isStored && this.#closing) break
      if (isStored) for (const { stored } of this.#waiting.splice(0, count)) stored()
      else await delay(retryMs)
    }
    this.#running = undefined
  }

  /** Returns false if the disk does not accept writes now. */
  async #write(workspaceId: number, done: readonly D[]): Promise<boolean> {
    try {
      await this.#store.write(workspaceId, (tx) => {
        if (tx.value(moveOfWorkspaceSql) !== undefined) return // where the company is now, it is done again
        this.#reader.store(tx, done)
      })
      this.#failures.clear(workspaceId)
      return true
    } catch (error) {
      const isOver = !isPassing(error)
      this.#failures.note(error, { reader: this.#reader.name }, workspaceId)
      if (isOver) this.#failures.clear(workspaceId) // what is given up is logged each time
      return isOver
    }
  }
}
