import { indexingDue } from '../../engine/records/declared/declare.ts'
import { errorFields, log } from '../../lib/log.ts'
import type { Store } from '../../store/store.ts'
import { lookupBatch } from './batch.ts'
import { failJob, jobQueued } from './job.ts'
import type { Turn } from './run-batch.ts'

/** A job fails after this many failed attempts at one batch. */
const attemptsMax = 3

export interface Turns {
  /** Gives the workspace turns until it has no more work. */
  add(workspaceId: number): void
  /** Resolves when no workspace has work, except those whose last batch has failed. */
  idle(): Promise<void>
  /** Resolves when the current batch has ended. */
  stop(): Promise<void>
}

/** Does one batch of work for each workspace in turn, so that no workspace waits for another's queue. `run` does a batch. */
export function takeTurns(store: Store, run: (workspaceId: number) => Promise<Turn>, retryMs = 1_000): Turns {
  const waiting = new Set<number>() // in the order of their turns
  const resting = new Set<number>() // after a batch that failed
  const broken = new Map<number, number>()
  let running: Promise<void> | undefined
  let stopping = false
  store.listen(jobQueued, add)
  store.listen(indexingDue, add)
  return {
    add,
    async idle() {
      while (running) await running
    },
    async stop() {
      stopping = true
      await running
    },
  }

  function add(workspaceId: number): void {
    if (stopping || resting.has(workspaceId)) return
    waiting.add(workspaceId)
    running ??= runAll()
  }

  async function runAll(): Promise<void> {
    for (const workspaceId of waiting) {
      if (stopping) break
      waiting.delete(workspaceId)
      settle(workspaceId, await run(workspaceId))
      await store.letWritesPass()
    }
    running = undefined
  }

  function settle(workspaceId: number, turn: Turn): void {
    if (turn === 'imported') {
      waiting.delete(workspaceId) // a new job must not move the workspace forward
      waiting.add(workspaceId)
    }
    if (turn === 'broken') broken.set(workspaceId, (broken.get(workspaceId) ?? 0) + 1)
    else if (turn !== 'unavailable') broken.delete(workspaceId)
    if (turn === 'broken' || turn === 'unavailable') rest(workspaceId)
  }

  function rest(workspaceId: number): void {
    waiting.delete(workspaceId)
    resting.add(workspaceId)
    setTimeout(() => wake(workspaceId), retryMs).unref()
  }

  async function wake(workspaceId: number): Promise<void> {
    if (stopping) return
    if ((broken.get(workspaceId) ?? 0) >= attemptsMax) {
      broken.delete(workspaceId)
      await giveUp(store, workspaceId).catch((error) =>
        log('a broken job was not marked as failed', errorFields(error)),
      )
    }
    resting.delete(workspaceId)
    add(workspaceId)
  }
}

/** Ends the workspace's oldest job as failed (decision D7). */
function giveUp(store: Store, workspaceId: number): Promise<void> {
  return store.write(workspaceId, (tx) => {
    const batch = lookupBatch(tx)
    if (batch) failJob(tx, batch.job_id, 'The import failed unexpectedly')
  })
}
