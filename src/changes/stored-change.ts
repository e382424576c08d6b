import { timestamp } from '../lib/clock.ts'
import { packUuid, unpackUuid } from '../lib/uuid.ts'
import { type Actor, unpackRequestId } from '../store/change-log.ts'
import type { Reader, SqlParam } from '../store/reader.ts'

/** A change as the log stores it (decision G3). */
export interface StoredChange {
  seq: number
  /** `deal.stage_changed` */
  type: string
  /** `deal` */
  resource: string
  recordId: string
  atMs: number
  at: string
  /** `api_key <id>`, `operator` */
  actor: string
  requestId: string | null
  /** JSON */
  cause: string | null
  /** JSON: the former values of the changed fields and of `updated_at`. */
  previous: string | null
  /** JSON: the record after the change, if it is stored. */
  data: string | null
}

type Row = Omit<StoredChange, 'resource' | 'recordId' | 'at' | 'requestId'> & {
  record_id: Uint8Array
  request_id: Uint8Array | string | null
}

/** The indexes of the log, by the column that they find. SQLite would often choose the primary key and read the whole log. */
const indexes = {
  seq: 'sqlite_autoindex_change_1',
  record_id: 'change_record_id',
  request_id: 'change_request_id',
  actor: 'change_actor',
} as const
export type LogIndex = keyof typeof indexes

/** With CROSS JOIN, SQLite reads the log first and then looks up the terms. */
function fromLog(by: LogIndex): string {
  return `FROM change INDEXED BY ${indexes[by]} CROSS JOIN change_term AS type ON type.id = change.type
      CROSS JOIN change_term AS actor ON actor.id = change.actor
    WHERE workspace_id = :workspace`
}

function selectBy(by: LogIndex): string {
  return `SELECT seq, type.text AS type, record_id, at AS atMs, actor.text AS actor, request_id, cause, previous, data
    ${fromLog(by)}`
}

/** The ids of a row as text. */
function readIds<R extends Pick<Row, 'type' | 'record_id' | 'request_id'>>({ record_id, request_id, ...row }: R) {
  const ids = { recordId: unpackUuid(record_id), requestId: unpackRequestId(request_id) }
  return { ...row, ...ids, resource: resourceOf(row.type) }
}

/** A change without its values, which may be long. */
export type ChangeHead = Omit<StoredChange, 'previous' | 'data' | 'atMs' | 'at'>

/** Like `selectStored`, without the values of the changes. */
export function selectHeads(reader: Reader, by: LogIndex, rest: string, ...params: SqlParam[]): ChangeHead[] {
  const sql = `SELECT seq, type.text AS type, record_id, actor.text AS actor, request_id, cause ${fromLog(by)} ${rest}`
  return reader.rows<Omit<Row, 'atMs' | 'previous' | 'data'>>(sql, ...params).map(readIds)
}

/** The former values of a change, as JSON; null if it has none. */
export function lookupPrevious(reader: Reader, seq: number): string | null {
  const sql = 'SELECT previous FROM change WHERE workspace_id = :workspace AND seq = ?'
  return reader.value<string | null>(sql, seq) ?? null
}

/** Selects changes through an index; `rest` continues the condition: `AND seq > ? ORDER BY seq LIMIT ?`. */
export function selectStored(reader: Reader, by: LogIndex, rest: string, ...params: SqlParam[]): StoredChange[] {
  return reader
    .rows<Row>(`${selectBy(by)} ${rest}`, ...params)
    .map((row) => ({ ...readIds(row), at: timestamp(row.atMs) }))
}

/**
 * Like `selectStored`, but ends before the values of the changes have more than `bytesMax` bytes, though not before the first change. `rest`
 * ends with `LIMIT ?`.
 */
export function selectSome(
  reader: Reader,
  by: LogIndex,
  rest: string,
  params: readonly SqlParam[],
  { limit, bytesMax }: { limit: number; bytesMax: number },
): StoredChange[] {
  const sql = `SELECT ifnull(octet_length(previous), 0) + ifnull(octet_length(data), 0) ${fromLog(by)} ${rest}`
  let [count, bytes] = [0, 0]
  for (const each of reader.values<number>(sql, ...params, limit)) {
    bytes += each
    if (count > 0 && bytes > bytesMax) break
    count++
  }
  return count === 0 ? [] : selectStored(reader, by, rest, ...params, count)
}

/** The name of the resource in a type of change. */
function resourceOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}

/** The numbers of the oldest and the newest change that the log has; 1 and 0 if it is empty. */
export function boundsOf(reader: Reader): { oldest: number; latest: number } {
  return { oldest: endOf(reader, 'ASC') ?? 1, latest: latestOf(reader) }
}

/** The number of the newest change; 0 if there is none. */
export function latestOf(reader: Reader): number {
  return endOf(reader, 'DESC') ?? 0
}

function endOf(reader: Reader, order: 'ASC' | 'DESC'): number | undefined {
  return reader.value(`SELECT seq FROM change WHERE workspace_id = :workspace ORDER BY seq ${order} LIMIT 1`)
}

/**
 * A page of changes ends when it has this many characters. Their former values and their data may each have as many. A client may have 8 MiB
 * of responses that it has not read.
 */
export const pageLengthMax = 2 ** 20

/** The maximum number of changes that the event loop reads at once: what a page of a list has. */
export const readAtOnceMax = 50

/** Whether a record has at most `max` changes. */
export function hasFewChanges(reader: Reader, recordId: string, max = readAtOnceMax): boolean {
  const sql = `SELECT count(*) FROM (SELECT 1 FROM change INDEXED BY change_record_id
    WHERE workspace_id = :workspace AND record_id = ? LIMIT ?)`
  return reader.value<number>(sql, packUuid(recordId), max + 1)! <= max
}

/** The numbers of terms of the log. Terms that no change has had are left out. */
export function termIds(reader: Reader, texts: readonly string[]): number[] {
  const sql = 'SELECT id FROM change_term WHERE text IN (SELECT value FROM json_each(?))'
  return reader.values<number>(sql, JSON.stringify(texts))
}

/** The author and the request that created a record; undefined if the log no longer has its creation. */
export function lookupCreation(
  reader: Reader,
  recordId: string,
): { actor: Actor; requestId: string | null } | undefined {
  const [first] = selectStored(reader, 'record_id', 'AND record_id = ? ORDER BY seq LIMIT 1', packUuid(recordId))
  return first && { actor: readActor(first.actor), requestId: first.requestId }
}

/** Reads `api_key <id>` or `operator`. */
export function readActor(stored: string): Actor {
  const [type, id = null] = stored.split(' ') as [Actor['type'], string?]
  return { type, id }
}
