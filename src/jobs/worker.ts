import { parentPort, workerData } from 'node:worker_threads'
import { minuteMs, systemClock } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import { logSync, noDurability } from '../store/durability.ts'
import { openConnection } from '../store/open.ts'
import { Store } from '../store/store.ts'
import { startBackups } from './backups.ts'
import { startCheckpoints } from './checkpoints.ts'
import { runBatch } from './run-batch.ts'
import { startSearchEntry } from './search-entry.ts'
import { sweep } from './sweep.ts'
import type { Order, Report, WorkerInput } from './work.ts'

// The worker thread: what may take long, on connections of its own.

const sweepEveryMs = 3_600_000
const busyTimeoutMs = 50
/** New rows touch few old pages: more would not make imports faster. */
const cacheKiB = 8_192

const { path, doubt, searched, backups, writeAsked, ...start } = workerData as WorkerInput
const db = openConnection(path, { busyTimeoutMs, synchronous: 'NORMAL', cacheKiB })
let { aheadMs } = start
let nowMs = 0
const clock = {
  /** The server's clock. It does not go back by what messages are late, but it does where the server's was set back. */
  now() {
    const serverMs = Date.now() + aheadMs
    nowMs = serverMs > nowMs - minuteMs ? Math.max(nowMs, serverMs) : serverMs
    return nowMs
  },
  elapsed: systemClock.elapsed,
}
const store = new Store({ db, clock, durability: noDurability })
const disk = logSync(path, doubt)

const running = [
  startCheckpoints(db, doubt),
  startSearchEntry(path, searched),
  ...(backups ? [startBackups(path, backups)] : []),
]
const timer = setInterval(sweepAll, sweepEveryMs)
sweepAll()

parentPort!.on('message', (order: Order) => (order === 'stop' ? stop() : importBatch(order)))

/** The next batch is ordered when this one is on the disk: the event loop's writes never wait for the pages of more than one. */
async function importBatch(order: Exclude<Order, 'stop'>): Promise<void> {
  aheadMs = order.aheadMs
  const turn = await runBatch(store, order.workspaceId, () => Atomics.load(writeAsked, 0) !== 0)
  Atomics.store(writeAsked, 0, 0)
  await disk.sync().catch((error) => log('a batch was not synced', errorFields(error)))
  report({ turn })
}

function sweepAll(): void {
  sweep(store).then(
    (unfinished) => report({ unfinished }),
    (error) => log('finished jobs were not removed', errorFields(error)),
  )
}

async function stop(): Promise<void> {
  clearInterval(timer)
  for (const each of running) each.stop()
  parentPort!.close()
  await disk.close()
  await store.close()
}

function report(message: Report): void {
  parentPort!.postMessage(message)
}
