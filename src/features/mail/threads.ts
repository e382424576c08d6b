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

function namesOf({ internetMessageId, inReplyTo, references }: Referring): string[] {
  const own = internetMessageId === null ? [] : [internetMessageId]
  return [...own, ...inReplyTo.slice(0, referencesMax), ...references.slice(-referencesMax)].map((name) => name.trim())
}

function move(tx: Writer, from: string, to: string): void {
  const sql = `SELECT id FROM message WHERE workspace_id = :workspace AND thread_id = ? AND deleted_at IS NULL ORDER BY id`
  for (const id of tx.values<string>(sql, from)) changeRow(message, tx, id, { thread_id: to })
  tx.run('UPDATE mail_reference SET thread_id = ? WHERE workspace_id = :workspace AND thread_id = ?', to, from)
}
