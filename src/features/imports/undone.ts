import { type ChangeHead, selectHeads, termIds } from '../../changes/stored-change.ts'
import { packUuid } from '../../lib/uuid.ts'
import type { Reader } from '../../store/reader.ts'

/** The changes of a job itself. */
const ownMax = 2

/** Whether an import was undone: an undo is the latest change of its first and of its last record. */
export function isUndone(reader: Reader, jobId: string): boolean {
  const [actor] = termIds(reader, [`import ${jobId}`])
  if (actor === undefined) return false
  const ends = ['', 'DESC'].map((order) => {
    const found = selectHeads(reader, 'actor', `AND change.actor = ? ORDER BY seq ${order} LIMIT ?`, actor, ownMax + 1)
    return found.find(({ resource }) => resource !== 'bulk_job')
  })
  return ends.every((change) => change !== undefined && isReverted(reader, change))
}

function isReverted(reader: Reader, { seq, recordId }: ChangeHead): boolean {
  const [latest] = selectHeads(reader, 'record_id', 'AND record_id = ? ORDER BY seq DESC LIMIT 1', packUuid(recordId))
  const { reverts = [] } = JSON.parse(latest?.cause ?? '{}') as { reverts?: number[] }
  return reverts.includes(seq)
}
