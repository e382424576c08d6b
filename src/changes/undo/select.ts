import { ApiError } from '../../errors.ts'
import { packUuid } from '../../lib/uuid.ts'
import { packRequestId, unpackRequestId } from '../../store/change-log.ts'
import type { Reader } from '../../store/reader.ts'
import { isConsequence, seenIn } from '../may-see.ts'
import { type ChangeHead, lookupCreation, selectHeads, termIds } from '../stored-change.ts'
import type { Selector, UndoRequest } from './request.ts'

/** The maximum number of changes that a job undoes, or a dry run looks at. They are read and queued in one transaction. */
const selectedMax = 100_000

/** The selected changes, oldest first. Throws NOT_FOUND if there are none, CONFLICT if there are too many or if an import among them still runs. */
export function findSelected(
  reader: Reader,
  { selector }: Pick<UndoRequest, 'selector'>,
): { selected: ChangeHead[]; following: ChangeHead[] } {
  const found = selectChanges(reader, selector, selectedMax + 1)
  const isJob = ({ resource }: ChangeHead) => resource === 'bulk_job'
  const isUndone = (change: ChangeHead) =>
    !isJob(change) || (selector.by === 'seq' && hasChanged(reader, change.recordId))
  const { shown, following } = partFollowing(reader, found, selector)
  const selected = shown.filter(isUndone)
  requireEnded(reader, found, selector)
  if (selected.length === 0) throw new ApiError('NOT_FOUND', 'There are no such changes')
  if (found.length > selectedMax) throw new ApiError('CONFLICT', `An undo takes at most ${selectedMax} changes`)
  return { selected, following }
}

/**
 * Selected changes that follow others wherever they are: they are undone with these, and no report shows them (decision P7). Links are left
 * out: they follow their contacts (`takeLinksBack`). A change that is named by its number follows none, nor does that of a file of which others are undone.
 */
function partFollowing(reader: Reader, selected: readonly ChangeHead[], { by }: Selector) {
  const isSeen = seenIn(reader, selected)
  const isOwn = (change: ChangeHead) => change.resource === 'file' && !isConsequence(change) && isSeen(change)
  const own = new Set(selected.filter(isOwn).map(({ recordId }) => recordId))
  const follows = (change: ChangeHead) => by !== 'seq' && isConsequence(change) && !own.has(change.recordId)
  return {
    shown: selected.filter((change) => !follows(change) && isSeen(change)),
    following: selected.filter((change) => follows(change) && !isLink(change)),
  }
}

/** Whether a change has linked a message to the contacts that got its address, or taken it from them. */
function isLink({ cause }: ChangeHead): boolean {
  return JSON.parse(cause ?? '{}').linked !== undefined
}

/** Whether at most `max` changes are selected, and their records have not more since. What no index bounds counts as large. */
export function isSmall(reader: Reader, selector: Selector, max: number): boolean {
  if (selector.by === 'key_id' || selector.by === 'bulk_job_id') return false
  const found = selectChanges(reader, selector, max + 1)
  if (found.length > max) return false
  const records = [...new Set(found.map(({ recordId }) => recordId))]
  const sql = `SELECT count(*) FROM (SELECT 1 FROM json_each(?) AS wanted CROSS JOIN change INDEXED BY change_record_id
    WHERE workspace_id = :workspace AND record_id = unhex(replace(wanted.value, '-', '')) AND seq >= ? LIMIT ?)`
  return reader.value<number>(sql, JSON.stringify(records), found[0]?.seq ?? 0, max + 1)! <= max
}

/** Whether a job has changed records: its own changes are at most two. */
function hasChanged(reader: Reader, jobId: string): boolean {
  return selectJob(reader, jobId, 3).some(({ resource }) => resource !== 'bulk_job')
}

/** An import that still runs, or has yet to begin, would go on creating records. */
function requireEnded(reader: Reader, changes: readonly ChangeHead[], selector: Selector): void {
  const jobs = new Set(
    changes.flatMap(({ actor }) => (actor.startsWith('import ') ? actor.slice('import '.length) : [])),
  )
  if (selector.by === 'bulk_job_id') jobs.add(selector.jobId)
  for (const { resource, recordId } of changes) if (resource === 'bulk_job') jobs.add(recordId)
  const sql = 'SELECT 1 FROM bulk_batch WHERE workspace_id = :workspace AND job_id = ?'
  for (const id of jobs) {
    if (reader.value(sql, id) !== undefined) {
      throw new ApiError('CONFLICT', `The job ${id} still runs: wait for it, or cancel it first`)
    }
  }
}

/** Selects changes, oldest first, up to `max`. Imports are undone with the requests that started them. */
export function selectChanges(reader: Reader, selector: Selector, max: number): ChangeHead[] {
  switch (selector.by) {
    case 'seq':
      return selectHeads(reader, 'seq', 'AND seq = ?', selector.seq)
    case 'request_id':
      return selectRequest(reader, selector.requestId, '', max)
    case 'bulk_job_id':
      return selectJob(reader, selector.jobId, max)
    case 'key_id':
      return selectBy(reader, authorsOf(reader, selector.keyId, selector.sinceMs), selector.sinceMs, max)
  }
}

/** The changes of an import have the job as their author, those of an undo have the request that asked for it. */
function selectJob(reader: Reader, id: string, max: number): ChangeHead[] {
  const type = reader.value<string>('SELECT type FROM bulk_job WHERE workspace_id = :workspace AND id = ?', id)
  if (type !== 'undo') return selectBy(reader, [`import ${id}`], 0, max)
  const { requestId = '' } = lookupCreation(reader, id) ?? {}
  return selectRequest(reader, requestId ?? '', "AND cause ->> '$.reverts' IS NOT NULL", max)
}

function selectRequest(reader: Reader, id: string, condition: string, max: number): ChangeHead[] {
  const rest = `AND request_id = ? ${condition} ORDER BY seq LIMIT ?`
  return selectHeads(reader, 'request_id', rest, packRequestId(id), max)
}

function selectBy(reader: Reader, authors: readonly string[], sinceMs: number, max: number): ChangeHead[] {
  const rest = 'AND change.actor IN (SELECT value FROM json_each(?)) AND at >= ? ORDER BY seq LIMIT ?'
  return selectHeads(reader, 'actor', rest, JSON.stringify(termIds(reader, authors)), sinceMs, max)
}

/** A key, and the imports that it started. */
function authorsOf(reader: Reader, keyId: string, sinceMs: number): string[] {
  const [key] = termIds(reader, [`api_key ${keyId}`])
  const [type] = termIds(reader, ['bulk_job.created'])
  const rest = 'AND change.actor = ? AND change.type = ? AND at >= ?'
  const jobs = selectHeads(reader, 'actor', rest, key ?? 0, type ?? 0, sinceMs)
  return [`api_key ${keyId}`, ...jobs.map(({ recordId }) => `import ${recordId}`)]
}

/** A change of a record that is undone, or that follows one. */
export interface RecordStep {
  seq: number
  type: string
  requestId: string | null
  /** Whether another change caused it. */
  isCaused: boolean
}

/** Every change of a record from a number on, oldest first. */
export function changesSince(reader: Reader, recordId: string, seq: number): RecordStep[] {
  const sql = `SELECT seq, (SELECT text FROM change_term WHERE id = change.type) AS type, request_id, cause IS NOT NULL AS isCaused
    FROM change INDEXED BY change_record_id WHERE workspace_id = :workspace AND record_id = ? AND seq >= ? ORDER BY seq`
  const rows = reader.rows<StepRow>(sql, packUuid(recordId), seq)
  return rows.map(({ seq, type, request_id, isCaused }) => {
    return { seq, type, requestId: unpackRequestId(request_id), isCaused: isCaused === 1 }
  })
}

/** The number of a record's newest change; 0 if the log has none. */
export function newestOf(reader: Reader, recordId: string): number {
  const sql = `SELECT max(seq) FROM change INDEXED BY change_record_id WHERE workspace_id = :workspace AND record_id = ?`
  return reader.value<number | null>(sql, packUuid(recordId)) ?? 0
}

interface StepRow {
  seq: number
  type: string
  request_id: Uint8Array | string | null
  isCaused: number
}
