import { hash } from 'node:crypto'
import { fold } from '../../../lib/text.ts'
import type { Reader, Writer } from '../../../store/reader.ts'
import { searchedValues } from '../../records/declared/searched.ts'
import { filterOf } from '../../records/define.ts'
import type { Condition } from '../../records/definition/filter.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { erasedSql } from './search-erasure.ts'

/** The length of a piece, in UTF-16 units. */
const pieceLength = 3
/** The length of a mark, in hexadecimal digits. */
const markLength = 4
/** The maximum number of pieces of a pattern that are looked up. */
const lookedUpMax = 5
const sampledMax = 500
const samplesMax = 200
/** Texts that are longer, in UTF-16 units, repeat many pieces. */
const longMin = 1_000
/** About how many UTF-16 units of pieces a transaction adds to the index: this takes some 100 ms. */
const enteredLengthMax = 1_000_000

/** With fewer records of a resource in a workspace, reading all text is faster. */
const searchedRecordsMin = 1_000
/** Up to this many records wait for the index: each search reads them. */
const pendingMin = 200

/** What the search index can look up: plain data that can be sent to any thread. */
export interface Search {
  /** The name of the resource. */
  name: string
  /** A record is found that has one pattern of each. */
  each: Pattern[][]
  /** The same with a choice of all pieces, which excludes more records and takes longer. */
  closer?: Pattern[][]
  /** Selects the ids of other records that may match. */
  selects?: Condition[]
}

/** A pattern in the texts of a field. */
export interface Pattern {
  mark: string
  pieces: string[]
  /** Selects texts of the field, to find out which pieces are rare. */
  sample: string
}

/** The search for the folded parts of a pattern; undefined if they are too short. `sample` selects texts of the field. */
export function searchFor(
  resource: Resource,
  field: string,
  parts: readonly string[],
  sample: string,
): Search | undefined {
  const mark = markOf(resource, field)
  const few = [...new Set(parts.flatMap((part) => piecesOf(part)))]
  if (few.length === 0) return undefined
  const all = [...new Set([...few, ...parts.flatMap((part) => piecesOf(part, 1))])]
  const patterns = (pieces: string[]) => [[{ mark, pieces, sample }]]
  return { name: resource.name, each: patterns(few), ...(all.length > few.length && { closer: patterns(all) }) }
}

/** Finds the ids of records that may match, up to `idsMax`: those that are pending, and then those whose text was indexed last. */
export function lookUp({ name, each, selects = [] }: Search, reader: Reader, idsMax: number): string[] {
  const expressions = each.map((patterns) =>
    patterns.map((pattern) => `(${expressionOf(pattern, reader)})`).join(' OR '),
  )
  const expression = expressions.map((any) => `(${any})`).join(' AND ')
  const others = selects.map(({ sql }) => `${sql} UNION ALL `).join('')
  const sql = `${others}SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ?
    UNION ALL SELECT id FROM (SELECT id FROM search WHERE search MATCH replace(?, '~', CAST(:workspace AS INTEGER))
      ORDER BY rowid DESC LIMIT ?) LIMIT ?`
  return reader.values<string>(sql, ...selects.flatMap(({ params }) => params), name, expression, idsMax, idsMax)
}

/** Whether so many records wait for the index that a lookup leaves out some of them. */
export function isBehind(reader: Reader, name: string, idsMax: number): boolean {
  return countPending(reader, name, idsMax) === idsMax
}

/** Counts the records that wait for the index, up to `max`. */
function countPending(reader: Reader, name: string, max: number): number {
  const some = 'SELECT 1 FROM search_pending WHERE workspace_id = :workspace AND resource = ? LIMIT ?'
  return reader.value<number>(`SELECT count(*) FROM (${some})`, name, max)!
}

/** What the index looks up to find the texts of a field that have these pieces. */
function expressionOf(pattern: Pattern, reader: Reader): string {
  return rarest(pattern, reader)
    .map((piece) => `"~${pattern.mark}${piece}"`)
    .join(' AND ')
}

/** The frequency of pieces in a sample of a field's texts, by workspace and field. */
const samples = new Map<string, Map<string, number>>()

/** The rarest pieces: a lookup takes time proportional to the frequency, and a few rare pieces exclude nearly as many records as all. */
function rarest({ mark, pieces, sample }: Pattern, reader: Reader): string[] {
  if (pieces.length <= lookedUpMax) return pieces
  const key = `${reader.value<number>('SELECT :workspace')}${mark}`
  let counts = samples.get(key)
  if (!counts) {
    if (samples.size >= samplesMax) samples.clear()
    counts = countPieces(reader.values<string | null>(`${sample} LIMIT ${sampledMax}`))
    samples.set(key, counts)
  }
  const often = (piece: string) => counts.get(piece) ?? 0
  return pieces.toSorted((a, b) => often(a) - often(b)).slice(0, lookedUpMax)
}

function countPieces(texts: (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const piece of texts.flatMap((text) => markedPieces('', text ?? '').split(' '))) {
    counts.set(piece, (counts.get(piece) ?? 0) + 1)
  }
  return counts
}

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
}

export function searchedOf(resource: Resource): Searched {
  const { name, table, filters, stored, itemFilters, collections } = resource
  const own = filters
    .filter((field) => stored[field]!.filter!.operators.includes('like'))
    .map((field) => ({ mark: markOf(resource, field), sql: stored[field]!.keyColumn }))
  const unkeyed = unkeyedOf(resource).map((field) => ({
    mark: markOf(resource, field),
    sql: field,
    unfolded: true as const,
  }))
  const ofItems = Object.entries(itemFilters).map(([filter, { collection, field }]) => {
    const items = collections[collection]!
    const { key } = filterOf(items.fields[field]!).on
    const sql = `(SELECT group_concat(${key}, char(10)) FROM ${items.table}
      WHERE workspace_id = :workspace AND ${items.owner} = ${table}.id)`
    return { mark: markOf(resource, filter), sql }
  })
  return { name, table, texts: [...own, ...unkeyed, ...ofItems] }
}

/** The fields that only the search over all resources compares: their folded text is not stored. */
export function unkeyedOf({ search, fields }: Resource): string[] {
  return (search?.fields ?? []).filter((field) => fields[field] && !fields[field].keyed)
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
export function enterPending({ name, table, texts: own }: Searched, tx: Writer, recordsMax: number): number {
  const texts = [...own, ...searchedValues(name, table, tx)]
  const pending = `SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ?
    AND NOT (${erasedSql(table)}) ORDER BY id LIMIT ?`
  const ids = tx.values<string>(pending, name, recordsMax)
  const columns = texts.map(({ sql }, at) => `${sql} AS text${at}`).join(', ')
  const sql = `SELECT ${columns} FROM ${table} WHERE workspace_id = :workspace AND id = ?`
  const workspace = tx.value<number>('SELECT :workspace')!
  let [entered, length] = [0, 0]
  while (entered < ids.length && length < enteredLengthMax) {
    const id = ids[entered++]!
    const row = tx.row<Record<string, string | null>>(sql, id) ?? {}
    const pieces = texts.map(({ mark, unfolded }, at) =>
      markedPieces(`${workspace}${mark}`, foldedText(row[`text${at}`], unfolded)),
    )
    const all = pieces.filter((each) => each !== '').join(' ')
    if (all !== '') tx.run('INSERT INTO search (pieces, id) VALUES (?, ?)', all, id)
    length += all.length
  }
  const done = `DELETE FROM search_pending WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))`
  tx.run(done, name, JSON.stringify(ids.slice(0, entered)))
  return entered
}

function foldedText(text: string | null | undefined, unfolded?: true): string {
  return text && unfolded ? fold(text) : (text ?? '')
}

/** Distinguishes the pieces of fields. It is short because it precedes each piece; its letter ends the workspace's number. */
export function markOf({ name }: Resource, field: string): string {
  return `f${hash('sha256', `${name}.${field}`).slice(0, markLength)}`
}

/** All pieces of a text, separated by spaces; a long text has each piece once. */
function markedPieces(mark: string, text: string): string {
  const written = asToken(text)
  const pieces: string[] = []
  for (let at = 0; at + pieceLength <= written.length; at++) pieces.push(mark + written.slice(at, at + pieceLength))
  return (text.length > longMin ? [...new Set(pieces)] : pieces).join(' ')
}

/** Pieces that cover a part of a pattern: one after `step` units, and the last. */
export function piecesOf(part: string, step = pieceLength): string[] {
  const written = asToken(part)
  const last = written.length - pieceLength
  const pieces: string[] = []
  for (let at = 0; at < last; at += step) pieces.push(written.slice(at, at + pieceLength))
  return last < 0 ? [] : [...pieces, written.slice(last)]
}

/** The tokenizer accepts ASCII letters, digits, and non-ASCII characters. Other ASCII characters are moved to the private use area. */
function asToken(text: string): string {
  return text.replace(/[^a-z\d\u0080-\uffff]/g, (character) => String.fromCharCode(0xe000 + character.charCodeAt(0)))
}
