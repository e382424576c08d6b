import type { Resource } from '../../../engine/records/definition/resource.ts'
import { noteRow } from '../../../engine/records/rows/rows.ts'
import { update } from '../../../engine/records/rows/write.ts'
import { dayMs, timestamp } from '../../../lib/clock.ts'
import type { Writer } from '../../../store/reader.ts'
import { type Outcome, recordAttempt, recordPruned } from './deliveries.ts'
import { type Replay, setFailures, storeReplay } from './webhook-state.ts'

/** What a webhook has done: to be stored together, in the order of the reports. */
export interface Report {
  workspaceId: number
  webhookId: string
  position: number
  /** The rest of the range that is delivered again; undefined: it is as before. */
  replay: Replay | undefined
  outcome: Outcome | undefined
  /** The changes that were pruned before they could be delivered. */
  pruned: { from: number; until: number } | undefined
}

/** A webhook is made inactive after this time without a success, and at least as many failed attempts (decision H4). */
const failingMsMax = 5 * dayMs
const failuresMin = 20
/** How exact `last_success_at` is. */
const noteEveryMs = 1_000

interface Health {
  is_active: 0 | 1
  failing_since: string | null
  last_success_at: string | null
  failures: number
}

/** Stores what a webhook has done, oldest first: attempts, its position and its health. */
export function recordReports(webhook: Resource, tx: Writer, reports: readonly Report[]): void {
  const { webhookId, position } = reports.at(-1)!
  const moved = `UPDATE webhook_state SET position = max(position, ?) WHERE workspace_id = :workspace AND webhook_id = ?`
  tx.run(moved, position, webhookId)
  const replay = reports.findLast((report) => report.replay)?.replay
  if (replay) storeReplay(tx, webhookId, replay)
  for (const { pruned } of reports) if (pruned) recordPruned(tx, webhookId, pruned.from, pruned.until)
  const outcomes = reports.flatMap(({ outcome }) => outcome ?? [])
  for (const outcome of outcomes) recordAttempt(tx, webhookId, outcome)
  // Between two successes of a URL, the health is that of the later one.
  const isLast = ({ status, url }: Outcome, at: number) =>
    status !== 'succeeded' || outcomes[at + 1]?.status !== 'succeeded' || outcomes[at + 1]?.url !== url
  for (const outcome of outcomes.filter(isLast)) recordHealth(webhook, tx, webhookId, outcome)
}

/** What a former URL has done says nothing about the present one. */
function recordHealth(webhook: Resource, tx: Writer, id: string, { url, attempt, status }: Outcome): void {
  const sql = `SELECT is_active, failing_since, last_success_at, failures FROM webhook
    JOIN webhook_state ON webhook_state.workspace_id = webhook.workspace_id AND webhook_id = webhook.id
    WHERE webhook.workspace_id = :workspace AND webhook.id = ? AND url = ? AND deleted_at IS NULL`
  const health = tx.row<Health>(sql, id, url)
  if (!health) return
  if (status === 'succeeded') {
    if (health.failures > 0) setFailures(tx, id, 0)
    if (health.failing_since === null && isRecent(tx, health.last_success_at)) return
    noteRow(webhook, tx, id, { failing_since: null, last_success_at: tx.now })
    return
  }
  const since = health.failing_since ?? tx.now
  const failures = health.failures + 1
  setFailures(tx, id, failures)
  if (health.failing_since === null) noteRow(webhook, tx, id, { failing_since: since })
  if (!health.is_active) return
  if (attempt.status === 410) disable(webhook, tx, id, 'The receiver responded with 410 Gone')
  else if (failures >= failuresMin && Date.parse(tx.now) - Date.parse(since) >= failingMsMax) {
    disable(webhook, tx, id, `No delivery has succeeded since ${timestamp(Date.parse(since))}, in ${failures} attempts`)
  }
}

/** A webhook that delivers all the time is written once in a while: each time would be a statement for each delivery. */
function isRecent({ now }: Writer, time: string | null): boolean {
  return time !== null && Math.abs(Date.parse(now) - Date.parse(time)) < noteEveryMs
}

/** Makes a webhook inactive. The response to GET says why. */
export function disable(webhook: Resource, tx: Writer, id: string, reason: string): void {
  update(webhook, tx, id, { is_active: 0, disabled_at: tx.now, disabled_reason: reason })
}
