import type { Worker } from 'node:worker_threads'
import { errorFields, log } from '../lib/log.ts'
import { startThread } from '../packaging/embedded.ts'
import type { WebhookInput, WebhookOrder, WebhookReportBatch } from './webhook-messages.ts'
import type { WebhookReports } from './webhook-reports.ts'

/** A sender on this thread or on another one. */
export interface Told {
  changed(workspaceId: number, newest: number): void
  load(workspaceId: number): void
  stop(): Promise<void>
}

/** `onEnd` is called when the thread has ended. */
export function startSenderThread(input: WebhookInput, reports: WebhookReports, onEnd: () => void): Told {
  let worker: Worker | undefined
  try {
    worker = startThread('webhook-thread', input)
  } catch (error) {
    failed(error)
    setImmediate(onEnd)
  }
  worker?.on('message', ({ id, reports: batch }: WebhookReportBatch) => {
    void Promise.all(batch.map((report) => reports.add(report))).then(() => send({ stored: id }))
  })
  worker?.on('error', failed)
  worker?.on('exit', () => {
    worker = undefined
    onEnd()
  })
  return {
    changed: (changed, newest) => send({ changed, newest }),
    load: (load) => send({ load }),
    async stop() {
      if (!worker) return
      const exited = new Promise((resolve) => worker!.once('exit', resolve))
      send('stop')
      await exited
    },
  }

  function send(order: WebhookOrder): void {
    worker?.postMessage(order)
  }

  function failed(error: unknown): void {
    log('the thread that sends webhooks failed', errorFields(error), 'error')
  }
}
