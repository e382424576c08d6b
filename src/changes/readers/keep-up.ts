import { setTimeout as delay } from 'node:timers/promises'
import { errorFields, log } from '../../lib/log.ts'
import { changed } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { type BatchReader, hasWork, planBatch, workspacesBehind } from './batch-reader.ts'

/** The pause in milliseconds after each transaction, for other writers. */
const pauseMs = 5

/** Lets readers deal with all changes. */
export class CatchUp {
  readonly #store: Store
  readonly #readers: readonly BatchReader[]
  /** By reader and workspace: the number of the last change, if there was nothing to do up to it. */
  readonly #passed: ReadonlyMap<BatchReader, Map<number, number>>

  constructor(store: Store, readers: readonly BatchReader[]) {
    this.#store = store
    this.#readers = readers
    this.#passed = new Map(readers.map((reader) => [reader, new Map()]))
  }

  /**
   * Deals with all changes so far, a batch for each workspace in turn, until `signal` aborts. Returns whether anything was done. One workspace's
   * failure does not keep the others back: it is tried again after the next write.
   */
  async run(signal: AbortSignal): Promise<boolean> {
    let hasDone = false
    for (const reader of this.#readers) {
      const due = new Set(this.#listDue(reader))
      hasDone ||= due.size > 0
      for (const workspaceId of due) {
        if (signal.aborted) return hasDone
        due.delete(workspaceId)
        if (await dealWith(this.#store, reader, workspaceId)) due.add(workspaceId) // to its end: after the others
        await delay(pauseMs)
      }
    }
    return hasDone
  }

  #listDue(reader: BatchReader): number[] {
    const passed = this.#passed.get(reader)!
    return workspacesBehind(reader, this.#store.access).flatMap(({ id, latest }) => {
      if (passed.get(id) === latest) return []
      if (hasWork(reader, this.#store.workspace(id), passed.get(id))) return [id]
      passed.set(id, latest)
      return []
    })
  }
}

interface CatchingUp {
  /** Resolves when all changes that have been announced are dealt with. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Lets readers deal with changes at once, on the event loop: threads cannot share a database in memory. */
export function catchUpHere(store: Store, readers: readonly BatchReader[]): CatchingUp {
  const catchUp = new CatchUp(store, readers)
  const stopping = new AbortController()
  let isDue = true
  let running: Promise<void> | undefined = run()
  store.listen(changed, () => {
    isDue = true
    running ??= run()
  })
  return {
    async idle() {
      while (running) await running
    },
    async stop() {
      stopping.abort()
      await running
    },
  }

  async function run(): Promise<void> {
    while (isDue && !stopping.signal.aborted) {
      isDue = false
      await catchUp.run(stopping.signal)
    }
    running = undefined
  }
}

/** Deals with the next batch. Returns whether there is more to do. */
async function dealWith(store: Store, reader: BatchReader, workspaceId: number): Promise<boolean> {
  try {
    const batch = planBatch(reader, store.workspace(workspaceId))
    if (!batch) return false
    for (const [at, write] of batch.writes.entries()) {
      if (at > 0) await delay(pauseMs)
      if (!(await store.write(workspaceId, write))) return true
    }
    return batch.hasMore
  } catch (error) {
    log('a reader of the log failed', { reader: reader.name, workspace: workspaceId, ...errorFields(error) }, 'error')
    return false
  }
}
