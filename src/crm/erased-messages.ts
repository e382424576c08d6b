import { createHmac } from 'node:crypto'
import type { Reader, Writer } from '../store/reader.ts'

/** Remembers that a message has been erased, by a keyed hash of its identity, so that it does not return (decision P4). */
export function noteErased(tx: Writer, identity: string): void {
  const sql = 'INSERT OR IGNORE INTO erased_message (workspace_id, hash) VALUES (:workspace, ?)'
  tx.run(sql, hashOf(tx, identity))
}

/** Whether a message with this identity has been erased. */
export function isErased(reader: Reader, identity: string): boolean {
  const any = reader.value('SELECT 1 FROM erased_message WHERE workspace_id = :workspace LIMIT 1')
  if (any === undefined) return false
  const sql = 'SELECT 1 FROM erased_message WHERE workspace_id = :workspace AND hash = ?'
  return reader.value(sql, hashOf(reader, identity)) !== undefined
}

function hashOf(reader: Reader, identity: string): string {
  const key = reader.value<string>("SELECT value FROM setting WHERE name = 'webhook_key' AND :workspace IS NOT NULL")!
  return createHmac('sha256', key).update(`erased message ${identity}`).digest('base64url')
}
