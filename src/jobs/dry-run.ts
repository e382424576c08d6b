import { batchSize } from '../crm/bulk-records.ts'
import type { RowResult } from '../crm/bulk-results.ts'
import { declaredOf } from '../engine/declared/declared.ts'
import { isPlainObject } from '../engine/definition/fields.ts'
import type { Resource } from '../engine/definition/resource.ts'
import { declaredKeys, matchingOn } from '../engine/upsert/matching.ts'
import { parseJson } from '../engine/write/exact-numbers.ts'
import { readCreate } from '../engine/write/validate.ts'
import type { Limits } from '../engine/write/write.ts'
import { ApiError } from '../errors.ts'
import type { Writer } from '../store/reader.ts'
import { tryOut } from '../store/try-out.ts'
import { type Import, importRow } from './import-rows.ts'
import type { RowWork } from './row-work.ts'

/** The maximum number of earlier rows that are run again: at least a fifth of a batch is new, so that a dry run always advances. */
const earlierMax = (batchSize * 4) / 5

/**
 * The work of the earlier rows, given as JSON, that concern the same records as these; if they are many, of the last ones. A dry run
 * repeats it, because nothing of it was written.
 */
export function earlierWork(job: Import, earlier: () => readonly string[], texts: readonly string[]): RowWork[] {
  const keysOf = keyReader(job)
  if (!keysOf) return []
  const all = earlier()
  const found = concerning(all.map(keysOf), new Set(texts.flatMap(keysOf)))
  return found.slice(-earlierMax).map((index) => importRow(job, all[index]!))
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
    const body = parseJson(text)
    if (!isPlainObject(body)) return []
    try {
      const input = readCreate(resource, reader, body)
      const own = unique.flatMap((field) => declaredKeys(field, input.values).map((key) => `${field.key} ${key}`))
      return [...(matching?.keysOf(input) ?? []).map((key) => `match ${key}`), ...own]
    } catch (error) {
      if (error instanceof ApiError && error.code === 'VALIDATION_ERROR') return [] // it writes nothing
      throw error
    }
  }
}

interface Rehearsal {
  resource: Resource
  limits: Limits
  /** The number of records that earlier rows would have created. */
  created: number
  earlier: readonly RowWork[]
  run(limits: Limits): RowResult[]
}

/** Runs rows after the earlier ones that concern them, and undoes what all of them wrote. The ids of records that no longer exist are left out. */
export function rehearse(tx: Writer, { resource, limits, created, earlier, run }: Rehearsal): RowResult[] {
  return tryOut(tx, () => {
    const repeated = earlier.map((work) => work(tx, {})).filter(isCreated)
    const max = limits[resource.limit ?? '']
    const left = typeof max === 'number' ? { [resource.limit!]: max - created + repeated.length } : {}
    const results = run({ ...limits, ...left })
    const gone = new Set([...repeated, ...results.filter(isCreated)].map(({ id }) => id))
    return results.map((result) => withoutIds(result, gone))
  })
}

function isCreated({ outcome }: RowResult): boolean {
  return outcome === 'created'
}

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g

function withoutIds({ outcome, id, errors }: RowResult, gone: ReadonlySet<string | null>): RowResult {
  const named = (text: string) => text.replace(uuid, (found) => (gone.has(found) ? 'a record of this import' : found))
  return {
    outcome,
    id: gone.has(id) ? null : id,
    errors: errors.map(({ error, ...rest }) => ({ ...rest, error: named(error) })),
  }
}
