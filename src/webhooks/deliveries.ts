import type { Reader, Writer } from '../store/reader.ts'

/** An attempt to deliver a change, as the delivery log shows it (decision H5). */
export interface Attempt {
  /** When it began. */
  at: string
  /** The status of the response; null if there was none. */
  status: number | null
  ms: number
  /** The first 2 KiB of the response's body. */
  response: string | null
  /** Why there was no response. */
  error: string | null
}

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The outcome of one attempt. */
export interface Outcome {
  /** The number of the change; negative for a ping. */
  number: number
  type: string
  attempt: Attempt
  status: DeliveryStatus
  /** When the next attempt is due; null: there is none. */
  nextAtMs: number | null
}

/** A delivery that is to be attempted again. */
export interface Pending {
  number: number
  type: string
  /** The number of attempts that have been made. */
  attempts: number
  nextAtMs: number
}

/** The log keeps the newest attempts of each delivery. */
const attemptsKept = 20

/** Stores the outcome of an attempt. The first one creates the delivery. */
export function recordAttempt(
  tx: Writer,
  webhookId: string,
  { number, type, attempt, status, nextAtMs }: Outcome,
): void {
  const sql = `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, number, seq, type, status, tries, attempts, next_at, created_at)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?, 1, json_array(json(?)), ?, ?)
    ON CONFLICT (workspace_id, webhook_id, number) DO UPDATE SET
      status = excluded.status, next_at = excluded.next_at, tries = tries + 1,
      attempts = json_insert(iif(json_array_length(attempts) < ${attemptsKept}, attempts, json_remove(attempts, '$[0]')),
        '$[#]', json(excluded.attempts ->> '$[0]'))`
  const seq = number < 0 ? null : number
  tx.run(sql, tx.newId(), webhookId, number, seq, type, status, JSON.stringify(attempt), nextAtMs, tx.now)
}

/** Stores a delivery that is due now, unless there is one. Returns its id. */
export function insertDue(tx: Writer, webhookId: string, number: number, type: string, nowMs: number): string {
  const id = tx.newId()
  const sql = `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, number, seq, type, status, tries, attempts, next_at, created_at)
    VALUES (:workspace, ?, ?, ?, ?, ?, 'pending', 0, '[]', ?, ?)`
  tx.run(sql, id, webhookId, number, number < 0 ? null : number, type, nowMs, tx.now)
  return id
}

/** Attempts a delivery again, now. */
export function makeDue(tx: Writer, id: string, nowMs: number): void {
  const sql = "UPDATE webhook_delivery SET status = 'pending', next_at = ? WHERE workspace_id = :workspace AND id = ?"
  tx.run(sql, nowMs, id)
}

/** Attempts the failed deliveries of a range again, now. */
export function makeFailedDue(tx: Writer, webhookId: string, after: number, until: number, nowMs: number): void {
  const sql = `UPDATE webhook_delivery SET status = 'pending', next_at = ?
    WHERE workspace_id = :workspace AND webhook_id = ? AND number > ? AND number <= ? AND status = 'failed'`
  tx.run(sql, nowMs, webhookId, after, until)
}

/** The deliveries of a webhook that are to be attempted again, in the order in which they are due. */
export function listPending(reader: Reader, webhookId: string, max: number): Pending[] {
  const sql = `SELECT number, type, tries AS attempts, next_at AS nextAtMs
    FROM webhook_delivery INDEXED BY webhook_delivery_next_at
    WHERE workspace_id = :workspace AND webhook_id = ? AND next_at IS NOT NULL ORDER BY next_at LIMIT ?`
  return reader.rows<Pending>(sql, webhookId, max)
}

/** The number of a new ping, which is no change: negative, and another one than those that were removed. */
export function nextPing(reader: Reader, webhookId: string, nowMs: number): number {
  const sql = 'SELECT min(number) FROM webhook_delivery WHERE workspace_id = :workspace AND webhook_id = ?'
  return Math.min((reader.value<number>(sql, webhookId) ?? 0) - 1, -nowMs)
}

/** The maximum number of deliveries that a transaction removes. */
const removedMax = 500

/** Removes deliveries that began before a moment and are over (decision H5). */
export function removeDeliveries(tx: Writer, before: string): void {
  const sql = `DELETE FROM webhook_delivery WHERE workspace_id = :workspace AND id IN (
    SELECT id FROM webhook_delivery WHERE workspace_id = :workspace AND next_at IS NULL AND created_at < ? LIMIT ${removedMax})`
  tx.run(sql, before)
}

export function hasDeliveries(reader: Reader, before: string): boolean {
  const sql = `SELECT 1 FROM webhook_delivery
    WHERE workspace_id = :workspace AND next_at IS NULL AND created_at < ? LIMIT 1`
  return reader.value(sql, before) !== undefined
}

/** The log entry of changes that were pruned before they could be delivered (decision G9). */
export function recordPruned(tx: Writer, webhookId: string, from: number, until: number): void {
  const error = `The changes from ${from} to ${until} were removed from the log before they could be delivered`
  const attempt: Attempt = { at: tx.now, status: null, ms: 0, response: null, error }
  recordAttempt(tx, webhookId, { number: until, type: 'log.pruned', attempt, status: 'failed', nextAtMs: null })
}
