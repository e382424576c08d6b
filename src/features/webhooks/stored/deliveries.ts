import { derivedUuid } from '../../../lib/generate-uuid.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { storable } from './responses.ts'

/** An attempt to deliver a change, as the delivery log shows it (decision H5). */
interface Attempt {
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
type DeliveryStatus = (typeof deliveryStatuses)[number]

/** The outcome of one attempt. */
export interface Outcome {
  /** The number of the change; negative for a ping. */
  number: number
  type: string
  /** The URL that was attempted; null: none was. */
  url: string | null
  attempt: Attempt
  status: DeliveryStatus
  /** The number of attempts, including this one, since the delivery or its replay began. */
  tries: number
  /** `Pending.asked` */
  asked: number
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
  /** How often it was asked for since the last outcome. A request that comes during an attempt is not answered by its outcome. */
  asked: number
}

/** The log keeps the newest attempts of each delivery. */
const attemptsKept = 20

/** Stores the outcome of an attempt. The first one creates the delivery. */
export function recordAttempt(tx: Writer, webhookId: string, outcome: Outcome): void {
  const { number, type, attempt, status, tries, asked, nextAtMs } = outcome
  const sql = `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, number, seq, type, status, tries, asked, attempts, next_at, created_at)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?, ?, ?, json_array(json(?)), ?, ?)
    ON CONFLICT (workspace_id, webhook_id, number) DO UPDATE SET tries = excluded.tries,
      status = iif(asked > excluded.asked, status, excluded.status),
      next_at = iif(asked > excluded.asked, next_at, excluded.next_at),
      asked = iif(asked > excluded.asked, asked, 0),
      attempts = json_insert(iif(json_array_length(attempts) < ${attemptsKept}, attempts, json_remove(attempts, '$[0]')),
        '$[#]', json(excluded.attempts ->> '$[0]'))`
  const shown = JSON.stringify({ ...attempt, response: storable(tx, number, attempt.response) })
  tx.run(
    sql,
    newDeliveryId(tx, webhookId, number),
    webhookId,
    number,
    seqOf(number),
    type,
    status,
    tries,
    asked,
    shown,
    nextAtMs,
    tx.now,
  )
}

/** Follows from what is delivered, because deliveries are stored in the order in which they end (decision I6). */
function newDeliveryId(tx: Writer, webhookId: string, number: number): string {
  return derivedUuid(Date.parse(tx.now), Math.abs(number), webhookId)
}

/** Stores a delivery that is due now. Returns its id. */
export function insertDue(tx: Writer, webhookId: string, number: number, type: string, nowMs: number): string {
  const id = newDeliveryId(tx, webhookId, number)
  const sql = `INSERT INTO webhook_delivery (workspace_id, id, webhook_id, number, seq, type, status, tries, attempts, next_at, created_at)
    VALUES (:workspace, ?, ?, ?, ?, ?, 'pending', 0, '[]', ?, ?)`
  tx.run(sql, id, webhookId, number, seqOf(number), type, nowMs, tx.now)
  return id
}

function seqOf(number: number): number | null {
  return number < 0 ? null : number
}

/** Attempts a delivery again, now. */
export function makeDue(tx: Writer, id: string, nowMs: number): void {
  const sql = `UPDATE webhook_delivery SET status = 'pending', next_at = ?, asked = asked + 1
    WHERE workspace_id = :workspace AND id = ?`
  tx.run(sql, nowMs, id)
}

/** The first failed delivery of a range. */
export function lookupFailed(
  reader: Reader,
  webhookId: string,
  { after, until }: { after: number; until: number },
): Pick<Pending, 'number' | 'type'> | undefined {
  const sql = `SELECT number, type FROM webhook_delivery INDEXED BY webhook_delivery_failed
    WHERE workspace_id = :workspace AND webhook_id = ? AND status = 'failed' AND number > ? AND number <= ?
    ORDER BY number LIMIT 1`
  return reader.row(sql, webhookId, after, until)
}

/** The deliveries of a webhook that are to be attempted again: the first ones to be due, or to be sent in order. */
export function listPending(reader: Reader, { id, ordered }: { id: string; ordered: boolean }, max: number): Pending[] {
  const sql = `SELECT number, type, tries AS attempts, next_at AS nextAtMs, asked
    FROM webhook_delivery INDEXED BY webhook_delivery_next_at
    WHERE workspace_id = :workspace AND webhook_id = ? AND next_at IS NOT NULL
    ORDER BY ${ordered ? 'number' : 'next_at'} LIMIT ?`
  return reader.rows<Pending>(sql, id, max)
}

/** The number of a new ping, which is no change: negative, and another one than those that were removed. */
export function nextPing(reader: Reader, webhookId: string, nowMs: number): number {
  const sql = 'SELECT min(number) FROM webhook_delivery WHERE workspace_id = :workspace AND webhook_id = ?'
  return Math.min((reader.value<number>(sql, webhookId) ?? 0) - 1, -nowMs)
}

/** The log entry of changes that were pruned before they could be delivered (decision G9). */
export function recordPruned(tx: Writer, webhookId: string, from: number, until: number): void {
  const error = `The changes from ${from} to ${until} were removed from the log before they could be delivered`
  const attempt: Attempt = { at: tx.now, status: null, ms: 0, response: null, error }
  const outcome = { status: 'failed', url: null, tries: 1, asked: 0, nextAtMs: null } as const
  recordAttempt(tx, webhookId, { ...outcome, number: until, type: 'log.pruned', attempt })
}
