import { setTimeout as delay } from 'node:timers/promises'
import { listWorkspaceIds } from '../access/company.ts'
import { enterPending, enterStarts, lacksStarts, type Searched, searchesDue } from '../engine/finding/list/search.ts'
import { findEntries, listErased, piecesSql, removeErased } from '../engine/finding/list/search-erasure.ts'
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
    begin: (store) => (signal) => update(store, searched, signal),
  })
}

async function update(store: Store, searched: readonly Searched[], signal: AbortSignal): Promise<void> {
  await forgetErased(store, searched, signal)
  await enterDue(store, searched, signal)
}

/** Removes what the search index has of erased records, if any has been erased since the last time. */
async function forgetErased(store: Store, searched: readonly Searched[], signal: AbortSignal): Promise<void> {
  const { erased, unindexed } = readErasures(store.access)
  if (erased === unindexed) return
  for (const workspaceId of listWorkspaceIds(store.access)) {
    const reader = store.workspace(workspaceId)
    for (const each of searched) {
      for (let ids = listErased(each, reader); ids.length > 0; ids = listErased(each, reader)) {
        const entries = await findEntries(reader, ids, () => delay(pauseMs))
        if (signal.aborted) return
        await store.write(workspaceId, (tx) => removeErased(tx, each.name, ids, entries))
      }
    }
  }
  await store.writeUsage((tx) => noteUnindexed(tx, erased))
}

/**
 * Adds pending text to the search index, in every workspace with enough of it, and what an upgrade has left to add, until none is left or
 * `signal` aborts.
 */
export async function enterDue(store: Store, searched: readonly Searched[], signal: AbortSignal): Promise<void> {
  for (const workspaceId of listWorkspaceIds(store.access)) {
    const reader = store.workspace(workspaceId)
    for (const each of searchesDue(searched, reader)) {
      await untilNone((tx) => enterPending(each, tx, enteredMax), store, workspaceId, signal)
    }
    for (const each of searched.filter(({ name }) => lacksStarts(reader, name))) {
      await untilNone((tx) => enterStarts(each, tx, startedMax), store, workspaceId, signal)
    }
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
