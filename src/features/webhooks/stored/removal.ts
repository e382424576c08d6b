import { firstUuidAt } from '../../../lib/uuid.ts'
import { noteErasure } from '../../../store/erasures.ts'
import type { Reader, Writer } from '../../../store/reader.ts'

/** The maximum number of deliveries that a transaction removes, so that other writes do not wait for long. */
const removedMax = 200

/** Whether deliveries can be removed that began before a moment (decision H5). */
export function hasOldDeliveries(reader: Reader, beforeMs: number): boolean {
  const sql = `SELECT 1 FROM webhook_delivery WHERE workspace_id = :workspace AND ${oldSql} LIMIT 1`
  return reader.value(sql, firstUuidAt(beforeMs)) !== undefined
}

export function removeOldDeliveries(tx: Writer, beforeMs: number): void {
  const sql = `DELETE FROM webhook_delivery WHERE workspace_id = :workspace AND id IN (
    SELECT id FROM webhook_delivery WHERE workspace_id = :workspace AND ${oldSql} LIMIT ${removedMax})`
  tx.run(sql, firstUuidAt(beforeMs))
}

/** A delivery that waits for another attempt stays as long as its webhook is active. */
const oldSql = `id < ? AND (next_at IS NULL OR NOT EXISTS (
  SELECT 1 FROM webhook WHERE webhook.workspace_id = :workspace AND webhook.id = webhook_id
    AND webhook.deleted_at IS NULL AND is_active = 1))`

/** Removes the secrets of a webhook, and some of what it has sent. Returns whether there is more, which `removeErased` removes. */
export function removeState(tx: Writer, id: string): boolean {
  tx.run('DELETE FROM webhook_state WHERE workspace_id = :workspace AND webhook_id = ?', id)
  return removeErased(tx)
}

/** Removes some deliveries of webhooks that have been erased. Returns whether there are more. */
export function removeErased(tx: Writer): boolean {
  const id = lookupErased(tx)
  if (id === undefined) return false
  const sql = `DELETE FROM webhook_delivery WHERE workspace_id = :workspace AND id IN (
    SELECT id FROM webhook_delivery WHERE workspace_id = :workspace AND webhook_id = ? AND deleted_at IS NULL
    LIMIT ${removedMax})`
  tx.run(sql, id)
  noteErasure(tx.access)
  return hasErased(tx)
}

/** Whether there are deliveries of webhooks that have been erased. */
export function hasErased(reader: Reader): boolean {
  return lookupErased(reader) !== undefined
}

/** A webhook that has been erased, so it has no state, and still has deliveries. */
function lookupErased(reader: Reader): string | undefined {
  const sql = `SELECT id FROM webhook WHERE workspace_id = :workspace AND deleted_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM webhook_state AS kept WHERE kept.workspace_id = :workspace AND kept.webhook_id = webhook.id)
    AND EXISTS (SELECT 1 FROM webhook_delivery AS sent INDEXED BY webhook_delivery_webhook_id
      WHERE sent.workspace_id = :workspace AND sent.webhook_id = webhook.id AND sent.deleted_at IS NULL) LIMIT 1`
  return reader.value<string>(sql)
}
