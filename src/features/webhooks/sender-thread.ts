import type { DoneQueue } from '../../changes/readers/done-queue.ts'
import type { LogConsumer } from '../../changes/readers/log-reader.ts'
import { errorFields, log } from '../../lib/log.ts'
import { Thread } from '../../lib/thread.ts'
import { startThread } from '../../packaging/embedded.ts'
import type { Report } from './stored/record-reports.ts'
import type { WebhookInput, WebhookOrder, WebhookReportBatch } from './thread-messages.ts'

/** `onEnd` is called when the thread has ended. */
export function startSenderThread(input: WebhookInput, reports: DoneQueue<Report>, onEnd: () => void): LogConsumer {
  const thread = start()
  return {
    changed: (changed, newest) => thread?.post({ changed, newest }),
    load: (load) => thread?.post({ load }),
    async stop() {
      await thread?.end('stop')
    },
  }

  function start(): Thread<WebhookOrder, WebhookReportBatch> | undefined {
    try {
      return new Thread(startThread('webhook-thread', input), { onReport: store, onError: failed, onExit: onEnd })
    } catch (error) {
      failed(error)
      setImmediate(onEnd)
      return undefined
    }
  }

  function store({ id, reports: batch }: WebhookReportBatch): void {
    void Promise.all(batch.map((report) => reports.add(report))).then(() => thread?.post({ stored: id }))
  }

  function failed(error: unknown): void {
    log('the thread that sends webhooks failed', errorFields(error), 'error')
  }
}
