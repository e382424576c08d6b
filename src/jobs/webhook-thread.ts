import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from '../store/open.ts'
import { Statements, WorkspaceReader } from '../store/statements.ts'
import { attempt } from '../webhooks/attempt.ts'
import { Destinations } from '../webhooks/destinations.ts'
import { Sender } from '../webhooks/sender.ts'
import { commonSurroundings, type WebhookInput, type WebhookOrder, type WebhookReport } from './webhook-messages.ts'

// The thread that sends webhooks. It only reads the database: the event loop stores what it reports.

const cacheKiB = 4_096

const { path, allowed, userAgent } = workerData as WebhookInput
const db = openConnection(path, { busyTimeoutMs: 5_000, synchronous: 'NORMAL', cacheKiB })
db.pragma('query_only = ON')
const statements = new Statements(db, () => {})
const destinations = new Destinations(allowed)
/** What waits for a report to be stored, by its number. */
const unstored = new Map<number, () => void>()
let reports = 0

const sender = new Sender({
  ...commonSurroundings,
  userAgent,
  read(workspaceId, run) {
    statements.control('BEGIN')
    try {
      return run(new WorkspaceReader(statements, workspaceId))
    } finally {
      statements.control('COMMIT')
    }
  },
  report(report) {
    const id = ++reports
    parentPort!.postMessage({ id, report } satisfies WebhookReport)
    return new Promise((resolve) => unstored.set(id, resolve))
  },
  attempt: (delivery, signal) => attempt(delivery, destinations, { signal }),
  now: Date.now,
})
sender.start()

parentPort!.on('message', (order: WebhookOrder) => {
  if (order === 'stop') void stop()
  else if ('load' in order) sender.load(order.load)
  else if ('changed' in order) sender.changed(order.changed, order.newest)
  else {
    unstored.get(order.stored)?.()
    unstored.delete(order.stored)
  }
})

async function stop(): Promise<void> {
  await sender.stop()
  await destinations.close()
  parentPort!.close()
  db.close()
}
