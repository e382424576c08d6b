import type { Row } from '../engine/records/definition/change.ts'
import { addressKeys } from '../lib/email.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** Lets contacts find a message who get one of these addresses later (decision P5). `outsiders`: keys of addresses. */
export function noteUnmatched(tx: Writer, messageId: string, outsiders: readonly string[]): void {
  const sql = `INSERT OR IGNORE INTO mail_unmatched (workspace_id, email_key, message_id)
    SELECT :workspace, value, ? FROM json_each(?)`
  tx.run(sql, messageId, JSON.stringify(outsiders))
}

/** Lets no contact find a message later. */
export function forgetUnmatched(tx: Writer, messageId: string): void {
  tx.run('DELETE FROM mail_unmatched WHERE workspace_id = :workspace AND message_id = ?', messageId)
}

/** Lets no contact find a message by one of these addresses later. */
export function forgetAddresses(tx: Writer, keys: readonly string[]): void {
  const sql =
    'DELETE FROM mail_unmatched WHERE workspace_id = :workspace AND email_key IN (SELECT value FROM json_each(?))'
  tx.run(sql, JSON.stringify(keys))
}

/** The keys of the addresses of the participants who are no users, in their order. */
export function outsidersOf(reader: Reader, message: Row): string[] {
  const sql = `SELECT email_key FROM workspace JOIN user ON user.company_id = workspace.company_id
    WHERE workspace.id = :workspace AND is_active = 1`
  const users = new Set(reader.values<string>(sql))
  return addressKeys(message).filter((key) => !users.has(key))
}
