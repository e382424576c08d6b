import { packUuid, unpackUuid } from '../../../lib/uuid.ts'
import type { Reader, Writer } from '../../../store/reader.ts'

// What receivers have responded may repeat the change that was sent to them.

/** Removes the responses to the changes of a record (decision G11). */
export function eraseResponses(tx: Writer, recordId: string): void {
  const sql = `UPDATE webhook_delivery SET attempts = (
      SELECT json_group_array(json_set(value, '$.response', NULL) ORDER BY key) FROM json_each(attempts))
    WHERE workspace_id = :workspace AND id IN (
      SELECT delivery.id
      FROM change INDEXED BY change_record_id CROSS JOIN webhook_state USING (workspace_id)
        CROSS JOIN webhook_delivery AS delivery USING (workspace_id, webhook_id)
      WHERE workspace_id = :workspace AND record_id = ? AND number = change.seq)`
  tx.run(sql, packUuid(recordId))
}

/** The response to a change as it may be stored: null if the record has been erased since, or something in it. */
export function storable(reader: Reader, number: number, response: string | null): string | null {
  return response && (isErased(reader, number) || isInTrashWithoutOriginal(reader, number)) ? null : response
}

/** A person is erased from a message by an update without former values (decision P10). */
function isErased(reader: Reader, seq: number): boolean {
  const sql = `SELECT max(text LIKE '%.erased' OR (text = 'message.updated' AND previous = '{}' AND seq > ?))
    FROM change INDEXED BY change_record_id JOIN change_term ON change_term.id = type
    WHERE workspace_id = :workspace AND seq >= ? AND record_id = (
      SELECT record_id FROM change WHERE workspace_id = :workspace AND seq = ?)`
  return reader.value<number>(sql, seq, seq, seq) === 1
}

/** From a message in the trash, a person is erased without a change in the log; its original is erased, too. */
function isInTrashWithoutOriginal(reader: Reader, seq: number): boolean {
  const recordId = reader.value<Uint8Array>(
    'SELECT record_id FROM change WHERE workspace_id = :workspace AND seq = ?',
    seq,
  )
  const sql = `SELECT 1 FROM message WHERE workspace_id = :workspace AND id = ?
    AND deleted_at IS NOT NULL AND original_sha256 IS NULL`
  return recordId !== undefined && reader.value(sql, unpackUuid(recordId)) !== undefined
}
