import type { Reader, Writer } from '../store/reader.ts'

/** How many addresses are stored for each user: the most recently used ones. */
const placesMax = 10

/** Records that a user signed in from an address (from `addressPrefix`). */
export function insertPlace(tx: Writer, userId: string, address: string): void {
  const sql = `INSERT INTO sign_in_place VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET last_used_at = excluded.last_used_at`
  tx.run(sql, userId, address, tx.now)
  tx.run(
    `DELETE FROM sign_in_place WHERE user_id = ? AND address NOT IN (
      SELECT address FROM sign_in_place WHERE user_id = ? ORDER BY last_used_at DESC LIMIT ?)`,
    userId,
    userId,
    placesMax,
  )
}

/** Whether the user has signed in from this address before. */
export function isPlaceOf(reader: Reader, userId: string, address: string): boolean {
  return reader.value('SELECT 1 FROM sign_in_place WHERE user_id = ? AND address = ?', userId, address) !== undefined
}
