import type { LogReader } from '../../changes/readers/log-reader.ts'
import { visibilityChanged } from '../../crm/message-rules.ts'
import { errorFields, log } from '../../lib/log.ts'
import { isPassing } from '../../store/constraint.ts'
import type { Writer } from '../../store/reader.ts'
import { type Report, recordReports } from './stored/record-reports.ts'
import { includesWebhooks, positionsSql } from './stored/webhook-state.ts'
import { webhook, webhooksChanged } from './webhook.ts'

/** Sends changes to webhooks. Each webhook has a position, so one that is down does not keep the others back. */
export const webhookReader: LogReader<Report> = {
  name: 'webhooks',
  changed: [webhooksChanged, visibilityChanged],
  positions: positionsSql,
  isRead: includesWebhooks,
  store(tx, reports) {
    for (const own of Map.groupBy(reports, ({ webhookId }) => webhookId).values()) record(tx, own)
  },
}

/** What cannot be stored at all does not keep the others back. */
function record(tx: Writer, reports: readonly Report[]): void {
  try {
    tx.attempt(() => recordReports(webhook, tx, reports))
  } catch (error) {
    if (isPassing(error)) throw error
    log('a delivery of a webhook could not be stored', errorFields(error), 'error')
  }
}
