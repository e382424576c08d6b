import { ApiError } from '../../../errors.ts'
import { nounsOf } from '../../../lib/plural.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import type { Resource } from '../definition/resource.ts'
import { storedCount } from '../select.ts'
import { clearRanks } from './chosen.ts'
import { type Declared, declaredOf } from './declared.ts'
import { requireComplete } from './find.ts'
import { repeatedValues } from './repeated.ts'
import type { DeclaredType } from './types.ts'
import { enterValue, holdersWhere, indexedIn } from './values.ts'

/** Announced to listeners (`Store.listen`) when values have to be indexed or removed in the background. */
export const indexingDue = 'indexing due'

/** Up to this many records are indexed in the transaction that declares a field: 20 ms. */
export const indexedAtOnce = 1_500
/** The maximum number of rows that a batch in the background reads or removes. */
const batchRows = 500
const batchRowsDuringWrites = 100

/** How many ids of records with the same value an error names. */
const duplicatesNamed = 20

interface Declaration {
  readonly fieldId: string
  readonly key: string
  readonly type: string
  /** A JSON array. */
  readonly options: string
  readonly isUnique: boolean
}

/** Indexes a field, again if it is declared already: at once if there are few records. Throws CONFLICT. */
export function declare(resource: Resource, tx: Writer, declaration: Declaration): void {
  const { fieldId, key, type, options, isUnique } = declaration
  undeclare(tx, fieldId)
  const isSmall = !isLarge(resource, tx)
  if (isUnique && !isSmall) {
    throw tooLarge(resource, 'declare the field without unique, and make it unique when it has been indexed')
  }
  const number = tx.value<number>('SELECT ifnull(max(number), 0) + 1 FROM field_index WHERE workspace_id = :workspace')!
  const sql = `INSERT INTO field_index (workspace_id, number, resource, key, type, options, is_unique, field_id, reached)
    VALUES (:workspace, ?, ?, ?, ?, ?, ?, ?, '')`
  tx.run(sql, number, resource.name, key, type, options, Number(isUnique), fieldId)
  tx.forget()
  if (isSmall) fill(resource, tx, number, indexedAtOnce + 1)
  if (isUnique) requireDistinct(resource, tx, { number, key, type: type as DeclaredType })
  tx.announce(indexingDue)
}

/** Whether a resource has more records than are indexed at once. */
export function isLarge({ name }: Resource, reader: Reader): boolean {
  return storedCount(name, reader) > indexedAtOnce
}

/** Stops indexing a field. Its values are removed in the background. */
export function undeclare(tx: Writer, fieldId: string): void {
  tx.run('UPDATE field_index SET field_id = NULL WHERE workspace_id = :workspace AND field_id = ?', fieldId)
  tx.forget()
  tx.announce(indexingDue)
}

/** Begins or ends to refuse values that are taken. Throws CONFLICT if some are, SERVICE_UNAVAILABLE if the index is incomplete. */
export function setUnique(resource: Resource, tx: Writer, { fieldId, key, isUnique }: Declaration): void {
  const { number, type, isComplete } = declaredOf(resource, tx).find((each) => each.key === key)!
  if (isUnique) requireComplete({ key, isComplete })
  if (isUnique) requireDistinct(resource, tx, { number, key, type })
  const sql = 'UPDATE field_index SET is_unique = ? WHERE workspace_id = :workspace AND field_id = ?'
  tx.run(sql, Number(isUnique), fieldId)
  tx.forget()
}

/** Whether a declared field has records that are not indexed yet. */
export function isBeingIndexed(reader: Reader, fieldId: string): boolean {
  const sql = 'SELECT 1 FROM field_index WHERE workspace_id = :workspace AND field_id = ? AND reached IS NOT NULL'
  return reader.value(sql, fieldId) !== undefined
}

/** Whether a workspace has values to index or to remove in the background. */
export function hasIndexing(reader: Reader): boolean {
  const sql = `SELECT 1 FROM field_index WHERE workspace_id = :workspace AND (reached IS NOT NULL OR field_id IS NULL)`
  return reader.value(sql) !== undefined
}

/** Does a part of that work; less if other writes are waiting. The work goes on from there after an interruption. */
export function indexSome(resources: readonly Resource[], tx: Writer, isWanted: () => boolean): void {
  const rows = isWanted() ? batchRowsDuringWrites : batchRows
  const sql = `SELECT number, resource, field_id FROM field_index
    WHERE workspace_id = :workspace AND (reached IS NOT NULL OR field_id IS NULL) ORDER BY number LIMIT 1`
  const due = tx.row<{ number: number; resource: string; field_id: string | null }>(sql)
  if (!due) return
  if (due.field_id === null) clear(tx, due.number, rows)
  else fill(resources.find(({ name }) => name === due.resource)!, tx, due.number, rows)
}

/** Indexes the next records. Those that are written in the meantime are indexed by their own writes. */
function fill(resource: Resource, tx: Writer, number: number, rowsMax: number): void {
  const declared = declaredOf(resource, tx).find((each) => each.number === number)!
  const from = 'SELECT reached FROM field_index WHERE workspace_id = :workspace AND number = ?'
  const sql = `SELECT id, metadata FROM ${resource.table}
    WHERE workspace_id = :workspace AND id > ? AND deleted_at IS NULL ORDER BY id LIMIT ?`
  const rows = tx.rows<{ id: string; metadata: string }>(sql, tx.value<string>(from, number)!, rowsMax)
  for (const { id, metadata } of rows)
    enterValue(resource, tx, declared, id, indexedIn(tx, JSON.parse(metadata), declared))
  const reached = rows.length < rowsMax ? null : rows.at(-1)!.id
  tx.run('UPDATE field_index SET reached = ? WHERE workspace_id = :workspace AND number = ?', reached, number)
  tx.forget()
}

function clear(tx: Writer, number: number, rowsMax: number): void {
  if (clearRanks(tx, number, rowsMax) === rowsMax) return
  const values = `SELECT record_id FROM field_value WHERE workspace_id = :workspace AND field = ? LIMIT ?`
  const sql = `DELETE FROM field_value WHERE workspace_id = :workspace AND field = ? AND record_id IN (${values})`
  if (tx.run(sql, number, number, rowsMax) === rowsMax) return
  tx.run('DELETE FROM field_index WHERE workspace_id = :workspace AND number = ?', number)
}

/** Throws CONFLICT with the ids of records that have the same value, up to a bound. */
function requireDistinct(resource: Resource, tx: Writer, declared: Pick<Declared, 'number' | 'key' | 'type'>): void {
  const { number, key } = declared
  const ids: string[] = []
  const { values, records } = repeatedValues(tx, declared, duplicatesNamed / 2)
  const details = values.flatMap((value) => {
    const same = holdersWhere(tx, number, value, duplicatesNamed - ids.length)
    ids.push(...same)
    const message = `These have the same value: ${same.join(', ')}`
    return same.length > 0 ? [{ field: `metadata.${key}`, message, code: 'INVALID_VALUE' as const }] : []
  })
  if (details.length === 0) return
  const others = records - ids.length
  const named = ids.join(', ') + (others > 0 ? ` and ${others} more` : '')
  throw new ApiError('CONFLICT', `Some ${nounsOf(resource)} have the same metadata.${key}: ${named}`, { details })
}

/** The error for a field that cannot be unique at once. */
export function tooLarge(resource: Resource, advice: string): ApiError {
  return new ApiError('CONFLICT', `There are more than ${indexedAtOnce} ${nounsOf(resource)}: ${advice}`)
}
