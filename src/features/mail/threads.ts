import { hash } from 'node:crypto'
import { message } from '../../crm/message.ts'
import { changeRow } from '../../engine/records/rows/write.ts'
import type { Writer } from '../../store/reader.ts'

/** How many of the messages that a message refers to are followed. */
const referencesMax = 100

interface Referring {
  readonly internetMessageId: string | null
  readonly inReplyTo: readonly string[]
  readonly references: readonly string[]
}

/**
 * The thread of a new message: the oldest one of those that it refers to, or that have referred to it (decision P5). A message that not
 * everybody sees joins a thread, but brings none together: others would see the trace.
 */
export function enterThread(tx: Writer, mail: Referring, isSeenByAll: boolean): string {
  const hashes = JSON.stringify([...new Set(namesOf(mail).map((name) => hash('sha256', name, 'base64url')))])
  const sql = `SELECT DISTINCT thread_id FROM mail_reference
    WHERE workspace_id = :workspace AND hash IN (SELECT value FROM json_each(?)) ORDER BY thread_id`
  const [oldest, ...newer] = tx.values<string>(sql, hashes)
  const threadId = oldest ?? tx.newId()
  if (isSeenByAll) for (const each of newer) move(tx, each, threadId)
  const enter = `INSERT OR IGNORE INTO mail_reference (workspace_id, hash, thread_id)
    SELECT :workspace, value, ? FROM json_each(?)`
  tx.run(enter, threadId, hashes)
  return threadId
}

/**
 * Forgets what leads to the threads of messages that are about to be erased, if no other message of them is left: neither shown nor in the
 * trash.
 */
export function forgetThreads({ unrestricted: tx }: Writer, messageIds: readonly string[]): void {
  const ids = JSON.stringify(messageIds)
  const given = 'SELECT value FROM json_each(?)'
  const threads = tx.values<string>(
    `SELECT DISTINCT thread_id FROM main.message WHERE workspace_id = :workspace AND id IN (${given})`,
    ids,
  )
  if (threads.length === 0) return
  const shown = `SELECT 1 FROM main.message WHERE workspace_id = :workspace AND message.thread_id = mail_reference.thread_id
    AND message.deleted_at IS NULL AND id NOT IN (${given})`
  const inTrash = `SELECT thread_id FROM main.trash CROSS JOIN main.message
      ON message.workspace_id = :workspace AND message.id = trash.id
    WHERE trash.workspace_id = :workspace AND trash.type = 'message' AND trash.deleted_at IS NULL AND trash.id NOT IN (${given})`
  const sql = `DELETE FROM mail_reference WHERE workspace_id = :workspace AND thread_id IN (${given})
    AND NOT EXISTS (${shown}) AND thread_id NOT IN (${inTrash})`
  tx.run(sql, JSON.stringify(threads), ids, ids)
}

function namesOf({ internetMessageId, inReplyTo, references }: Referring): string[] {
  const own = internetMessageId === null ? [] : [internetMessageId]
  return [...own, ...inReplyTo.slice(0, referencesMax), ...references.slice(-referencesMax)].map((name) => name.trim())
}

function move(tx: Writer, from: string, to: string): void {
  const sql = `SELECT id FROM message WHERE workspace_id = :workspace AND thread_id = ? AND deleted_at IS NULL ORDER BY id`
  for (const id of tx.values<string>(sql, from)) changeRow(message, tx, id, { thread_id: to })
  tx.run('UPDATE mail_reference SET thread_id = ? WHERE workspace_id = :workspace AND thread_id = ?', to, from)
}
