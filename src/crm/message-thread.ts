import { hash } from 'node:crypto'
import type { Change } from '../engine/records/definition/change.ts'

/** What a reference begins with that leads from a thread, whose id follows, to the older one into which it moves: no hash has it. */
export const moves = '>'

/** What a Message-ID is known by among the references that lead to threads. */
export function referenceTo(internetMessageId: string): string {
  return hash('sha256', internetMessageId.trim(), 'base64url')
}

/** A message that returns from the trash is in the thread into which its own has moved meanwhile (decision P5). */
export function followThread({ tx, after }: Change): void {
  const { thread_id: threadId, internet_message_id: name } = after
  if (name === null || name === undefined || typeof threadId !== 'string') return
  const isThere = `SELECT 1 FROM mail_reference WHERE workspace_id = :workspace AND thread_id = ?
    UNION ALL SELECT 1 FROM mail_reference WHERE workspace_id = :workspace AND hash = ? LIMIT 1`
  if (tx.value(isThere, threadId, moves + threadId) !== undefined) return
  const own = referenceTo(String(name))
  const moved = 'SELECT thread_id FROM mail_reference WHERE workspace_id = :workspace AND hash = ?'
  after.thread_id = tx.value<string>(moved, own) ?? threadId
  if (after.thread_id !== threadId) return
  tx.run('INSERT INTO mail_reference (workspace_id, hash, thread_id) VALUES (:workspace, ?, ?)', own, threadId)
}
