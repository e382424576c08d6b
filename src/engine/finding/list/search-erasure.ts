import type { Reader, Writer } from '../../../store/reader.ts'
import { scrubbedName } from '../../records/rows/scrubbed.ts'

// The search index does not store texts, only which pieces of words a record has: together they tell an unusual name. So an erased record
// is removed from it (decision G11), and one of which something was erased enters it again.

/** What the index has of a record under one of its numbers. */
interface Entry {
  number: number
  id: string
  /** Separated by spaces. */
  pieces: string
}

/** The maximum number of erased records that are looked up together: each lookup reads the workspace's part of the index. */
const erasedMax = 50
/** Where the marks of fields and of declared fields begin and end: each part of the index is read without interruption. */
const parts = [...[...'0123456789abcdef'].map((digit) => [`f${digit}`, `f${digit}g`] as const), ['g', 'h'] as const]

/** A view of the index, by piece and record. To be run once on each connection that uses `entriesOf`. */
export const piecesSql = 'CREATE VIRTUAL TABLE temp.search_piece USING fts5vocab(main, search, instance)'

/** Selects the records in `search_pending` that have been erased: they are deleted, and cannot be restored. */
export function erasedSql(table: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS record WHERE record.workspace_id = :workspace AND record.id = search_pending.id
      AND record.deleted_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = search_pending.id)`
}

/** The ids of records with erased texts that the index may still have, some at a time. */
export function listErased({ name, table }: { name: string; table: string }, reader: Reader): string[] {
  const sql = `SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ? AND ${erasedSql(table)}
    UNION ALL SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ? LIMIT ?`
  return reader.values<string>(sql, name, scrubbedName(name), erasedMax)
}

/** What the index has of these records, also of texts that they had before. `pause` is awaited from time to time. */
export async function findEntries(
  reader: Reader,
  ids: readonly string[],
  pause: () => Promise<void>,
): Promise<Entry[]> {
  const numbered = 'SELECT id AS number, c1 AS id FROM search_content WHERE c1 IN (SELECT value FROM json_each(?))'
  const known = reader.rows<{ number: number; id: string }>(numbered, JSON.stringify(ids))
  if (known.length === 0) return []
  const numbers = JSON.stringify(known.map(({ number }) => number))
  const sql = `SELECT doc AS number, term AS piece FROM search_piece
    WHERE term >= CAST(:workspace AS INTEGER) || ? AND term < CAST(:workspace AS INTEGER) || ?
      AND doc IN (SELECT value FROM json_each(?))`
  const pieces = new Map<number, string[]>(known.map(({ number }) => [number, []]))
  for (const [from, until] of parts) {
    await pause()
    for (const { number, piece } of reader.rows<{ number: number; piece: string }>(sql, from, until, numbers)) {
      pieces.get(number)!.push(piece)
    }
  }
  return known.map(({ number, id }) => ({ number, id, pieces: pieces.get(number)!.join(' ') }))
}

/** Removes what the index has of these records. Those that stay are pending again. */
export function removeErased(tx: Writer, name: string, ids: readonly string[], entries: readonly Entry[]): void {
  // So that the pieces are removed from where they are, rather than marked as removed until parts of the index are merged.
  if (entries.length > 0) tx.run("INSERT INTO search (search, rank) VALUES ('secure-delete', 1)")
  for (const { number, id, pieces } of entries) {
    tx.run("INSERT INTO search (search, rowid, pieces, id) VALUES ('delete', ?, ?, ?)", number, pieces, id)
  }
  const done =
    'DELETE FROM search_pending WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))'
  tx.run(done, name, JSON.stringify(ids))
  const again = `INSERT OR IGNORE INTO search_pending (workspace_id, resource, id)
    SELECT :workspace, ?, id FROM search_pending
    WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))`
  tx.run(again, name, scrubbedName(name), JSON.stringify(ids))
  tx.run(done, scrubbedName(name), JSON.stringify(ids))
}
