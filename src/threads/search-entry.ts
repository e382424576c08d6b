import { setTimeout as delay } from 'node:timers/promises'
import { listWorkspaceIds } from '../access/company.ts'
import { enterPending, enterStarts, lacksStarts, type Searched, searchesDue } from '../engine/finding/list/search.ts'
import { findEntries, listErased, piecesSql, removeErased } from '../engine/finding/list/search-erasure.ts'
import { Retries } from '../lib/retries.ts'
import { WorkspaceFailures } from '../lib/workspace-failures.ts'
import { lacksSpace } from '../store/constraint.ts'
import type { DiskWatch } from '../store/disk-state.ts'
import { noteUnindexed, readErasures } from '../store/erasures.ts'
import type { Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { startAfterWrites } from './after-writes.ts'

/** The maximum number of records for each transaction: other writers wait for its end. */
const enteredMax = 100
/** The same for only the beginnings of words, which are fewer pieces. */
const startedMax = 500
/** The pause in milliseconds after each transaction, for other writers. */
const pauseMs = 5

/** Adds pending text to the search index until it is stopped. `disk` takes notice of the errors of its writes. */
export function startSearchEntry(path: string, searched: readonly Searched[], disk: DiskWatch): { stop(): void } {
  return startAfterWrites(path, {
    purpose: 'updating the search index',
    everyMs: 1_000,
    disk,
    prepare: (db) => db.exec(piecesSql),
    begin(store, lookAgain) {
      const retries = new Retries<number>()
      return (signal) => updateSearch(store, searched, { signal, retries, lookAgain })
    },
  })
}

interface Updating {
  signal: AbortSignal
  /** The workspaces that could not be updated. */
  retries: Retries<number>
  /** Called when one of them is to be updated again. */
  lookAgain(): void
}

/** Does the work in one workspace. Returns whether it has succeeded, or throws. */
type Attempt = (workspaceId: number, work: () => Promise<void>) => Promise<boolean>

/** Updates the search index of all workspaces. One that fails does not keep the others back. */
export async function updateSearch(
  store: Store,
  searched: readonly Searched[],
  { signal, retries, lookAgain }: Updating,
): Promise<void> {
  const failures = new WorkspaceFailures()
  const attempt: Attempt = async (workspaceId, work) => {
    if (retries.waits(workspaceId)) return false
    try {
      await work()
      return true
    } catch (error) {
      if (lacksSpace(error)) throw error // the others would fail alike
      failures.note(workspaceId, error)
      retries.fail(workspaceId, lookAgain)
      return false
    }
  }
  try {
    await forgetErased(store, searched, signal, attempt)
    await enterDue(store, searched, signal, async (workspaceId, work) => {
      const isDone = await attempt(workspaceId, work)
      if (isDone) retries.succeed(workspaceId)
      return isDone
    })
  } finally {
    failures.log('updating the search index failed')
  }
}

/** Removes what the search index has of erased records, if any has been erased since the last time. */
async function forgetErased(
  store: Store,
  searched: readonly Searched[],
  signal: AbortSignal,
  attempt: Attempt,
): Promise<void> {
  const { erased, unindexed } = readErasures(store.access)
  if (erased === unindexed) return
  let isComplete = true
  for (const workspaceId of listWorkspaceIds(store.access)) {
    const isDone = await attempt(workspaceId, () => forgetErasedOf(store, searched, workspaceId, signal))
    if (signal.aborted) return
    isComplete &&= isDone
  }
  if (isComplete) await store.writeUsage((tx) => noteUnindexed(tx, erased))
}

async function forgetErasedOf(
  store: Store,
  searched: readonly Searched[],
  workspaceId: number,
  signal: AbortSignal,
): Promise<void> {
  const reader = store.workspace(workspaceId)
  for (const each of searched) {
    for (let ids = listErased(each, reader); ids.length > 0; ids = listErased(each, reader)) {
      const entries = await findEntries(reader, ids, () => delay(pauseMs))
      if (signal.aborted) return
      await store.write(workspaceId, (tx) => removeErased(tx, each.name, ids, entries))
    }
  }
}

/**
 * Adds pending text to the search index, in every workspace with enough of it, and what an upgrade has left to add, until none is left or
 * `signal` aborts.
 */
export async function enterDue(
  store: Store,
  searched: readonly Searched[],
  signal: AbortSignal,
  attempt: Attempt = (_, work) => work().then(() => true),
): Promise<void> {
  for (const workspaceId of listWorkspaceIds(store.access)) {
    await attempt(workspaceId, async () => {
      const reader = store.workspace(workspaceId)
      for (const each of searchesDue(searched, reader)) {
        await untilNone((tx) => enterPending(each, tx, enteredMax), store, workspaceId, signal)
      }
      for (const each of searched.filter(({ name }) => lacksStarts(reader, name))) {
        await untilNone((tx) => enterStarts(each, tx, startedMax), store, workspaceId, signal)
      }
    })
  }
}

/** Repeats a part of the work, each time in a transaction, until none is left or `signal` aborts. */
async function untilNone(
  enter: (tx: Writer) => number,
  store: Store,
  workspaceId: number,
  signal: AbortSignal,
): Promise<void> {
  let entered = 1
  while (entered > 0 && !signal.aborted) {
    entered = await store.write(workspaceId, enter)
    await delay(pauseMs)
  }
}
