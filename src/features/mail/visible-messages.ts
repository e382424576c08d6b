import type { Call } from '../../engine/api/call/route.ts'

interface Seen {
  from: unknown
  subject: string | null
  message_id: string
}

/** Sender and subject of those of these messages that the caller may see, by id. */
export function visibleMessages({ reader }: Call, ids: readonly string[]): ReadonlyMap<string, Seen> {
  const sql = `SELECT id AS message_id, "from", subject FROM message
    WHERE workspace_id = :workspace AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))`
  type Stored = { message_id: string; from: string | null; subject: string | null }
  const rows = reader.rows<Stored>(sql, JSON.stringify(ids))
  return new Map(rows.map((row) => [row.message_id, { ...row, from: row.from === null ? null : JSON.parse(row.from) }]))
}
