import { ApiError } from '../../../errors.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Row } from '../definition/change.ts'
import type { Condition } from '../definition/filter.ts'
import type { Resource } from '../definition/resource.ts'
import { heldBy } from '../holders.ts'
import { replaceRanks } from './chosen.ts'
import { type Claims, claimOf } from './claims.ts'
import { type Declared, declaredOf } from './declared.ts'
import { isSearched, markPending } from './searched.ts'
import { equalTo, hasSeveral, type Indexed, identitiesOf, indexedOf } from './types.ts'

// Keeps the values of declared fields: a row for each declared field of each undeleted record, without a key if the value is
// empty or of another type, so that filters and sorts are ranges of one index (decision J3).

/** Stores the values of a record that has been written. Throws ALREADY_EXISTS if a unique value is taken. */
export function enterValues(resource: Resource, tx: Writer, id: string, { metadata }: Row): void {
  const declared = declaredOf(resource, tx)
  if (declared.length === 0) return
  const values = JSON.parse(String(metadata)) as Record<string, unknown>
  for (const each of declared) {
    const indexed = indexedIn(tx, values, each)
    if (each.isUnique && indexed.key !== null) requireFree(resource, tx, each, id, indexed)
    enterValue(resource, tx, each, id, indexed)
  }
}

/** Removes the values of a record that is about to be deleted. */
export function removeValues(resource: Resource, tx: Writer, id: string): void {
  const sql = 'DELETE FROM field_value WHERE workspace_id = :workspace AND field = ? AND record_id = ?'
  for (const declared of declaredOf(resource, tx)) {
    if (hasSeveral(declared.type)) replaceRanks(tx, declared, id, { former: storedText(tx, declared, id), ranks: null })
    tx.run(sql, declared.number, id)
  }
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
  const former = hasSeveral(declared.type) ? storedText(tx, declared, id) : null
  const changed = tx.run(sql, declared.number, id, key, text) > 0
  if (changed && hasSeveral(declared.type)) replaceRanks(tx, declared, id, { former, ranks: text })
  if (changed && key !== null && isSearched(declared)) markPending(resource, tx, id)
}

function storedText(reader: Reader, { number }: Declared, id: string): string | null {
  const sql = 'SELECT text FROM field_value WHERE workspace_id = :workspace AND field = ? AND record_id = ?'
  return reader.value<string | null>(sql, number, id) ?? null
}

/** The unique values of some metadata. */
export function uniqueValues(resource: Resource, reader: Reader, { metadata }: Row): UniqueValue[] {
  const unique = declaredOf(resource, reader).filter(({ isUnique }) => isUnique)
  if (unique.length === 0) return []
  const values = JSON.parse(String(metadata)) as Record<string, unknown>
  return unique.flatMap((declared) => {
    const indexed = indexedIn(reader, values, declared)
    const identities = identitiesOf(reader, declared.type, indexed)
    if (identities.length === 0) return []
    return [{ declared, indexed, claims: identities.map((identity) => claimOf(declared.number, identity)) }]
  })
}

interface UniqueValue {
  declared: Declared
  indexed: Indexed
  /** Another record has an equal value if it has one of these. */
  claims: string[]
}

/** Throws ALREADY_EXISTS if another record has a unique value of some metadata. */
export function requireUniqueValues(resource: Resource, reader: Reader, id: string, row: Row, claims: Claims): void {
  for (const { declared, indexed, claims: own } of uniqueValues(resource, reader, row)) {
    const others = lookupHolders(reader, declared, indexed, holdersMax).filter((each) => each !== id)
    const kept = others.find((each) => !claims.isFree(each, 'metadata'))
    const holder = kept ?? own.map((claim) => claims.holderOf(claim)).find((each) => each !== undefined)
    if (holder !== undefined) throw takenError(resource, declared, holder)
  }
}

/** The number of records that are looked at: several have a value only if an older version or another country told it apart. */
const holdersMax = 20

/** What the index stores of a field's value in some metadata. */
export function indexedIn(reader: Reader, metadata: Readonly<Record<string, unknown>>, declared: Declared): Indexed {
  const { key } = declared
  return indexedOf(reader, declared, Object.hasOwn(metadata, key) ? metadata[key] : undefined)
}

const takenErrors = new WeakSet<object>()

/** Whether an error is about a unique value of a declared field. */
export function isTakenValue(error: unknown): boolean {
  return takenErrors.has(error as object)
}

/** Throws ALREADY_EXISTS if another record has the same value, unless this one had it already: older versions told more values apart. */
function requireFree(resource: Resource, tx: Writer, declared: Declared, id: string, indexed: Indexed): void {
  const holder = lookupHolder(tx, declared, id, indexed)
  if (holder !== undefined && !isStored(tx, declared, id, indexed)) throw takenError(resource, declared, holder)
}

function isStored(reader: Reader, { number }: Declared, id: string, { key, text }: Indexed): boolean {
  const sql = `SELECT 1 FROM field_value
    WHERE workspace_id = :workspace AND field = ? AND record_id = ? AND key IS ? AND text IS ?`
  return reader.value(sql, number, id, key, text) !== undefined
}

function lookupHolder(reader: Reader, declared: Declared, id: string, indexed: Indexed): string | undefined {
  return lookupHolders(reader, declared, indexed, 2).find((each) => each !== id)
}

/** The ids of records that have a value, the oldest first. */
export function lookupHolders(reader: Reader, { number, type }: HeldBy, indexed: Indexed, max: number): string[] {
  return holdersWhere(reader, number, equalTo(reader, type, indexed), max)
}

/** The same for a condition on the columns of `field_value`. */
export function holdersWhere(reader: Reader, number: number, { sql, params }: Condition, max: number): string[] {
  const select = `SELECT record_id FROM field_value INDEXED BY field_value_key
    WHERE workspace_id = :workspace AND field = ? AND ${sql} ORDER BY record_id LIMIT ?`
  return reader.values<string>(select, number, ...params, max)
}

type HeldBy = Pick<Declared, 'number' | 'type'>

function takenError({ label, scopes }: Resource, { key: name }: Declared, holder: string | undefined): ApiError {
  const field = `metadata.${name}`
  const message = `${label} with this ${field} already exists`
  const error = new ApiError('ALREADY_EXISTS', message, { details: [{ field, message, code: 'INVALID_VALUE' }] })
  takenErrors.add(error)
  return heldBy(error, { scope: scopes.read, ids: holder === undefined ? [] : [holder] })
}
