import { matchingOn } from '../../engine/api/upsert/matching.ts'
import { findOrCreate, keysOfNamed, type NamedRecord, namedIn, readNamed } from '../../engine/api/upsert/named.ts'
import { declaredOf } from '../../engine/records/declared/declared.ts'
import { prefix } from '../../engine/records/declared/find.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { parseJson } from '../../engine/records/kinds/exact-numbers.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { type JsonObject, readCreate } from '../../engine/records/rows/validate.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { tryOut } from '../../store/try-out.ts'
import { type Batch, earlierRecords, type Position } from './batch.ts'
import { type Import, importRow, rightsToName } from './import-rows.ts'
import { batchSize } from './records.ts'
import { lookupResultOf, type RowOutcome, type RowResult } from './results.ts'

/** A row that would have written something, or has found that it need not. */
export interface EarlierRow {
  /** JSON */
  text: string
  outcome: RowOutcome
  /** The id of the record that it has changed, or found, if that exists. */
  id: string | null
  /** The relations for which it would have created a record. */
  named: readonly string[]
}

/** The rows before a place that have not failed. */
export function earlierRows(reader: Reader, batch: Batch, position: Position): EarlierRow[] {
  const resultOf = lookupResultOf(reader, batch.job_id)
  return earlierRecords(reader, batch, position).flatMap((text, index) => {
    const { outcome = 'failed', id = null, named = [] } = resultOf(index + 1) ?? {}
    return outcome === 'failed' ? [] : { text, outcome, id, named }
  })
}

/** The rows that a transaction of a dry run runs. */
interface Part {
  /** Earlier rows that concern the same records. They are run again, because nothing of them was written. */
  earlier: readonly EarlierRow[]
  /** The next rows, as JSON. */
  rows: readonly string[]
}

/** A part has at least this many new rows, if there are as many. Of the earlier ones, the last run again that fit into a batch. */
const rowsMin = 12

/** Chooses the next rows: as many as can be run together with the earlier ones in the time of a batch. */
export function nextPart(job: Import, earlier: () => readonly EarlierRow[], texts: readonly string[]): Part {
  const keysOf = keyReader(job)
  if (!keysOf) return { earlier: [], rows: texts }
  const all = earlier().filter(({ outcome }) => outcome !== 'unchanged') // those would change nothing
  const [allKeys, keys] = [all.map(({ text, id }) => keysOf(text, [id])), texts.map((text) => keysOf(text))]
  for (let count = texts.length; ; count = Math.max(rowsMin, Math.floor(count / 2))) {
    const found = concerning(allKeys, new Set(keys.slice(0, count).flat()))
    if (found.length + count > batchSize && count > rowsMin) continue
    const again = found.slice(-(batchSize - count)).map((index) => all[index]!)
    return { earlier: again, rows: texts.slice(0, count) }
  }
}

/** The indexes, in order, of those that have a wanted key, or a key in common with one that has. */
function concerning(keysOf: readonly string[][], wanted: Set<string>): number[] {
  const found = new Set<number>()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const [index, keys] of keysOf.entries()) {
      if (found.has(index) || !keys.some((key) => wanted.has(key))) continue
      found.add(index)
      for (const key of keys) wanted.add(key)
    }
  }
  return [...found].sort((a, b) => a - b)
}

/** Reads what a record is compared with others by: also the records that exist and have its values. Undefined: no record concerns another. */
function keyReader({ resource, reader, matchOn }: Import) {
  const declared = declaredOf(resource, reader)
  const unique = declared.flatMap(({ key, isUnique }) => (isUnique ? prefix + key : []))
  const names = new Set([matchOn, resource.unique, ...unique])
  const matchings = [...names].flatMap((name) => (name && matchingOn(resource, declared, name)) || [])
  if (matchings.length === 0) return undefined
  return (text: string, ids?: readonly (string | null)[]): string[] => {
    return readValid(text, (body) => {
      const input = readCreate(resource, reader, body, namedIn(resource, body))
      const keys = matchings.flatMap(({ name, keysOf }) => keysOf(reader, input).map((key) => `${name} ${key}`))
      const found = ids ?? matchings.flatMap(({ idsOf }) => idsOf(reader, input) ?? [])
      return [...keys, ...found.flatMap((id) => (id === null ? [] : `id ${id}`))]
    })
  }
}

/** Reads a record, given as JSON. One that is not valid writes nothing. */
function readValid<T>(text: string, read: (body: JsonObject) => T[]): T[] {
  const body = parseJson(text)
  if (!isPlainObject(body)) return []
  try {
    return read(body)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') return []
    throw error
  }
}

/**
 * Prepares what comes before the next rows: earlier rows run again, and in their order, what the other ones have created because they name it,
 * such as organizations. What none of these rows names is only counted.
 */
export function repeating(
  job: Import,
  earlier: () => readonly EarlierRow[],
  { earlier: again, rows }: Part,
): (tx: Writer) => RowResult[] {
  const { resource, reader } = job
  const works = new Map(again.map((row) => [row, importRow(job, row.text)]))
  const mayName = Object.values(resource.relations).some(({ named }) => named)
  if (!mayName) return (tx) => [...works.values()].map((work) => work(tx, {}))
  const read = (text: string) => readValid(text, (body) => readNamed(resource, reader, body))
  const keysOf = (each: NamedRecord) => keysOfNamed(each, reader)
  const wanted = new Set([...again.map(({ text }) => text), ...rows].flatMap(read).flatMap(keysOf))
  const steps: ((tx: Writer) => RowResult[])[] = []
  const others: NamedRecord[] = []
  for (const row of earlier()) {
    const work = works.get(row)
    if (work) steps.push((tx) => [work(tx, {})])
    if (work || row.named.length === 0) continue
    for (const each of read(row.text).filter(({ name }) => row.named.includes(name))) {
      if (keysOf(each).some((key) => wanted.has(key))) steps.push((tx) => createAgain(job, tx, each))
      else others.push(each)
    }
  }
  return (tx) => {
    const results = steps.flatMap((step) => step(tx))
    for (const [target, { length }] of Map.groupBy(others, ({ target }) => target)) addToCount(tx, target, length)
    return results
  }
}

function createAgain(job: Import, tx: Writer, named: NamedRecord): [] {
  try {
    findOrCreate(named, tx, rightsToName(job, tx, {}))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error // what an earlier row could do may be refused by now
  }
  return []
}

interface Rehearsal {
  resource: Resource
  /** The number of records that the rows before would have created. */
  created: number
  /** Repeats what the rows need from earlier ones. */
  repeat(tx: Writer): RowResult[]
  run(): RowResult[]
}

/** Runs rows after what they need of the earlier ones, and undoes what all of them wrote. The ids of records that no longer exist are left out. */
export function rehearse(tx: Writer, { resource, created, repeat, run }: Rehearsal): RowResult[] {
  return tryOut(tx, () => {
    const repeated = repeat(tx).filter(isCreated)
    addToCount(tx, resource, Math.max(0, created - repeated.length))
    const results = run()
    const gone = new Set([...repeated, ...results.filter(isCreated)].map(({ id }) => id))
    return results.map((result) => withoutIds(result, gone))
  })
}

/** Counts records that a plan's limit includes, and that were not written. */
function addToCount(tx: Writer, { name }: Resource, records: number): void {
  const sql = `INSERT INTO record_count (workspace_id, resource, records) VALUES (:workspace, ?, ?)
    ON CONFLICT DO UPDATE SET records = records + excluded.records`
  tx.run(sql, name, records)
}

function isCreated({ outcome }: RowResult): boolean {
  return outcome === 'created'
}

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

function withoutIds({ id, errors, ...result }: RowResult, gone: ReadonlySet<string | null>): RowResult {
  const named = (text: string) => text.replace(uuid, (found) => (gone.has(found) ? 'a record of this import' : found))
  return {
    ...result,
    id: gone.has(id) ? null : id,
    errors: errors.map(({ error, holders, ...rest }) => ({
      ...{ ...rest, error: named(error) },
      ...(holders && { holders: { ...holders, ids: holders.ids.map(named) } }),
    })),
  }
}
