import type { Row } from '../engine/records/definition/change.ts'
import { emailKey } from '../lib/email.ts'
import type { Reader, Writer } from '../store/reader.ts'

/** Lets contacts find a message who get one of these addresses later (decision P5). `outsiders`: keys of addresses. */
export function noteUnmatched(tx: Writer, messageId: string, outsiders: readonly string[]): void {
  const sql = `INSERT OR IGNORE INTO mail_unmatched (workspace_id, email_key, message_id)
    SELECT :workspace, value, ? FROM json_each(?)`
  tx.run(sql, messageId, JSON.stringify(outsiders))
}

/** The keys of the addresses of the participants who are no users, in their order. */
export function outsidersOf(reader: Reader, { from, to, cc }: Row): string[] {
  const all = [
    ...(from === null ? [] : [JSON.parse(String(from))]),
    ...JSON.parse(String(to)),
    ...JSON.parse(String(cc)),
  ]
  const keys = [...new Set(all.map(({ address }: { address: string }) => emailKey(address)))]
  const sql = `SELECT email_key FROM workspace JOIN user ON user.company_id = workspace.company_id
    WHERE workspace.id = :workspace AND is_active = 1`
  const users = new Set(reader.values<string>(sql))
  return keys.filter((key) => !users.has(key))
}
