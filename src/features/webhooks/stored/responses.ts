import { packUuid } from '../../../lib/uuid.ts'
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

/** The response to a change as it may be stored: null if the record has been erased since. */
export function storable(reader: Reader, number: number, response: string | null): string | null {
  return response && isErased(reader, number) ? null : response
}

/** Whether the record of a change has been erased: that is its last change. */
function isErased(reader: Reader, seq: number): boolean {
  const sql = `SELECT text LIKE '%.erased' FROM change INDEXED BY change_record_id JOIN change_term ON change_term.id = type
    WHERE workspace_id = :workspace AND record_id = (
      SELECT record_id FROM change WHERE workspace_id = :workspace AND seq = ?)
    ORDER BY seq DESC LIMIT 1`
  return reader.value<number>(sql, seq) === 1
}
