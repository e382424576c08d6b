import type { Reader, Writer } from '../store/reader.ts'

/** The number of changes that a transaction removes, so that other writes do not wait for long. */
const prunedMax = 500

/** Whether the log has changes from before a moment that can be removed. */
export function hasChangesBefore(reader: Reader, ms: number): boolean {
  return lastBefore(reader, ms) !== undefined
}

/**
 * Removes the oldest changes from before a moment (decision G9): up to 500, and never the newest one, whose number is the source of the
 * next.
 */
export function pruneChanges(tx: Writer, ms: number): void {
  const last = lastBefore(tx, ms)
  if (last !== undefined) tx.run('DELETE FROM change WHERE workspace_id = :workspace AND seq <= ?', last)
}

/** The last of the oldest changes that are from before a moment. Times of changes never decrease. */
function lastBefore(reader: Reader, ms: number): number | undefined {
  const sql = `SELECT max(seq) FROM (SELECT seq, at, lead(seq) OVER (ORDER BY seq) AS next FROM (
    SELECT seq, at FROM change WHERE workspace_id = :workspace ORDER BY seq LIMIT ${prunedMax + 1}))
    WHERE at < ? AND next IS NOT NULL`
  return reader.value<number>(sql, ms) ?? undefined
}
