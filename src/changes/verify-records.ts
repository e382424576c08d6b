import { isDeepStrictEqual } from 'node:util'
import { loggedIds, unreplayed } from '../access/logged.ts'
import type { Resource } from '../engine/records/definition/resource.ts'
import { loggedJson, loggedOnly } from '../engine/records/select.ts'
import { parseExact } from '../lib/exact-json.ts'
import { unpackUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'
import { type State, undo } from './derive.ts'
import { boundsOf } from './stored-change.ts'

interface Row {
  seq: number
  record_id: Uint8Array
  type: string | null
  previous: string | null
  data: string | null
}

/** A change of a record: `deal`, `updated`. */
interface Logged extends Pick<Row, 'seq' | 'previous' | 'data'> {
  id: string
  name: string
  verb: string
}

interface Check {
  resources: readonly Resource[]
  reader: Reader
  /** Whether old changes have been pruned, so that a record may lack its first ones. */
  isPruned: boolean
}

const rowsAtOnce = 100

const pageSql = `SELECT seq, record_id, type.text AS type, previous, data
  FROM change INDEXED BY change_record_id LEFT JOIN change_term AS type ON type.id = change.type
  WHERE workspace_id = :workspace AND (record_id, seq) < (?, ?) ORDER BY record_id DESC, seq DESC LIMIT ${rowsAtOnce}`

/** More than every record id. */
const end = Buffer.alloc(17, 0xff)

/**
 * Replays the log of each record backwards from today's record. Finds what does not lead from its creation to the tables: one sentence
 * each. Old states that the log stores are compared with those that are derived without them (decision G13).
 */
export function* verifyRecords(resources: readonly Resource[], reader: Reader): Generator<string> {
  const check = { resources, reader, isPruned: boundsOf(reader).oldest > 1 }
  const all = readBackwards(reader)
  let next = all.next()
  while (!next.done) yield* verifyRecord(check, next.value.id, ofNextRecord())
  for (const resource of resources) yield* verifyTable(check, resource)

  function* ofNextRecord(): Generator<Logged> {
    const { id } = next.value as Logged
    while (!next.done && next.value.id === id) {
      yield next.value
      next = all.next()
    }
  }
}

function* readBackwards(reader: Reader): Generator<Logged> {
  let rows = reader.rows<Row>(pageSql, end, 0)
  while (rows.length > 0) {
    for (const { seq, record_id, type, previous, data } of rows) {
      const [name = '', verb = ''] = type?.split('.') ?? []
      yield { seq, id: unpackUuid(record_id), name, verb, previous, data }
    }
    const { record_id, seq } = rows.at(-1)!
    rows = reader.rows<Row>(pageSql, record_id, seq)
  }
}

/** Reads all `changes`, newest first. */
function* verifyRecord({ resources, reader, isPruned }: Check, id: string, changes: Iterable<Logged>) {
  let replay: Replay | undefined
  let newer: Logged | undefined
  for (const change of changes) {
    if (newer) yield* verifyOrder(newer, change)
    else replay = beginReplay(resources, reader, change)
    if (!newer && replay) yield* verifyPlace(replay, change)
    if (replay?.state) yield* compare(replay, change)
    if (replay) stepBack(replay, change)
    newer = change
  }
  if (newer && newer.verb !== 'created' && !isPruned) yield `${newer.name} ${id} has no change that created it`
}

function* verifyOrder(newer: Logged, { name, verb }: Logged): Generator<string> {
  const what = `change ${newer.seq} of ${newer.name} ${newer.id} is ${newer.verb}`
  if (name !== newer.name) yield `${what}, but the record was a ${name} before`
  else if (!mayFollow(newer.verb, verb)) yield `${what}, but the one before is ${verb}`
}

function mayFollow(verb: string, former: string): boolean {
  if (verb === 'created' || former === 'erased') return false
  return (former === 'deleted') === (verb === 'restored' || verb === 'erased')
}

interface Found {
  text: string
  deleted_at: string | null
  in_trash: number
}

function lookupRecord(resource: Resource, reader: Reader, id: string): Found | undefined {
  const { table, name } = resource
  const json = loggedJson(resource)
  const deletedAt = mayBeDeleted(resource) ? 'deleted_at' : 'NULL AS deleted_at'
  const sql = `SELECT ${json} AS text, ${deletedAt}, EXISTS (
      SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = ${table}.id AND type = '${name}') AS in_trash
    FROM ${table} WHERE workspace_id = :workspace AND id = ?`
  return reader.row<Found>(sql, id)
}

/** Whether records go to the trash; also those that routes of their own delete: mail addresses. */
function mayBeDeleted({ name, table, storage }: Resource): boolean {
  return table === name && storage === undefined
}

interface Replay {
  resource: Resource
  record: Found | undefined
  /** The record after the change that was read last; undefined if it cannot be known. */
  state: State | undefined
}

/** Begins with today's record. The progress of a record that progresses is not logged, but its end is. */
function beginReplay(resources: readonly Resource[], reader: Reader, newest: Logged): Replay | undefined {
  const { id, name, verb } = newest
  const resource = resources.find((each) => each.name === name)
  if (!resource) return undefined
  const record = lookupRecord(resource, reader, id)
  const isKnown = record && verb !== 'erased' && (!resource.progressing || Object.hasOwn(resource.events, verb))
  return { resource, record, state: isKnown ? (parseExact(record.text) as State) : undefined }
}

function stepBack(replay: Replay, { previous }: Logged): void {
  const { resource, state } = replay
  if (resource.progressing) replay.state = undefined
  else if (state && previous !== null) replay.state = undo(previous, state, resource.collections)
}

/** Whether the record is where its newest change has put it. */
function* verifyPlace({ resource, record }: Replay, { id, name, verb }: Logged): Generator<string> {
  const deleted = resource.progressing ? 'removed' : 'in the trash'
  const expected = { deleted, erased: 'erased' }[verb] ?? 'undeleted'
  const place = placeOf(record)
  if (place !== expected) yield `${name} ${id} is ${place}, but its last change is ${name}.${verb}`
}

function placeOf(record: Found | undefined): string {
  if (!record) return 'removed'
  const { deleted_at, in_trash } = record
  if (deleted_at === null) return in_trash ? 'both undeleted and in the trash' : 'undeleted'
  return in_trash ? 'in the trash' : 'erased'
}

/** A state that was stored before an upgrade lacks the fields that the upgrade added. */
function* compare({ resource, state }: Replay, { seq, id, name, data }: Logged): Generator<string> {
  const skipped = resource.table === name ? resource.unlogged : unreplayed
  for (const [field, value] of Object.entries(data === null ? {} : (parseExact(data) as State))) {
    if (skipped.includes(field) || isDeepStrictEqual(value, state![field])) continue
    yield `the ${field} that change ${seq} of ${name} ${id} stores is not what the record and its later changes lead to`
  }
}

/** Finds records without a change, and entries of the trash without a record. */
function* verifyTable({ reader, isPruned }: Check, resource: Resource): Generator<string> {
  const { name, table } = resource
  const own = `SELECT id FROM ${table} WHERE workspace_id = :workspace${loggedOnly(resource)}`
  const ids = table === name ? own : loggedIds(name)
  const unlogged = `SELECT id FROM (${ids}) AS logged WHERE NOT EXISTS (SELECT 1 FROM change
    WHERE workspace_id = :workspace AND record_id = unhex(replace(logged.id, '-', ''))) LIMIT ${rowsAtOnce}`
  if (!isPruned) for (const id of reader.values<string>(unlogged)) yield `${name} ${id} has no change that created it`
  if (!mayBeDeleted(resource)) return
  const astray = `SELECT id FROM trash WHERE workspace_id = :workspace AND type = '${name}' AND NOT EXISTS (SELECT 1 FROM ${table}
    WHERE ${table}.workspace_id = :workspace AND ${table}.id = trash.id AND deleted_at IS NOT NULL) LIMIT ${rowsAtOnce}`
  for (const id of reader.values<string>(astray)) yield `${name} ${id} is in the trash, but is not a deleted record`
}
