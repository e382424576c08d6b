import type { Resource } from '../engine/records/definition/resource.ts'
import { loggedJson } from '../engine/records/select.ts'
import { parseExact } from '../lib/exact-json.ts'
import type { Reader } from '../store/reader.ts'
import type { StoredChange } from './stored-change.ts'

/** A record's JSON. */
export type State = Record<string, unknown>
/** What is needed of a change to derive the state before it. */
type Step = Pick<StoredChange, 'seq' | 'previous' | 'data'>

const stepsAtOnce = 64

/**
 * The data of changes of one resource, in order of `seq`: the record after each change, as JSON text. The newest state is the record; an
 * older one is the next newer one with the former values of the change between them. Null: the record has been erased. Undefined if the
 * texts have more than `lengthMax` characters.
 */
export function dataOf(
  resource: Resource,
  reader: Reader,
  changes: readonly StoredChange[],
  lengthMax = Number.POSITIVE_INFINITY,
): Map<number, string | null> | undefined {
  const found = new Map<number, string | null>()
  const byRecord = Map.groupBy(changes, ({ recordId }) => recordId)
  const records = currentTexts(resource, reader, [...byRecord.keys()], lengthMax)
  if (!records) return undefined
  const later = laterSteps(
    reader,
    [...byRecord].filter(([id]) => records.get(id)).map(([id, own]) => ({ id, after: own.at(-1)!.seq })),
  )
  let length = 0
  for (const [id, own] of byRecord) {
    for (const [seq, text] of statesAfter(resource, own, later.get(id) ?? [], records.get(id))) {
      found.set(seq, text)
      length += text?.length ?? 0
      if (length > lengthMax) return undefined
    }
  }
  return found
}

/**
 * The JSON text of records after their newest change; undefined for those without a row, null for erased ones. Undefined if several have
 * more than `bytesMax` bytes.
 */
function currentTexts(
  resource: Resource,
  reader: Reader,
  ids: readonly string[],
  bytesMax: number,
): Map<string, string | null> | undefined {
  if (resource.storage || resource.keepsData || resource.table !== resource.name) return new Map()
  const json = loggedJson(resource)
  const { table } = resource
  const from = `FROM ${table} WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
  const given = JSON.stringify(ids)
  const bytes = `SELECT total(octet_length(record)) ${from}`
  if (ids.length > 1 && bytesMax < Number.POSITIVE_INFINITY && reader.value<number>(bytes, given)! > bytesMax)
    return undefined
  const sql = `SELECT id, iif(deleted_at IS NOT NULL AND ${isErased(table)}, NULL, ${json}) AS text ${from}`
  const rows = reader.rows<{ id: string; text: string | null }>(sql, given)
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** A SQL condition: whether a deleted record has left the trash, because it has been erased. */
function isErased(table: string): string {
  return `NOT EXISTS (SELECT 1 FROM trash WHERE trash.workspace_id = :workspace AND trash.id = ${table}.id)`
}

function* statesAfter(
  { collections }: Resource,
  changes: readonly StoredChange[],
  later: readonly Step[],
  record: string | null | undefined,
): Generator<[number, string | null]> {
  if (typeof record !== 'string') {
    for (const { seq, data } of changes) yield [seq, record === undefined ? data : null]
    return
  }
  const wanted = new Set(changes.map(({ seq }) => seq))
  let text = record
  let state: State | undefined
  for (const { seq, previous, data } of [...changes, ...later].reverse()) {
    if (data !== null) {
      text = data
      state = undefined
    }
    if (wanted.has(seq)) yield [seq, state ? JSON.stringify(state) : text]
    if (previous !== null) state = undo(previous, state ?? (parseExact(text) as State), collections)
  }
}

/** Applies the former values of a change to the state after it. */
export function undo(previous: string, state: State, collections: Resource['collections']): State {
  const { unshown, derived, ...former } = parseExact(previous) as State
  for (const [name, value] of Object.entries(former)) state[collections[name]?.as ?? name] = value
  return state
}

/** The place that a record's changes are read from. */
interface Place {
  id: string
  after: number
}

/** Up to 64 changes of each record. The bound of `seq` is the number of the last of them. */
const laterSql = `WITH wanted AS MATERIALIZED (
    SELECT value ->> 'id' AS id, unhex(replace(value ->> 'id', '-', '')) AS packed, value ->> 'after' AS after FROM json_each(?))
  SELECT wanted.id, seq, previous, data FROM wanted CROSS JOIN change INDEXED BY change_record_id
  WHERE workspace_id = :workspace AND record_id = packed AND seq > after AND seq <= ifnull((
    SELECT seq FROM change AS counted INDEXED BY change_record_id
    WHERE workspace_id = :workspace AND record_id = packed AND seq > after ORDER BY seq LIMIT 1 OFFSET ${stepsAtOnce - 1}), 1e15)
  ORDER BY wanted.id, seq`

/** The changes of each record after a number, up to the first that stores the record. */
function laterSteps(reader: Reader, places: readonly Place[]): Map<string, Step[]> {
  if (places.length === 0) return new Map()
  const found = Map.groupBy(reader.rows<Step & { id: string }>(laterSql, JSON.stringify(places)), ({ id }) => id)
  const unfinished = [...found].filter(([, steps]) => steps.length === stepsAtOnce && steps.every(isDerived))
  const more = laterSteps(
    reader,
    unfinished.map(([id, steps]) => ({ id, after: steps.at(-1)!.seq })),
  )
  return new Map([...found].map(([id, steps]) => [id, [...upToStored(steps), ...(more.get(id) ?? [])]]))
}

const isDerived = ({ data }: Step) => data === null

function upToStored(steps: readonly Step[]): Step[] {
  const stored = steps.findIndex((step) => !isDerived(step))
  return stored === -1 ? [...steps] : steps.slice(0, stored + 1)
}
