import { declaredKeys, matchingOn } from '../../engine/api/upsert/matching.ts'
import { findOrCreate, keysOfNamed, namedIn, readNamed } from '../../engine/api/upsert/named.ts'
import { declaredOf } from '../../engine/records/declared/declared.ts'
import type { Relation, Resource } from '../../engine/records/definition/resource.ts'
import { parseJson } from '../../engine/records/kinds/exact-numbers.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { type JsonObject, readCreate } from '../../engine/records/rows/validate.ts'
import type { Limits } from '../../engine/records/rows/write.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'
import { tryOut } from '../../store/try-out.ts'
import { type Batch, earlierRecords, type Position } from './batch.ts'
import { type Import, rightsToName } from './import-rows.ts'
import { batchSize } from './records.ts'
import { lookupResultOf, type RowOutcome, type RowResult } from './results.ts'
import type { RowWork } from './row-work.ts'

/** A row that would have written something, or has found that it need not. */
export interface EarlierRow {
  /** JSON */
  text: string
  outcome: RowOutcome
  /** The relations for which it would have created a record. */
  named: readonly string[]
}

/** The rows before a place that have not failed. */
export function earlierRows(reader: Reader, batch: Batch, position: Position): EarlierRow[] {
  const resultOf = lookupResultOf(reader, batch.job_id)
  return earlierRecords(reader, batch, position).flatMap((text, index) => {
    const { outcome = 'failed', named = [] } = resultOf(index + 1) ?? {}
    return outcome === 'failed' ? [] : { text, outcome, named }
  })
}

/** The rows that a transaction of a dry run runs, as JSON. */
interface Part {
  /** Earlier rows that concern the same records. They are run again, because nothing of them was written. */
  earlier: readonly string[]
  /** The next rows. */
  rows: readonly string[]
}

/** A part has at least this many new rows, if there are as many. Of the earlier ones, the last run again that fit into a batch. */
const rowsMin = 12

/** Chooses the next rows: as many as can be run together with the earlier ones in the time of a batch. */
export function nextPart(job: Import, earlier: () => readonly EarlierRow[], texts: readonly string[]): Part {
  const keysOf = keyReader(job)
  if (!keysOf) return { earlier: [], rows: texts }
  const all = earlier().flatMap(({ text, outcome }) => (outcome === 'unchanged' ? [] : text)) // those would change nothing
  const [allKeys, keys] = [all.map(keysOf), texts.map(keysOf)]
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

/** Reads what a record is compared with others by; undefined: no record concerns another. */
function keyReader({ resource, reader, matchOn }: Import): ((text: string) => string[]) | undefined {
  const declared = declaredOf(resource, reader)
  const matching = matchOn === null ? undefined : matchingOn(resource, declared, matchOn)
  const unique = declared.filter(({ isUnique }) => isUnique)
  if (!matching && unique.length === 0) return undefined
  return (text) => {
    return readValid(text, (body) => {
      const input = readCreate(resource, reader, body, namedIn(resource, body))
      const own = unique.flatMap((field) =>
        declaredKeys(field, reader, input.values).map((key) => `${field.key} ${key}`),
      )
      return [...(matching?.keysOf(reader, input) ?? []).map((key) => `match ${key}`), ...own]
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
 * Prepares to create again the records that earlier rows have created because they name them, such as organizations, if a plan limits them:
 * nothing of them was written, and they count. Those that none of `texts` names are only counted.
 */
export function nameAgain(
  job: Import,
  limits: Limits,
  earlier: () => readonly EarlierRow[],
  texts: readonly string[],
): (tx: Writer) => void {
  const { resource, reader } = job
  const isLimited = ({ named, target }: Relation) => named && (limits[target.limit ?? ''] ?? null) !== null
  if (!Object.values(resource.relations).some(isLimited)) return () => {}
  const read = (text: string) => readValid(text, (body) => readNamed(resource, reader, body))
  const wanted = new Set(texts.flatMap(read).flatMap((each) => keysOfNamed(each, reader)))
  const created = earlier().flatMap(({ text, named }) =>
    named.length === 0 ? [] : read(text).filter(({ name }) => named.includes(name)),
  )
  const { again = [], others = [] } = Object.groupBy(created, (each) =>
    keysOfNamed(each, reader).some((key) => wanted.has(key)) ? 'again' : 'others',
  )
  return (tx) => {
    const rights = rightsToName(job, tx, limits)
    for (const each of again) unlessRefused(() => findOrCreate(each, tx, rights))
    for (const [target, { length }] of Map.groupBy(others, ({ target }) => target)) addToCount(tx, target, length)
  }
}

/** What an earlier row could do may be refused by now. */
function unlessRefused(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

interface Rehearsal {
  resource: Resource
  earlier: readonly RowWork[]
  /** The number of records that the rows before would have created. */
  created: number
  /** Creates again what these have named. */
  name(tx: Writer): void
  run(): RowResult[]
}

/** Runs rows after the earlier ones that concern them, and undoes what all of them wrote. The ids of records that no longer exist are left out. */
export function rehearse(tx: Writer, { resource, created, name, earlier, run }: Rehearsal): RowResult[] {
  return tryOut(tx, () => {
    name(tx)
    const repeated = earlier.map((work) => work(tx, {})).filter(isCreated)
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
