import { parentPort, workerData } from 'node:worker_threads'
import { loggedResources } from '../features/index.ts'
import { Sender } from '../features/webhooks/sender/sender.ts'
import type { Report } from '../features/webhooks/stored/record-reports.ts'
import type { WebhookInput, WebhookOrder, WebhookReportBatch } from '../features/webhooks/thread-messages.ts'
import { attempt } from '../features/webhooks/transport/attempt.ts'
import { Destinations } from '../features/webhooks/transport/destinations.ts'
import { eventTypes } from '../features/webhooks/webhook.ts'
import { openReader } from '../store/open-reader.ts'
import { WorkspaceReader } from '../store/statements.ts'
import { team } from '../store/visibility.ts'

// The thread that sends webhooks. It only reads the database: the event loop stores what it reports.

const { path, allowed, dns, userAgent } = workerData as WebhookInput
const { db, statements } = openReader(path, { cacheKiB: 4_096 })
const destinations = new Destinations(allowed, { dns })
/** Reports that are sent together: each message would wake the event loop. */
const togetherMs = 5
let batch: { id: number; reports: Report[]; stored: Promise<void> } | undefined
/** What waits for reports to be stored, by their number. */
const unstored = new Map<number, () => void>()
let batches = 0

const sender = new Sender({
  resources: loggedResources,
  eventTypes,
  userAgent,
  read(workspaceId, run) {
    statements.control('BEGIN')
    try {
      return run(new WorkspaceReader(statements, workspaceId, { view: team }))
    } finally {
      statements.control('COMMIT')
    }
  },
  report(report) {
    batch ??= openBatch()
    batch.reports.push(report)
    return batch.stored
  },
  attempt: (delivery, signal) => attempt(delivery, destinations, { signal }),
  now: Date.now,
  random: Math.random,
})

parentPort!.on('message', (order: WebhookOrder) => {
  if (order === 'stop') void stop()
  else if ('load' in order) sender.load(order.load)
  else if ('changed' in order) sender.changed(order.changed, order.newest)
  else {
    unstored.get(order.stored)?.()
    unstored.delete(order.stored)
  }
})

function openBatch() {
  const id = ++batches
  setTimeout(sendBatch, togetherMs)
  return { id, reports: [], stored: new Promise<void>((resolve) => unstored.set(id, resolve)) }
}

function sendBatch(): void {
  if (!batch) return
  const { id, reports } = batch
  batch = undefined
  parentPort!.postMessage({ id, reports } satisfies WebhookReportBatch)
}

async function stop(): Promise<void> {
  await sender.stop()
  sendBatch()
  await destinations.close()
  parentPort!.close()
  db.close()
}
