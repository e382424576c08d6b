import { packUuid } from '../../lib/uuid.ts'
import { packRequestId } from '../../store/change-log.ts'
import type { Reader } from '../../store/reader.ts'
import { lookupCreation, type StoredChange, selectStored, termIds } from '../stored-change.ts'
import type { Selector } from './request.ts'

/** Selects changes, oldest first, up to `max`. Imports are undone with the requests that started them. */
export function selectChanges(reader: Reader, selector: Selector, max: number): StoredChange[] {
  switch (selector.by) {
    case 'seq':
      return selectStored(reader, 'seq', 'AND seq = ?', selector.seq)
    case 'request_id':
      return selectRequest(reader, selector.requestId, '', max)
    case 'bulk_job_id':
      return selectJob(reader, selector.jobId, max)
    case 'key_id':
      return selectBy(reader, authorsOf(reader, selector.keyId, selector.sinceMs), selector.sinceMs, max)
  }
}

/** The changes of an import have the job as their author, those of an undo have the request that asked for it. */
function selectJob(reader: Reader, id: string, max: number): StoredChange[] {
  const type = reader.value<string>('SELECT type FROM bulk_job WHERE workspace_id = :workspace AND id = ?', id)
  if (type !== 'undo') return selectBy(reader, [`import ${id}`], 0, max)
  const { requestId = '' } = lookupCreation(reader, id) ?? {}
  return selectRequest(reader, requestId ?? '', "AND cause ->> '$.reverts' IS NOT NULL", max)
}

function selectRequest(reader: Reader, id: string, condition: string, max: number): StoredChange[] {
  const rest = `AND request_id = ? ${condition} ORDER BY seq LIMIT ?`
  return selectStored(reader, 'request_id', rest, packRequestId(id), max)
}

function selectBy(reader: Reader, authors: readonly string[], sinceMs: number, max: number): StoredChange[] {
  const rest = 'AND change.actor IN (SELECT value FROM json_each(?)) AND at >= ? ORDER BY seq LIMIT ?'
  return selectStored(reader, 'actor', rest, JSON.stringify(termIds(reader, authors)), sinceMs, max)
}

/** A key, and the imports that it started. */
function authorsOf(reader: Reader, keyId: string, sinceMs: number): string[] {
  const [key] = termIds(reader, [`api_key ${keyId}`])
  const [type] = termIds(reader, ['bulk_job.created'])
  const rest = 'AND change.actor = ? AND change.type = ? AND at >= ?'
  const jobs = selectStored(reader, 'actor', rest, key ?? 0, type ?? 0, sinceMs)
  return [`api_key ${keyId}`, ...jobs.map(({ recordId }) => `import ${recordId}`)]
}

/** Every change of a record from a number on, oldest first. */
export function changesSince(reader: Reader, recordId: string, seq: number): StoredChange[] {
  return selectStored(reader, 'record_id', 'AND record_id = ? AND seq >= ? ORDER BY seq', packUuid(recordId), seq)
}
