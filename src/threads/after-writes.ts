import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../lib/clock.ts'
import { type DiskWatch, logUnlessFull } from '../store/disk-state.ts'
import { noDurability } from '../store/durability.ts'
import { type Connection, openConnection } from '../store/open.ts'
import { Store } from '../store/store.ts'

const cacheKiB = 8_192

interface AfterWrites {
  /** For the log: `updating the search index`. */
  purpose: string
  everyMs: number
  /** Takes notice of the errors of its writes. */
  disk: DiskWatch
  prepare?: (db: Connection) => void
  /** Returns what is done each time. After a call of `lookAgain` it is done again, also if no other connection has written. */
  begin: (store: Store, lookAgain: () => void) => (signal: AbortSignal) => Promise<void>
}

/** Does something on a connection of its own each time another connection has written, until it is stopped. What fails is tried again. */
export function startAfterWrites(path: string, given: AfterWrites): { stop(): void } {
  const stopping = new AbortController()
  void keepRunning(path, given, stopping.signal)
  return { stop: () => stopping.abort() }
}

async function keepRunning(
  path: string,
  { purpose, everyMs, disk, prepare, begin }: AfterWrites,
  signal: AbortSignal,
): Promise<void> {
  const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
  prepare?.(db)
  const store = new Store({ db, clock: systemClock, durability: noDurability, disk })
  const dataVersion = db.prepare('PRAGMA data_version').pluck() // it changes when another connection has written
  let seen: unknown
  const lookAgain = () => {
    seen = undefined
  }
  const run = begin(store, lookAgain)
  const look = async () => {
    const version = dataVersion.get()
    if (version === seen) return
    seen = version
    await run(signal)
  }
  while (!signal.aborted) {
    await look().catch((error) => {
      lookAgain()
      logUnlessFull(`${purpose} failed`, error)
    })
    await delay(everyMs, undefined, { signal }).catch(() => {})
  }
  await store.close()
}
