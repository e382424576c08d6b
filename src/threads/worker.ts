import { parentPort, workerData } from 'node:worker_threads'
import { CatchUp } from '../changes/readers/keep-up.ts'
import { openContents } from '../content/open.ts'
import { startBackups } from '../features/backups/backups.ts'
import { runBatch } from '../features/imports/run-batch.ts'
import { batchReaders, logged } from '../features/index.ts'
import { errorFields, log } from '../lib/log.ts'
import { SteadyTime } from '../lib/steady-time.ts'
import { changed } from '../store/change-log.ts'
import { diskFaultOf } from '../store/constraint.ts'
import type { DiskWatch } from '../store/disk-state.ts'
import { logSync, noDurability } from '../store/durability.ts'
import { ErasureWatch } from '../store/erasure-watch.ts'
import { erasuresReader } from '../store/erasures.ts'
import { openConnection } from '../store/open.ts'
import { Store } from '../store/store.ts'
import { startAfterWrites } from './after-writes.ts'
import { startCheckpoints } from './checkpoints.ts'
import { startSearchEntry } from './search-entry.ts'
import { serverClock } from './server-clock.ts'
import { newestChangeMs, pruneLogs, sweep } from './sweep.ts'
import type { Order, Report, WorkerInput } from './work.ts'

// The worker thread: imports, checkpoints, backups and other long work, on connections of its own.

const sweepEveryMs = 3_600_000
const busyTimeoutMs = 50
/** A larger cache would not make imports faster: new rows touch few old pages. */
const cacheKiB = 8_192

const { path, logState, searched, backups, contents, changesKeepMs, checkpoints, writeAsked, ...start } =
  workerData as WorkerInput
const db = openConnection(path, { busyTimeoutMs, synchronous: 'NORMAL', cacheKiB })
const clock = serverClock(start.aheadMs)
const disk: DiskWatch = {
  note(error) {
    const diskFault = diskFaultOf(error, path)
    if (diskFault) report({ diskFault })
  },
}
const store = new Store({ db, clock, durability: noDurability, disk })
const syncing = logSync(path, logState)
/** The workspaces whose changes have not been reported. */
const unreported = new Set<number>()
store.listen(changed, (workspaceId) => unreported.add(workspaceId))

const backing =
  backups && startBackups({ path, contents: openContents(contents!) }, backups, (state) => report({ backups: state }))
const running = [
  ...(checkpoints
    ? [startCheckpoints(db, logState, new ErasureWatch(erasuresReader(db)), (erasures) => report({ erasures }))]
    : []),
  startSearchEntry(path, searched, disk),
  startAfterWrites(path, {
    purpose: 'reading the log',
    everyMs: 250,
    disk,
    begin: (ownStore) => {
      const catchUp = new CatchUp(ownStore, batchReaders)
      return (signal) => catchUp.run(signal, () => report({ changed: [] })) // so that followers see it, too
    },
  }),
  ...(backing ? [backing] : []),
]
let steadyTime: SteadyTime | undefined
const stopping = new AbortController()
const timer = setInterval(sweepAll, sweepEveryMs)
let sweeping: Promise<void> | undefined
sweepAll()

parentPort!.on('message', (order: Order) => {
  if (order === 'stop') return stop()
  return order === 'back up' ? backing?.makeNow() : importBatch(order)
})

/** Reports the batch when it is on disk, so that the sync of other writes waits for the pages of one batch at most. */
async function importBatch(order: Exclude<Order, string>): Promise<void> {
  clock.aheadMs = order.aheadMs
  const turn = await runBatch(store, logged, order.workspaceId, () => Atomics.load(writeAsked, 0) !== 0)
  Atomics.store(writeAsked, 0, 0)
  await syncChanges()
  report({ turn })
}

/** Reports the changes, too, so that the readers that wait for them are woken. */
async function syncChanges(): Promise<void> {
  const workspaceIds = [...unreported]
  unreported.clear()
  await syncing.sync().catch((error) => {
    disk.note(error)
    log('changes were not synced', errorFields(error))
  })
  if (workspaceIds.length > 0) report({ changed: workspaceIds })
}

function sweepAll(): void {
  sweeping ??= sweepOnce()
    .catch((error) => log('finished jobs or old changes were not removed', errorFields(error), 'error'))
    .finally(() => {
      sweeping = undefined
    })
}

async function sweepOnce(): Promise<void> {
  steadyTime ??= new SteadyTime(clock, await newestChangeMs(store))
  const options = { nowMs: steadyTime.next(), signal: stopping.signal }
  report({ unfinished: await sweep(store, options) })
  if (changesKeepMs !== undefined) await pruneLogs(store, changesKeepMs, options)
}

async function stop(): Promise<void> {
  clearInterval(timer)
  stopping.abort()
  await Promise.all(running.map((each) => each.stop()))
  await sweeping
  parentPort!.close()
  await syncing.close()
  await store.close()
}

function report(message: Report): void {
  parentPort!.postMessage(message)
}
