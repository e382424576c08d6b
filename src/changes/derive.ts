import type { Resource } from '../engine/definition/resource.ts'
import { recordJson } from '../engine/select.ts'
import { packUuid } from '../lib/uuid.ts'
import type { Reader } from '../store/reader.ts'
import type { StoredChange } from './stored-change.ts'

/** A record's JSON. */
export type State = Record<string, unknown>
/** What is needed of a change to derive the state before it. */
type Step = Pick<StoredChange, 'seq' | 'previous' | 'data'>

const stepsAtOnce = 64

/**
 * The data of changes of one resource, in order of `seq`: the record after each change, as JSON text. The newest state is the record; an
 * older one is the next newer one with the former values of the change between them. Null: the record has been erased.
 */
export function dataOf(
  resource: Resource,
  reader: Reader,
  changes: readonly StoredChange[],
): Map<number, string | null> {
  const found = new Map<number, string | null>()
  const byRecord = Map.groupBy(changes, ({ recordId }) => recordId)
  const records = currentTexts(resource, reader, [...byRecord.keys()])
  for (const [id, own] of byRecord) {
    const record = records.get(id)
    if (record === undefined) for (const { seq, data } of own) found.set(seq, data)
    else for (const [seq, text] of statesAfter(resource, reader, id, own, record)) found.set(seq, text)
  }
  return found
}

/** The JSON text of records after their newest change; undefined for those without a row, null for erased ones. */
function currentTexts(resource: Resource, reader: Reader, ids: readonly string[]): Map<string, string | null> {
  if (resource.storage || resource.progressing || resource.table !== resource.name) return new Map()
  const json = recordJson(resource, Object.keys(resource.collections))
  const { table } = resource
  const sql = `SELECT id, iif(deleted_at IS NOT NULL AND ${isErased(table)}, NULL, ${json}) AS text FROM ${table}
    WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
  const rows = reader.rows<{ id: string; text: string | null }>(sql, JSON.stringify(ids))
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** A SQL condition: whether a deleted record has left the trash, because it has been erased. */
export function isErased(table: string): string {
  return `NOT EXISTS (SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = ${table}.id)`
}

function* statesAfter(
  { collections }: Resource,
  reader: Reader,
  id: string,
  changes: readonly StoredChange[],
  record: string | null,
): Generator<[number, string | null]> {
  if (record === null) {
    for (const { seq } of changes) yield [seq, null]
    return
  }
  const wanted = new Set(changes.map(({ seq }) => seq))
  let text = record
  let state: State | undefined
  for (const { seq, previous, data } of [...changes, ...laterSteps(reader, id, changes.at(-1)!.seq)].reverse()) {
    if (data !== null) {
      text = data
      state = undefined
    }
    if (wanted.has(seq)) yield [seq, state ? JSON.stringify(state) : text]
    if (previous !== null) state = undo(previous, state ?? JSON.parse(text), collections)
  }
}

/** Applies the former values of a change to the state after it. */
export function undo(previous: string, state: State, collections: Resource['collections']): State {
  for (const [name, value] of Object.entries(JSON.parse(previous))) state[collections[name]?.as ?? name] = value
  return state
}

/** The changes of a record after a number, up to the first that stores the record. */
function laterSteps(reader: Reader, id: string, after: number): Step[] {
  const sql = `SELECT seq, previous, data FROM change INDEXED BY change_record_id WHERE workspace_id = :workspace AND record_id = ? AND seq > ?
    ORDER BY seq LIMIT ${stepsAtOnce}`
  const packed = packUuid(id)
  const steps: Step[] = []
  for (;;) {
    const next = reader.rows<Step>(sql, packed, steps.at(-1)?.seq ?? after)
    const stored = next.findIndex(({ data }) => data !== null)
    steps.push(...(stored === -1 ? next : next.slice(0, stored + 1)))
    if (stored !== -1 || next.length < stepsAtOnce) return steps
  }
}
