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
const readMax = 50_000
/** How many pieces are returned, and removed, together. */
const togetherMax = 5_000
/** How many pages of the index are merged together. */
const mergedPages = 32
/** With fewer pieces for each page of the index, removing them writes fewer pages than merging the index does, though it takes longer. */
const fewPerPage = 10

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

/**
 * Everything that the index has of a workspace, some entries at a time. What a caller has removed meanwhile does not matter: each part of the
 * index is read before any of its entries is returned.
 */
export function* listEntries(reader: Reader): Generator<Entry[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { pieces, last } = readPieces(reader, after)
    const numbers = [...pieces.keys()].sort((a, b) => a - b)
    for (let from = 0; from < numbers.length; ) {
      let [until, count] = [from, 0]
      while (until < numbers.length && count < togetherMax) count += pieces.get(numbers[until++]!)!.length
      const together = numbers.slice(from, until)
      const named = reader.rows<Omit<Entry, 'pieces'>>(
        'SELECT id AS number, c1 AS id FROM search_content WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(together),
      )
      yield named.map((each) => ({ ...each, pieces: pieces.get(each.number)!.join(' ') }))
      from = until
    }
    after = last
  }
}

/** Whether workspaces have so few pieces that `removeEntries` is better than `markRemoved` and `mergeSome`. */
export function haveFewPieces(readers: readonly Reader[]): boolean {
  const sql = `SELECT count(*) FROM search_piece
    WHERE term >= CAST(:workspace AS INTEGER) || 'f' AND term < CAST(:workspace AS INTEGER) || 'h'`
  const pieces = readers.reduce((sum, reader) => sum + reader.value<number>(sql)!, 0)
  return pieces < fewPerPage * readers[0]!.value<number>('SELECT count(*) FROM search_idx')!
}

/** The pieces of the first entries of a workspace after a number. `last`: the number of the last of them; undefined: there are no others. */
function readPieces(reader: Reader, after: number): { pieces: Map<number, string[]>; last: number | undefined } {
  const pieces = new Map<number, string[]>()
  const terms = new Map<string, string>() // each is in memory once
  let last: number | undefined
  const sql = `SELECT doc || ' ' || term FROM search_piece
    WHERE term >= CAST(:workspace AS INTEGER) || 'f' AND term < CAST(:workspace AS INTEGER) || 'h' AND doc > ?`
  for (const found of reader.each<string>(sql, after)) {
    const end = found.indexOf(' ')
    const number = Number(found.slice(0, end))
    if (last !== undefined && number > last) continue
    const term = found.slice(end + 1)
    if (!terms.has(term)) terms.set(term, term)
    const own = pieces.get(number)
    if (own) own.push(terms.get(term)!)
    else pieces.set(number, [terms.get(term)!])
    if (pieces.size < 2 * readMax) continue
    const numbers = [...pieces.keys()].sort((a, b) => a - b)
    last = numbers[readMax - 1]!
    for (const other of numbers.slice(readMax)) pieces.delete(other)
  }
  return { pieces, last }
}

/** Removes entries from the index: their pieces from where they are, rather than marked as removed until parts of the index are merged. */
export function removeEntries(tx: Writer, entries: readonly Entry[]): void {
  deleteEntries(tx, entries, 1)
}

/** Marks entries as removed, which takes much less time. They are there until `mergeSome` has merged the index. */
export function markRemoved(tx: Writer, entries: readonly Entry[]): void {
  deleteEntries(tx, entries, 0)
}

function deleteEntries(tx: Writer, entries: readonly Entry[], secure: 0 | 1): void {
  if (entries.length > 0)
    tx.run("INSERT INTO search (search, rank) VALUES ('secure-delete', CAST(? AS INTEGER))", secure)
  for (const { number, id, pieces } of entries) {
    tx.run("INSERT INTO search (search, rowid, pieces, id) VALUES ('delete', ?, ?, ?)", number, pieces, id)
  }
}

/** Merges a part of the index: all of it, if `begins`, or of what is being merged. Returns whether something was left to merge. */
export function mergeSome(tx: Writer, begins: boolean): boolean {
  const changes = () => tx.value<number>('SELECT total_changes()')!
  const before = changes()
  tx.run("INSERT INTO search (search, rank) VALUES ('merge', CAST(? AS INTEGER))", begins ? -mergedPages : mergedPages)
  return changes() - before > 1 // the command itself is one
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
