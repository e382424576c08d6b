import { setTimeout as delay } from 'node:timers/promises'
import { listWorkspaceIds } from '../access/company.ts'
import { enterPending, type Searched, searchesDue } from '../engine/list/search.ts'
import { systemClock } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import { noDurability } from '../store/durability.ts'
import { openConnection } from '../store/open.ts'
import { Store } from '../store/store.ts'

/** In one transaction: other writers wait for so many. */
const enteredMax = 100
/** For the others, after each. */
const pauseMs = 5

const everyMs = 1_000
const cacheKiB = 8_192

/** Enters what waits as long as the server runs. */
export function startSearchEntry(path: string, searched: readonly Searched[]): { stop(): void } {
  const stopping = new AbortController()
  void keepEntered(path, searched, stopping.signal)
  return { stop: () => stopping.abort() }
}

async function keepEntered(path: string, searched: readonly Searched[], signal: AbortSignal): Promise<void> {
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
  const store = new Store({ db, clock: systemClock, durability: noDurability })
  let seen: unknown
  while (!signal.aborted) {
    const version = db.pragma('data_version', { simple: true }) // changes when another connection has written
    if (version !== seen) {
      seen = version
      await enterDue(store, searched, signal).catch((error) => {
        seen = undefined // what was not entered still waits: again, in a moment
        log('entering text for the search failed', errorFields(error), 'error')
      })
    }
    await delay(everyMs, undefined, { signal }).catch(() => {})
  }
  await store.close()
}

/** Enters what waits for the search, in every workspace where it is worth it, until nothing does or `signal` says stop. */
export async function enterDue(store: Store, searched: readonly Searched[], signal: AbortSignal): Promise<void> {
  for (const workspaceId of listWorkspaceIds(store.access)) {
    for (const each of searchesDue(searched, store.workspace(workspaceId))) {
      let entered = enteredMax
      while (entered === enteredMax && !signal.aborted) {
        entered = await store.write(workspaceId, (tx) => enterPending(each, tx, enteredMax))
        await delay(pauseMs)
      }
    }
  }
}
