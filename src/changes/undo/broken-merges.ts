import { othersMax } from '../../engine/api/merge/request.ts'
import type { Reader } from '../../store/reader.ts'

/** The last changes of a merge are the deletions of the merged records, and that of the survivor. */
const lastChanges = 2 * othersMax

/**
 * Of some changes, the numbers of those that belong to a merge of which a merged record has been erased since, or is one of `lost`: the survivor
 * keeps its values and what has moved to it (decision K6). The other merged records can be restored. A change belongs to the next merge of its
 * survivor, however many files and messages have moved in between.
 */
export function changesOfBrokenMerges(reader: Reader, seqs: readonly number[], lost: readonly string[] = []): number[] {
  const sql = `SELECT made.seq FROM json_each(?) AS selected CROSS JOIN change AS made CROSS JOIN change AS merged
    WHERE made.workspace_id = :workspace AND made.seq = selected.value
      AND made.cause ->> '$.merge' IS NOT NULL AND NOT ${isOfType('made', 'deleted')}
      AND merged.workspace_id = :workspace AND merged.seq = (SELECT later.seq FROM change AS later INDEXED BY change_record_id
        WHERE later.workspace_id = :workspace AND later.record_id = unhex(replace(made.cause ->> '$.merge', '-', ''))
          AND later.seq >= made.seq AND ${isOfType('later', 'merged')} ORDER BY later.seq LIMIT 1)
      AND merged.request_id IS made.request_id
      AND EXISTS (SELECT 1 FROM change AS gone
        WHERE gone.workspace_id = :workspace AND gone.seq BETWEEN merged.seq - ${lastChanges} AND merged.seq
          AND gone.cause ->> '$.merge' = made.cause ->> '$.merge' AND ${isOfType('gone', 'deleted')}
          AND (gone.record_id IN (SELECT unhex(replace(value, '-', '')) FROM json_each(?))
            OR EXISTS (SELECT 1 FROM change AS erasure INDEXED BY change_record_id
              WHERE erasure.workspace_id = :workspace AND erasure.record_id = gone.record_id AND erasure.seq > gone.seq
                AND ${isOfType('erasure', 'erased')})))`
  return reader.values<number>(sql, JSON.stringify(seqs), JSON.stringify(lost))
}

function isOfType(change: string, verb: string): string {
  return `(SELECT text FROM change_term WHERE id = ${change}.type) LIKE '%.${verb}'`
}
