import { hash } from 'node:crypto'
import type { Reader, Writer } from '../../store/reader.ts'
import { filterOf } from '../definition/define.ts'
import type { Resource } from '../definition/resource.ts'
import { textFilter } from './filters.ts'

/** The length of a piece, in UTF-16 units. */
const pieceLength = 3
/** The length of a mark, in hexadecimal digits. */
const markLength = 4
/** The maximum number of pieces of a pattern that are looked up. */
const lookedUpMax = 3
const sampledMax = 500
const samplesMax = 200

/** With fewer records of a resource in a workspace, reading all text is faster. */
const searchedRecordsMin = 1_000
/** Up to this many records wait for the index: each search reads them. */
const pendingMin = 200

/** A pattern that the search index can look up: plain data that can be sent to any thread. */
export interface Search {
  /** The name of the resource. */
  name: string
  mark: string
  pieces: string[]
  /** Selects texts of the field, to find out which pieces are rare. */
  sample: string
}

/** The search for a pattern (folded, `%` is a wildcard); undefined if it is too short. `sample` selects texts of the field. */
export function searchFor(resource: Resource, field: string, pattern: string, sample: string): Search | undefined {
  const pieces = [...new Set(pattern.split('%').flatMap(spacedPieces))]
  return pieces.length === 0 ? undefined : { name: resource.name, mark: markOf(resource, field), pieces, sample }
}

/** Finds the ids of records that may match, up to `idsMax`. */
export function lookUp(search: Search, reader: Reader, idsMax: number): string[] {
  const match = rarest(search, reader).map((piece) => `"~${search.mark}${piece}"`)
  const sql = `SELECT id FROM search WHERE search MATCH replace(?, '~', CAST(:workspace AS INTEGER))
    UNION ALL SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ? LIMIT ?`
  return reader.values<string>(sql, match.join(' AND '), search.name, idsMax)
}

/** The frequency of pieces in a sample of a field's texts, by workspace and field. */
const samples = new Map<string, Map<string, number>>()

/** The rarest pieces: a lookup takes time proportional to the frequency, and a few rare pieces exclude nearly as many records as all. */
function rarest({ mark, pieces, sample }: Search, reader: Reader): string[] {
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
  texts: { mark: string; sql: string }[]
}

export function searchedOf(resource: Resource): Searched {
  const { name, table, filters, columns, itemFilters, collections } = resource
  const own = filters
    .filter((field) => columns[field]!.filter === textFilter)
    .map((field) => ({ mark: markOf(resource, field), sql: columns[field]!.keyColumn }))
  const ofItems = Object.entries(itemFilters).map(([filter, { collection, field }]) => {
    const items = collections[collection]!
    const { key } = filterOf(items.fields[field]!).on
    const sql = `(SELECT group_concat(${key}, char(10)) FROM ${items.table}
      WHERE workspace_id = :workspace AND ${items.owner} = ${table}.id)`
    return { mark: markOf(resource, filter), sql }
  })
  return { name, table, texts: [...own, ...ofItems] }
}

/** The resources of a workspace with enough pending records to index. */
export function searchesDue(searched: readonly Searched[], reader: Reader): Searched[] {
  const many = 'SELECT resource FROM record_count WHERE workspace_id = :workspace AND records >= ?'
  const waiting = `SELECT count(*) FROM (SELECT 1 FROM search_pending WHERE workspace_id = :workspace AND resource = ? LIMIT ?)`
  const names = reader.values<string>(many, searchedRecordsMin)
  return searched.filter(
    ({ name }) => names.includes(name) && reader.value<number>(waiting, name, pendingMin) === pendingMin,
  )
}

/** Adds up to `recordsMax` pending records to the index. Returns how many it has added. */
export function enterPending({ name, table, texts }: Searched, tx: Writer, recordsMax: number): number {
  const pending = `SELECT id FROM search_pending WHERE workspace_id = :workspace AND resource = ? ORDER BY id LIMIT ?`
  const ids = tx.values<string>(pending, name, recordsMax)
  const given = JSON.stringify(ids)
  const columns = texts.map(({ sql }, at) => `${sql} AS text${at}`).join(', ')
  const sql = `SELECT id, ${columns} FROM ${table} WHERE workspace_id = :workspace AND id IN (SELECT value FROM json_each(?))`
  const workspace = tx.value<number>('SELECT :workspace')!
  for (const row of tx.rows<Record<string, string | null>>(sql, given)) {
    const pieces = texts.map(({ mark }, at) => markedPieces(`${workspace}${mark}`, row[`text${at}`] ?? ''))
    const all = pieces.filter((each) => each !== '').join(' ')
    if (all !== '') tx.run('INSERT INTO search (pieces, id) VALUES (?, ?)', all, row.id!)
  }
  const entered = `DELETE FROM search_pending WHERE workspace_id = :workspace AND resource = ? AND id IN (SELECT value FROM json_each(?))`
  tx.run(entered, name, given)
  return ids.length
}

/** Distinguishes the pieces of fields. It is short because it precedes each piece; its letter ends the workspace's number. */
function markOf(resource: Resource, field: string): string {
  return `f${hash('sha256', `${resource.name}.${field}`).slice(0, markLength)}`
}

/** All pieces of a text, separated by spaces. */
function markedPieces(mark: string, text: string): string {
  const written = asToken(text)
  let pieces = ''
  for (let at = 0; at + pieceLength <= written.length; at++) {
    pieces += `${at === 0 ? '' : ' '}${mark}${written.slice(at, at + pieceLength)}`
  }
  return pieces
}

/** Pieces that cover a part of a pattern. The overlapping ones in between would exclude little more. */
function spacedPieces(part: string): string[] {
  const written = asToken(part)
  const last = written.length - pieceLength
  const pieces: string[] = []
  for (let at = 0; at < last; at += pieceLength) pieces.push(written.slice(at, at + pieceLength))
  return last < 0 ? [] : [...pieces, written.slice(last)]
}

/** The tokenizer accepts ASCII letters, digits, and non-ASCII characters. Other ASCII characters are moved to the private use area. */
function asToken(text: string): string {
  return text.replace(/[^a-z\d\u0080-\uffff]/g, (character) => String.fromCharCode(0xe000 + character.charCodeAt(0)))
}
