import { type ChangeHead, selectHeads, termIds } from '../../changes/stored-change.ts'
import type { Reading } from '../../engine/finding/reading.ts'
import { packUuid } from '../../lib/uuid.ts'
import type { Reader } from '../../store/reader.ts'
import { imported } from './imported.ts'

/** So many changes are looked at from each end of an import. */
const changesMax = 100

/** Which of these imports were undone, by the ids of their jobs. Each may take a few milliseconds. */
export const undoneReading: Reading<readonly string[], string[]> = {
  name: 'undone imports',
  run: (reader, jobIds) => jobIds.filter((id) => isUndone(reader, id)),
}

/** Whether an import was undone: an undo is the latest change of each of its records; of a large import, of the first and the last ones. */
function isUndone(reader: Reader, jobId: string): boolean {
  const [actor] = termIds(reader, [`import ${jobId}`])
  const type = reader.value<string>('SELECT type FROM bulk_job WHERE workspace_id = :workspace AND id = ?', jobId)
  if (actor === undefined || type === undefined) return false
  const found = ['', 'DESC'].flatMap((order) =>
    selectHeads(reader, 'actor', `AND change.actor = ? ORDER BY seq ${order} LIMIT ?`, actor, changesMax),
  )
  const changes = found.filter(({ resource }) => resource === imported[type]?.name)
  const records = [...Map.groupBy(changes, ({ recordId }) => recordId).values()]
  return records.length > 0 && records.every((own) => isReverted(reader, own))
}

/** `changes`: of one record. */
function isReverted(reader: Reader, changes: readonly ChangeHead[]): boolean {
  const id = packUuid(changes[0]!.recordId)
  const [latest] = selectHeads(reader, 'record_id', 'AND record_id = ? ORDER BY seq DESC LIMIT 1', id)
  const { reverts = [] } = JSON.parse(latest?.cause ?? '{}') as { reverts?: number[] }
  return changes.some(({ seq }) => reverts.includes(seq))
}
