import { hash } from 'node:crypto'
import { fold } from '../../../lib/text.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { searchedValues } from '../../records/declared/searched.ts'
import { filterOf } from '../../records/define.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { undeleted } from '../../records/select.ts'
import { allPieces, allStarts } from './pieces.ts'
import { erasedSql } from './search-erasure.ts'

// What the search index has of each record, and how it enters it.

/** The length of a mark, in hexadecimal digits. */
const markLength = 4
/** About how many UTF-16 units of pieces a transaction adds to the index: this takes some 100 ms. */
const enteredLengthMax = 1_000_000
/** What cutting a text into pieces takes, compared with adding as many units of pieces. */
const readCost = 5

/** With fewer records of a resource in a workspace, reading all text is faster. */
const searchedRecordsMin = 1_000
/** Up to this many records wait for the index: each search reads them. */
const pendingMin = 200

/** The searchable text of a resource: plain data that can be sent to any thread. */
export interface Searched {
  /** The name of the resource. */
  name: string
  table: string
  /** The record's own fields, and the fields of its items as one text each, with the mark of their pieces. */
  texts: SearchedText[]
}

interface SearchedText {
  mark: string
  sql: string
  /** Whether the text is folded here, because its folded form is not stored. */
  unfolded?: true
  /** Whether a search compares the text, so that words of one or two characters find it. */
  starts?: boolean
}

export function searchedOf(resource: Resource): Searched {
  const { name, table, filters, stored, itemFilters, collections } = resource
  const own = filters
    .filter((field) => stored[field]!.filter!.operators.includes('like'))
    .map((field) => ({
      mark: markOf(resource, field),
      sql: stored[field]!.keyColumn,
      starts: isSearched(resource, field),
    }))
  const unkeyed = unkeyedOf(resource).map((field) => ({
    mark: markOf(resource, field),
    sql: field,
    unfolded: true as const,
    starts: true,
  }))
  const ofItems = Object.entries(itemFilters).map(([filter, { collection, field }]) => {
    const items = collections[collection]!
    const { key } = filterOf(items.fields[field]!).on
    const sql = `(SELECT group_concat(${key}, char(10)) FROM ${items.table}
      WHERE workspace_id = :workspace AND ${items.owner} = ${table}.id)`
    return { mark: markOf(resource, filter), sql, starts: isSearched(resource, filter) }
  })
  return { name, table, texts: [...own, ...unkeyed, ...ofItems] }
}

function isSearched({ search }: Resource, field: string): boolean {
  return search?.fields.includes(field) ?? false
}

/** The fields that only the search over all resources compares: their folded text is not stored. */
export function unkeyedOf({ search, stored }: Resource): string[] {
  return (search?.fields ?? []).filter((field) => stored[field] && !stored[field].keyed)
}

/** The resources of a workspace with enough pending records to index. */
export function searchesDue(searched: readonly Searched[], reader: Reader): Searched[] {
  const many = 'SELECT resource FROM record_count WHERE workspace_id = :workspace AND records >= ?'
  const names = reader.values<string>(many, searchedRecordsMin)
  return searched.filter(({ name }) => names.includes(name) && countPending(reader, name, pendingMin) === pendingMin)
}

/**
 * Adds pending records to the index, up to `recordsMax` and to the first whose text exceeds a bound. Returns how many it has added: 0 if
 * none is pending.
 */
export function enterPending(searched: Searched, tx: Writer, recordsMax: number): number {
  const { name, table } = searched
  const pending = `SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ?
    AND NOT (${erasedSql(table)}) ORDER BY id LIMIT ?`
  const ids = tx.values<string>(pending, name, recordsMax)
  const entered = enter(searched, tx, ids, allPieces)
  const done = `DELETE FROM search_pending WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))`
  tx.run(done, name, JSON.stringify(ids.slice(0, entered)))
  return entered
}

/** Whether the index lacks the beginnings of words of some records, because they were in it before schema version 20. */
export function lacksStarts(reader: Reader, name: string): boolean {
  return reader.value('SELECT 1 FROM search_start WHERE workspace_id = :workspace AND resource = ?', name) !== undefined
}

/** Adds only the beginnings of words of the next such records that are not pending. Returns how many it has added: 0 if none is left. */
export function enterStarts(searched: Searched, tx: Writer, recordsMax: number): number {
  const { name, table } = searched
  const next = `SELECT id FROM ${table} WHERE ${undeleted}
    AND id > (SELECT after_id FROM search_start WHERE workspace_id = :workspace AND resource = ?)
    AND NOT EXISTS (SELECT 1 FROM search_pending
      WHERE search_pending.workspace_id = :workspace AND resource = ? AND search_pending.id = ${table}.id)
    ORDER BY id LIMIT ?`
  const ids = tx.values<string>(next, name, name, recordsMax)
  const entered = enter(searched, tx, ids, (text, mark, starts) => (starts ? allStarts(text, mark) : []))
  const done = 'DELETE FROM search_start WHERE workspace_id = :workspace AND resource = ?'
  const moved = 'UPDATE search_start SET after_id = ? WHERE workspace_id = :workspace AND resource = ?'
  if (entered === 0) tx.run(done, name)
  else tx.run(moved, ids[entered - 1]!, name)
  return entered
}

/** Adds these records to the index, up to the first whose pieces exceed a bound. Returns how many it has added. */
function enter(
  { name, table, texts: own }: Searched,
  tx: Writer,
  ids: readonly string[],
  piecesOf: (text: string, mark: string, starts: boolean) => string[],
): number {
  const texts: SearchedText[] = [...own, ...searchedValues(name, table, tx)]
  const columns = texts.map(({ sql }, at) => `${sql} AS text${at}`).join(', ')
  const sql = `SELECT ${columns} FROM ${table} WHERE workspace_id = :workspace AND id = ?`
  const workspace = tx.value<number>('SELECT :workspace')!
  let [entered, length] = [0, 0]
  while (entered < ids.length && length < enteredLengthMax) {
    const id = ids[entered++]!
    const row = tx.row<Record<string, string | null>>(sql, id) ?? {}
    const pieces = texts.flatMap(({ mark, unfolded, starts = false }, at) => {
      const text = foldedText(row[`text${at}`], unfolded)
      length += text.length * readCost
      return piecesOf(text, `${workspace}${mark}`, starts)
    })
    const all = pieces.join(' ')
    if (all !== '') tx.run('INSERT INTO search (pieces, id) VALUES (?, ?)', all, id)
    length += all.length
  }
  return entered
}

function foldedText(text: string | null | undefined, unfolded?: true): string {
  return text && unfolded ? fold(text) : (text ?? '')
}

/** Counts the records that wait for the index, up to `max`. */
export function countPending(reader: Reader, name: string, max: number): number {
  const some = 'SELECT 1 FROM search_pending WHERE workspace_id = :workspace AND resource = ? LIMIT ?'
  return reader.value<number>(`SELECT count(*) FROM (${some})`, name, max)!
}

/** Distinguishes the pieces of fields. It is short because it precedes each piece; its letter ends the workspace's number. */
export function markOf({ name }: Resource, field: string): string {
  return `f${hash('sha256', `${name}.${field}`).slice(0, markLength)}`
}
