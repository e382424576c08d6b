import { message } from '../../crm/message.ts'
import { changeRow } from '../../engine/records/rows/write.ts'
import { OperatorError } from '../../errors.ts'
import type { Writer } from '../../store/reader.ts'

/** How many messages a transaction gives away. */
const adoptedMax = 200

/**
 * Makes a user a participant of some of the messages that a deactivated user and no active one takes part in (decision P7). Returns how many.
 * In a workspace of another company, none. Throws OperatorError.
 */
export function adoptNext(tx: Writer, from: string, to: string): number {
  requireUsers(tx, from, to)
  const sql = `SELECT id, user_ids AS userIds FROM message
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND audience = 'participants'
      AND id IN (SELECT message_id FROM message_user WHERE workspace_id = :workspace AND user_id = ?)
      AND NOT EXISTS (SELECT 1 FROM message_user AS other JOIN user ON user.id = other.user_id
        WHERE other.workspace_id = :workspace AND message_id = message.id AND is_active = 1)
      AND EXISTS (SELECT 1 FROM user JOIN workspace USING (company_id) WHERE user.id = ? AND workspace.id = :workspace)
    LIMIT ${adoptedMax}`
  const messages = tx.rows<{ id: string; userIds: string }>(sql, from, to)
  for (const { id, userIds } of messages) {
    changeRow(message, tx, id, { user_ids: JSON.stringify([...JSON.parse(userIds), to]) })
  }
  return messages.length
}

function requireUsers({ access }: Writer, from: string, to: string): void {
  const sql = 'SELECT company_id AS companyId, is_active AS isActive FROM user WHERE id = ?'
  const [before, after] = [from, to].map((id) => access.row<{ companyId: string; isActive: number }>(sql, id))
  if (!before || !after || before.companyId !== after.companyId) {
    throw new OperatorError('There are no two users of one company with these ids.')
  }
  if (before.isActive === 1) throw new OperatorError('The first user is active: its messages are not given away.')
  if (after.isActive === 0) throw new OperatorError('The second user is not active.')
}
