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

/** How many entries of a workspace are read at once. For each of these parts, all of its pieces are looked at. */
const readMax = 5_000

/** A view of the index, by piece and record. To be run on each connection that reads entries. */
export const piecesSql = 'CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_piece USING fts5vocab(main, search, instance)'

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

/** Everything that the index has of a workspace, as many entries at a time as are removed together. */
export function* listEntries(reader: Reader): Generator<Entry[]> {
  const own = `FROM search_piece WHERE term >= CAST(:workspace AS INTEGER) || 'f' AND term < CAST(:workspace AS INTEGER) || 'h'`
  const numbers = reader.values<number>(`SELECT DISTINCT doc ${own} ORDER BY doc`)
  for (let at = 0; at < numbers.length; at += readMax) {
    const some = numbers.slice(at, at + readMax)
    const between = [some[0]!, some.at(-1)!] as const
    const named = reader.rows<Omit<Entry, 'pieces'>>(
      'SELECT id AS number, c1 AS id FROM search_content WHERE id BETWEEN ? AND ?',
      ...between,
    )
    const pieces = new Map<number, string[]>(some.map((number) => [number, []]))
    for (const found of reader.each<string>(`SELECT doc || ' ' || term ${own} AND doc BETWEEN ? AND ?`, ...between)) {
      const end = found.indexOf(' ')
      pieces.get(Number(found.slice(0, end)))!.push(found.slice(end + 1))
    }
    const entries = named.filter(({ number }) => pieces.has(number))
    for (let from = 0; from < entries.length; from += erasedMax) {
      const together = entries.slice(from, from + erasedMax)
      yield together.map((each) => ({ ...each, pieces: pieces.get(each.number)!.join(' ') }))
    }
  }
}

/** Removes entries from the index: their pieces from where they are, rather than marked as removed until parts of the index are merged. */
export function removeEntries(tx: Writer, entries: readonly Entry[]): void {
  if (entries.length > 0) tx.run("INSERT INTO search (search, rank) VALUES ('secure-delete', 1)")
  for (const { number, id, pieces } of entries) {
    tx.run("INSERT INTO search (search, rowid, pieces, id) VALUES ('delete', ?, ?, ?)", number, pieces, id)
  }
}

/** Removes what the index has of these records. Those that stay are pending again. */
export function removeErased(tx: Writer, name: string, ids: readonly string[], entries: readonly Entry[]): void {
  removeEntries(tx, entries)
  const done =
    'DELETE FROM search_pending WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))'
  tx.run(done, name, JSON.stringify(ids))
  const again = `INSERT OR IGNORE INTO search_pending (workspace_id, resource, id)
    SELECT :workspace, ?, id FROM search_pending
    WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))`
  tx.run(again, name, scrubbedName(name), JSON.stringify(ids))
  tx.run(done, scrubbedName(name), JSON.stringify(ids))
}
