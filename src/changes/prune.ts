import type { Reader, Writer } from '../store/reader.ts'

/** The number of changes that a transaction removes, so that other writes do not wait for long. */
const prunedMax = 500

/** Which changes can be removed: those from before a moment, up to a number that no reader of the log needs any more. */
interface Prunable {
  beforeMs: number
  until: number
}

/** Whether the log has changes that can be removed. */
export function hasPrunable(reader: Reader, prunable: Prunable): boolean {
  return lastPrunable(reader, prunable) !== undefined
}

/**
 * Removes the oldest changes that can be removed (decision G9): up to 500, and never the newest one, whose number is the source of the
 * next. Returns how many.
 */
export function pruneChanges(tx: Writer, prunable: Prunable): number {
  const last = lastPrunable(tx, prunable)
  return last === undefined ? 0 : tx.run('DELETE FROM change WHERE workspace_id = :workspace AND seq <= ?', last)
}

/** The last of the oldest changes that can be removed. Times of changes never decrease. */
function lastPrunable(reader: Reader, { beforeMs, until }: Prunable): number | undefined {
  const sql = `SELECT max(seq) FROM (SELECT seq, at, lead(seq) OVER (ORDER BY seq) AS next FROM (
    SELECT seq, at FROM change WHERE workspace_id = :workspace ORDER BY seq LIMIT ${prunedMax + 1}))
    WHERE at < ? AND seq <= ? AND next IS NOT NULL`
  return reader.value<number>(sql, beforeMs, until) ?? undefined
}
