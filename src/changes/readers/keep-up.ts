import { setTimeout as delay } from 'node:timers/promises'
import { errorFields, log } from '../../lib/log.ts'
import { changed } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { latestOf } from '../stored-change.ts'
import { type BatchReader, dealWithBatch, hasWork, workspacesBehind } from './batch-reader.ts'

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
  const waiting = new Set(readers.flatMap((reader) => workspacesBehind(reader, store.access).map(({ id }) => id)))
  const passed = new Map(readers.map((reader) => [reader, new Map<number, number>()]))
  let running: Promise<void> | undefined
  let stopping = false
  store.listen(changed, wake)
  if (waiting.size > 0) begin()
  return {
    async idle() {
      while (running) await running
    },
    async stop() {
      stopping = true
      await running
    },
  }

  function wake(workspaceId: number): void {
    if (stopping) return
    waiting.add(workspaceId)
    begin()
  }

  /** Not within the call: `run` may end before `running` is set. */
  function begin(): void {
    running ??= Promise.resolve().then(run)
  }

  async function run(): Promise<void> {
    for (const workspaceId of waiting) {
      waiting.delete(workspaceId)
      for (const reader of readers) {
        const latest = latestOf(store.workspace(workspaceId))
        let hasMore = hasWork(reader, store.workspace(workspaceId), passed.get(reader)!.get(workspaceId))
        if (!hasMore) passed.get(reader)!.set(workspaceId, latest)
        while (hasMore && !stopping) hasMore = await dealWith(store, reader, workspaceId)
      }
    }
    running = undefined
  }
}

/** Returns whether there is more to do. */
async function dealWith(store: Store, reader: BatchReader, workspaceId: number): Promise<boolean> {
  try {
    return await store.write(workspaceId, (tx) => dealWithBatch(reader, tx))
  } catch (error) {
    log('a reader of the log failed', { reader: reader.name, workspace: workspaceId, ...errorFields(error) }, 'error')
    return false
  }
}
