import { ApiError } from '../../../errors.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Row } from '../definition/change.ts'
import type { Resource } from '../definition/resource.ts'
import { type Claims, claimOf } from './claims.ts'
import { type Declared, declaredOf } from './declared.ts'
import { isSearched, markPending } from './searched.ts'
import { type Indexed, indexedOf } from './types.ts'

// Keeps the values of declared fields: a row for each declared field of each undeleted record, without a key if the value is
// empty or of another type, so that filters and sorts are ranges of one index (decision J3).

/** Stores the values of a record that has been written. Throws ALREADY_EXISTS if a unique value is taken. */
export function enterValues(resource: Resource, tx: Writer, id: string, { metadata }: Row): void {
  const declared = declaredOf(resource, tx)
  if (declared.length === 0) return
  const values = JSON.parse(String(metadata)) as Record<string, unknown>
  for (const each of declared) {
    const indexed = indexedIn(values, each)
    if (each.isUnique && indexed.key !== null) requireFree(resource, tx, each, id, indexed.key)
    enterValue(resource, tx, each, id, indexed)
  }
}

/** Removes the values of a record that is about to be deleted. */
export function removeValues(resource: Resource, tx: Writer, id: string): void {
  const sql = 'DELETE FROM field_value WHERE workspace_id = :workspace AND field = ? AND record_id = ?'
  for (const { number } of declaredOf(resource, tx)) tx.run(sql, number, id)
}

/** Stores a value of a record. Writes nothing if it is stored. */
export function enterValue(
  resource: Resource,
  tx: Writer,
  declared: Declared,
  id: string,
  { key, text }: Indexed,
): void {
  const sql = `INSERT INTO field_value (workspace_id, field, record_id, key, text) VALUES (:workspace, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET key = excluded.key, text = excluded.text
    WHERE key IS NOT excluded.key OR text IS NOT excluded.text`
  const changed = tx.run(sql, declared.number, id, key, text) > 0
  if (changed && key !== null && isSearched(declared)) markPending(resource, tx, id)
}

/** The unique values of some metadata. */
export function uniqueValues(resource: Resource, reader: Reader, { metadata }: Row): UniqueValue[] {
  const unique = declaredOf(resource, reader).filter(({ isUnique }) => isUnique)
  if (unique.length === 0) return []
  const values = JSON.parse(String(metadata)) as Record<string, unknown>
  return unique.flatMap((declared) => {
    const { key } = indexedIn(values, declared)
    return key === null ? [] : [{ declared, key, claim: claimOf(declared.number, key) }]
  })
}

interface UniqueValue {
  declared: Declared
  key: string | number
  claim: string
}

/** Throws ALREADY_EXISTS if another record has a unique value of some metadata. */
export function requireUniqueValues(resource: Resource, reader: Reader, id: string, row: Row, claims: Claims): void {
  for (const { declared, key, claim } of uniqueValues(resource, reader, row)) {
    const holder = lookupHolder(reader, declared, id, key)
    if (claims.isTaken(claim) || (holder !== undefined && !claims.isFree(holder, 'metadata'))) {
      throw takenError(resource, declared, holder)
    }
  }
}

/** What the index stores of a field's value in some metadata. */
export function indexedIn(metadata: Readonly<Record<string, unknown>>, { key, type, options }: Declared): Indexed {
  return indexedOf(type, options, Object.hasOwn(metadata, key) ? metadata[key] : undefined)
}

/** The records that hold the value that an error is about. */
const holders = new WeakMap<object, string>()

/** Throws ALREADY_EXISTS if another record has the same value. */
function requireFree(resource: Resource, tx: Writer, declared: Declared, id: string, key: string | number): void {
  const holder = lookupHolder(tx, declared, id, key)
  if (holder !== undefined) throw takenError(resource, declared, holder)
}

function lookupHolder(reader: Reader, { number }: Declared, id: string, key: string | number): string | undefined {
  const sql = `SELECT record_id FROM field_value
    WHERE workspace_id = :workspace AND field = ? AND key = ? AND record_id <> ? LIMIT 1`
  return reader.value<string>(sql, number, key, id)
}

function takenError({ label }: Resource, { key: name }: Declared, holder: string | undefined): ApiError {
  const field = `metadata.${name}`
  const message = `${label} with this ${field} already exists`
  const error = new ApiError('ALREADY_EXISTS', message, { details: [{ field, message, code: 'INVALID_VALUE' }] })
  if (holder !== undefined) holders.set(error, holder)
  return error
}

/** Runs a write. If a unique value is taken, the error names the record that holds it. */
export function namingHolder<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    const holder = error instanceof ApiError ? holders.get(error) : undefined
    if (holder === undefined) throw error
    const { code, message, details } = error as ApiError
    throw new ApiError(code, `${message}: ${holder}`, { details: details!, cause: error })
  }
}
