import type { Writer } from '../../store/reader.ts'
import type { Delivered, Door } from './delivery.ts'
import type { MailPlace } from './lookup-address.ts'

/** How many deliveries a workspace remembers. */
const deliveriesKept = 1_000

/** Notes what became of a message at an address. Sender and subject are those of the message, as long as it exists (decision P9). */
export function logDelivery(tx: Writer, door: Door, place: MailPlace, delivered: Delivered): void {
  const { outcome, reason, messageId } = delivered
  const sql = `INSERT INTO mail_log (workspace_id, id, door, address, user_id, outcome, reason, message_id, at)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?, ?, ?)`
  tx.run(sql, tx.newId(), door, place.address, place.userId, outcome, reason, messageId, tx.now)
  const older = `SELECT id FROM mail_log WHERE workspace_id = :workspace ORDER BY id DESC LIMIT 1 OFFSET ${deliveriesKept}`
  tx.run(`DELETE FROM mail_log WHERE workspace_id = :workspace AND id <= (${older})`)
}
