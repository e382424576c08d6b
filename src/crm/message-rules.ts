import type { Change, Row, Written } from '../engine/records/definition/change.ts'
import { ApiError, forbidden, validationError } from '../errors.ts'
import { causedBy, isUndo } from '../store/change-log.ts'
import type { Reader, SqlValue } from '../store/reader.ts'
import { everything } from '../store/visibility.ts'
import { noteUnmatched, outsidersOf } from './unmatched.ts'

/** What patches of a message may do (decision P1). */
export function beforeWrite(change: Change): void {
  const { tx, before, given, after } = change
  if (!before) return
  if (isUndo(tx.origin)) {
    beforeUndo(change, before)
    return
  }
  requireContacts(tx, before, after)
  if (given.status !== undefined) release(before, after)
  else if (before.status !== 'held' && after.contact_ids !== before.contact_ids) after.status = statusOf(after)
  if (after.audience !== before.audience) changeAudience(change)
}

/** An undo returns what was allowed then, if its author may decide about the audience now. For whom a message was held returns, too. */
function beforeUndo(change: Change, before: Row): void {
  const { after } = change
  if (after.audience !== before.audience) requireParticipant(change)
  if (after.status !== 'held' && after.contact_ids !== before.contact_ids) after.status = statusOf(after)
  after.held_for = after.status === 'held' ? (before.held_for ?? '[]') : null
}

/** Announced when somebody may see a message, or no longer: what has been read of it is read again. */
export const visibilityChanged = 'visibility changed'

/** What decides who sees a message. */
export const visibleBy = ['status', 'audience', 'user_ids', 'held_for'] as const

/**
 * Throws INSUFFICIENT_PERMISSIONS if an undo hides the message from its author, who could not have done that.
 * Whoever follows the changes learns of the files, too, that a change hides or reveals (decision P7). A message that an undo takes from its
 * contacts is linked again to whoever gets its addresses later (decision P5).
 */
export function afterWrite({ tx, id, before, after }: Written): void {
  if (!before || !after) return
  if (isUndo(tx.origin) && before.contact_ids !== '[]' && after.contact_ids === '[]') {
    noteUnmatched(tx, id, outsidersOf(tx, after))
  }
  if (visibleBy.every((name) => before[name] === after[name])) return
  if (isUndo(tx.origin) && !isSeen(tx, id)) throw forbidden('You would not see the message after this undo')
  tx.announce(visibilityChanged)
  const { unrestricted: all } = tx
  const writer = all.as(causedBy(all.origin, { message: id }))
  const sql =
    'SELECT id FROM main.file WHERE workspace_id = :workspace AND message_id = ? AND deleted_at IS NULL ORDER BY id'
  for (const fileId of all.values<string>(sql, id)) {
    writer.log({ type: 'file.updated', recordId: fileId, previous: '{}' })
  }
}

/** Whether whoever writes sees a message. */
function isSeen(tx: Reader, id: string): boolean {
  return tx.value('SELECT 1 FROM message WHERE workspace_id = :workspace AND id = ?', id) !== undefined
}

/** Throws CONFLICT if the message is not held. */
function release(before: Row, after: Row): void {
  if (before.status !== 'held') throw new ApiError('CONFLICT', 'Status can change only from held to matched')
  after.status = statusOf(after)
  after.held_for = null
}

/** Of a message that is not held. */
function statusOf({ contact_ids }: Row): string {
  return contact_ids === '[]' ? 'unmatched' : 'matched'
}

/** Throws INSUFFICIENT_PERMISSIONS if the caller has not sent or received the message. */
function requireParticipant({ tx, after }: Change): void {
  const { view = everything } = tx.origin
  const isParticipant = view === everything || listOf(after.user_ids).some((id) => id === view.userId)
  if (after.user_ids !== '[]' && !isParticipant) {
    throw forbidden('Only users who sent or received a message can change its audience')
  }
}

/** Throws INSUFFICIENT_PERMISSIONS, CONFLICT. */
function changeAudience(change: Change): void {
  requireParticipant(change)
  const { after } = change
  if (after.audience === 'participants' && after.user_ids === '[]') {
    throw new ApiError('CONFLICT', 'Audience cannot be participants: no user has sent or received this message')
  }
  after.audience_chosen = 1
}

/** Throws VALIDATION_ERROR if a contact that is new does not exist. */
function requireContacts(tx: Reader, before: Row, after: Row): void {
  const known = new Set(listOf(before.contact_ids))
  const added = listOf(after.contact_ids).filter((id) => !known.has(id))
  if (added.length === 0) return
  const sql = `SELECT count(*) FROM contact
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`
  if (tx.value(sql, JSON.stringify(added)) === added.length) return
  throw validationError([{ field: 'contact_ids', message: 'Contact not found', code: 'NOT_FOUND' }])
}

function listOf(ids: SqlValue | undefined): string[] {
  return JSON.parse(String(ids ?? '[]'))
}
