import type { Resource } from '../engine/records/definition/resource.ts'
import { dataText } from '../engine/records/select.ts'
import { parseExact } from '../lib/exact-json.ts'
import { packUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'
import { dataOf } from './derive.ts'
import { seenIn } from './may-see.ts'
import { type StoredChange, selectStored } from './stored-change.ts'

/** The JSON text of a record after a change of the log, which need not be one of the record's; undefined if it did not exist then. */
export function stateAt(resource: Resource, reader: Reader, id: string, seq: number): string | undefined {
  if (!seenIn(reader, [{ resource: resource.name, recordId: id }])({ resource: resource.name, recordId: id }))
    return undefined
  const packed = packUuid(id)
  const [last] = selectStored(
    reader,
    'record_id',
    'AND record_id = ? AND seq <= ? ORDER BY seq DESC LIMIT 1',
    packed,
    seq,
  )
  const [next] = selectStored(reader, 'record_id', 'AND record_id = ? AND seq > ? ORDER BY seq LIMIT 1', packed, seq)
  const known = last ?? next
  if ((known && known.resource !== resource.name) || !existed(last, next)) return undefined
  if (!last && !next && !isUndeleted(resource, reader, id)) return undefined
  const moment = last ?? { ...unchanged, recordId: id, resource: resource.name, seq }
  return dataOf(resource, reader, [moment])?.get(moment.seq) ?? undefined
}

/** The values of a record by the names that the log uses. */
export function currentOf(resource: Resource, reader: Reader, id: string): Record<string, unknown> {
  const record = parseExact(dataText(resource, reader, id) ?? '{}') as Record<string, unknown>
  const items = Object.entries(resource.collections).map(([name, { as }]) => [name, record[as]])
  return { ...record, ...Object.fromEntries(items) }
}

/** Whether a record existed between two consecutive changes of it. Earlier changes may have been pruned. */
function existed(last: StoredChange | undefined, next: StoredChange | undefined): boolean {
  if (last) return !isGone(last)
  return next === undefined || !['created', 'restored', 'erased'].some((verb) => next.type.endsWith(`.${verb}`))
}

function isGone({ type }: StoredChange): boolean {
  return type.endsWith('.deleted') || type.endsWith('.erased')
}

function isUndeleted({ table }: Resource, reader: Reader, id: string): boolean {
  const sql = `SELECT 1 FROM ${table} WHERE workspace_id = :workspace AND id = ? AND deleted_at IS NULL`
  return reader.value(sql, id) !== undefined
}

/** Stands for a change of a record whose changes have been pruned. */
const unchanged = { type: '', atMs: 0, at: '', actor: '', requestId: null, cause: null, previous: null, data: null }
