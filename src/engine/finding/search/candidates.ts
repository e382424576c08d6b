import type { Reader } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import type { Condition } from '../../records/definition/filter.ts'
import { undeleted } from '../../records/select.ts'
import { lookUp, type Pattern, type Search } from '../list/lookup.ts'
import { piecesOf, startOf } from '../list/pieces.ts'
import { beginning } from './conditions.ts'
import type { SearchTarget, TargetField } from './target.ts'
import { equalTo, inForm, isLong, type SearchQuery, type Word } from './words.ts'

/** The words that are looked up; the others are compared afterwards. */
const lookedUpMax = 3

/** Ids of records that may match, up to `idsMax`: every matching record is among them if they are fewer. Undefined: any record may. */
export function candidatesFor(
  reader: Reader,
  target: SearchTarget,
  query: SearchQuery,
  idsMax: number,
): string[] | undefined {
  return lookUp(searchOf(target, query), reader, idsMax)
}

/** What the search index looks up: each record that may match has one pattern of each word. */
export function searchOf(target: SearchTarget, { words, short }: SearchQuery): Search {
  const longest = words.filter((word) => short || isLong(word)).toSorted((a, b) => b.text.length - a.text.length)
  const each = longest.slice(0, lookedUpMax).map((word) => anywhere(target, word))
  return { name: target.name, each, starts: short }
}

/** Ids of records whose names may begin with the query, or with each of its words. */
export function namesFor(reader: Reader, target: SearchTarget, query: SearchQuery, idsMax: number): string[] {
  return idsOf(reader, beginningWith(target.table, target.fields.filter(isName), namePrefixes(query)), idsMax)
}

/** One of these begins a name of each record whose name begins with the query, or with each of its words. */
export function namePrefixes(query: SearchQuery): Word[] {
  return [...new Set([longest(query), query.words[0]!])]
}

/** Ids of records that the query identifies, as far as an index finds them. */
export function identifiedBy(reader: Reader, target: SearchTarget, query: SearchQuery, idsMax: number): string[] {
  const byId = query.id === undefined ? [] : [query.id]
  return [...byId, ...idsOf(reader, exactSelects(target, query), idsMax)]
}

/** Selects the ids of records with a value that is the query. */
export function exactSelects({ table, fields }: SearchTarget, query: SearchQuery): Condition[] {
  const exact = fields.filter(({ isExact }) => isExact)
  return exact.map((field) => ({
    sql: `${idsIn(table, field)} AND ${field.key} IN (SELECT value FROM json_each(?))`,
    params: [JSON.stringify(equalTo(query, field.form))],
  }))
}

function beginningWith(table: string, fields: readonly TargetField[], words: readonly Word[]): Condition[] {
  return fields.flatMap((field) =>
    words.map((word) => {
      const { sql, params } = beginning(field, [word])
      return { sql: `${idsIn(table, field)} AND ${sql}`, params }
    }),
  )
}

function idsOf(reader: Reader, selects: readonly Condition[], idsMax: number): string[] {
  if (selects.length === 0) return []
  const sql = `${selects.map(({ sql }) => sql).join(' UNION ALL ')} LIMIT ?`
  return reader.values<string>(sql, ...selects.flatMap(({ params }) => params), idsMax)
}

/** Selects the ids of records by the index of a field. */
function idsIn(table: string, { index, items }: TargetField): string {
  return items
    ? `SELECT ${items.owner} FROM ${items.table} WHERE workspace_id = :workspace${items.also}`
    : `SELECT id FROM ${indexed(table, index)} WHERE ${undeleted}`
}

/** What the search index looks up to find a word in any field. */
function anywhere({ table, fields }: SearchTarget, word: Word): Pattern[] {
  return fields.map(({ key, mark, items, form }) => {
    const from = `FROM ${items?.table ?? table} WHERE workspace_id = :workspace${items?.also ?? ''} ORDER BY ${items?.owner ?? 'id'} DESC`
    const text = inForm(word, form)
    const pieces = isLong(word) ? piecesOf(text) : [startOf(text)]
    return { mark, pieces, sample: `SELECT substr(${key}, 1, ${sampleLength}) ${from}` }
  })
}

/** In characters of a long text, which is sampled to find out which pieces are rare. */
const sampleLength = 500

function longest({ words }: SearchQuery): Word {
  return words.reduce((longest, word) => (word.text.length > longest.text.length ? word : longest))
}

function isName({ isName }: TargetField): boolean {
  return isName
}
