import { setTimeout as delay } from 'node:timers/promises'
import { errorFields, log } from '../../lib/log.ts'
import { changed } from '../../store/change-log.ts'
import type { Store } from '../../store/store.ts'
import { type BatchReader, dealWithBatch, workspacesBehind } from './batch-reader.ts'

/** The pause in milliseconds after each transaction, for other writers. */
const pauseMs = 5

/**
 * Lets readers deal with all changes so far, a batch for each workspace in turn, until `signal` aborts. One workspace's failure does not keep
 * the others back: it is tried again after the next write. Returns whether there was anything to do.
 */
export async function catchUp(store: Store, readers: readonly BatchReader[], signal: AbortSignal): Promise<boolean> {
  let hasDone = false
  for (const reader of readers) {
    const behind = new Set(workspacesBehind(reader, store.access))
    hasDone ||= behind.size > 0
    for (const workspaceId of behind) {
      if (signal.aborted) return hasDone
      behind.delete(workspaceId)
      if (await dealWith(store, reader, workspaceId)) behind.add(workspaceId) // to its end: after the others
      await delay(pauseMs)
    }
  }
  return hasDone
}

/** Lets readers deal with changes at once, on the event loop: threads cannot share a database in memory. */
export function catchUpHere(store: Store, readers: readonly BatchReader[]): { stop(): Promise<void> } {
  const waiting = new Set(readers.flatMap((reader) => workspacesBehind(reader, store.access)))
  let running: Promise<void> | undefined
  let stopping = false
  store.listen(changed, wake)
  if (waiting.size > 0) running = run()
  return {
    async stop() {
      stopping = true
      await running
    },
  }

  function wake(workspaceId: number): void {
    if (stopping) return
    waiting.add(workspaceId)
    running ??= run()
  }

  async function run(): Promise<void> {
    for (const workspaceId of waiting) {
      waiting.delete(workspaceId)
      for (const reader of readers) while (!stopping && (await dealWith(store, reader, workspaceId)));
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
