import type { Reader } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import type { Condition } from '../../records/definition/filter.ts'
import { undeleted } from '../../records/select.ts'
import { namePrefixes } from './candidates.ts'
import { beginning, holding, starting } from './conditions.ts'
import { type FoundRow, type Match, rankOf } from './rank.ts'
import type { SearchTarget, TargetField } from './target.ts'
import type { SearchQuery, Word } from './words.ts'

/** The number of records that are read at a time: their texts may be long. */
const readMax = 100
/** The number that is read first: it often has enough matches. */
const readFirst = 20

/** The condition that every record meets. */
export const all: Condition = { sql: '1', params: [] }

/** Reads those of some records that meet a condition, part by part, and ranks those that match. `also` is added to the statement. */
export function* matchesAmong(
  reader: Reader,
  target: SearchTarget,
  query: SearchQuery,
  ids: readonly string[],
  { sql, params }: Condition,
  also: string,
): Iterable<Match> {
  const select = `SELECT ${columnsOf(target)} FROM ${target.table}
    WHERE ${undeleted} AND id IN (SELECT value FROM json_each(?)) AND ${sql} ${also}`
  const unique = [...new Set(ids)]
  for (let at = 0; at < unique.length; at += readMax) {
    const rows = reader.rows<FoundRow>(select, JSON.stringify(unique.slice(at, at + readMax)), ...params)
    yield* rows.flatMap((row) => rankOf(row, target, query) ?? [])
  }
}

/** The records that match a condition, and then the query, the latest change first. */
export function* matchesByChange(
  reader: Reader,
  target: SearchTarget,
  query: SearchQuery,
  { sql, params }: Condition,
  also: string,
): Iterable<Match> {
  const { table, changed } = target
  const places = changed.columns.split(', ')
  const select = (after: string) => `SELECT ${columnsOf(target)} FROM ${indexed(table, changed.index)}
    WHERE ${undeleted} AND ${sql} ${also} ${after} ORDER BY ${places.map((each) => `${each} DESC`).join(', ')} LIMIT ?`
  const following = select(`AND (${changed.columns}) < (${places.map(() => '?').join(', ')})`)
  let rows = reader.rows<FoundRow>(select(''), ...params, readFirst)
  while (rows.length > 0) {
    yield* rows.flatMap((row) => rankOf(row, target, query) ?? [])
    const last = rows.at(-1)!
    rows = reader.rows<FoundRow>(following, ...params, ...places.map((each) => last[each]!), readMax)
  }
}

/** A condition that every record meets whose name begins with the query, or with each of its words. */
export function inNames({ fields }: SearchTarget, query: SearchQuery): Condition {
  return anyOf(fields.filter(({ isName }) => isName).map((field) => beginning(field, namePrefixes(query))))
}

/** A condition that every record meets that has the words of the query; `exactly`: no other record meets it. */
export function anywhere(target: SearchTarget, query: SearchQuery, how: 'nearly' | 'exactly' = 'nearly'): Condition {
  const { table, fields } = target
  const { words, short } = query
  const each = words.map((word) => anyOf(fields.map((field) => inField(table, field, word, short, how))))
  return { sql: each.map(({ sql }) => sql).join(' AND '), params: each.flatMap(({ params }) => params) }
}

function inField(table: string, field: TargetField, word: Word, short: boolean, how: 'nearly' | 'exactly'): Condition {
  const on = short ? starting : holding
  if (field.form !== 'unfolded') return inRecord(table, field, (key) => on({ ...field, key }, word))
  if (how === 'nearly') return { sql: `${field.column} IS NOT NULL`, params: [] } // compared after it has been folded
  return on({ ...field, key: `fold(${field.column})` }, word)
}

/** A condition on a record, one of whose values in a field meets another condition, on their key. */
export function inRecord(table: string, { key, items }: TargetField, on: (key: string) => Condition): Condition {
  if (!items) return on(key)
  const { sql, params } = on(`+${key}`) // by the index of their owner: that of the key may lead to many other records
  const ofRecord = `SELECT 1 FROM ${items.table} WHERE workspace_id = :workspace AND ${items.owner} = ${table}.id${items.also}`
  return { sql: `EXISTS (${ofRecord} AND ${sql})`, params }
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`,
    params: conditions.flatMap(({ params }) => params),
  }
}

function columnsOf({ table, fields }: SearchTarget): string {
  const columns = fields.flatMap(({ column, key, form, items }, at) => {
    if (!items) return [`${column} AS text${at}`, ...(form === 'unfolded' ? [] : [`${key} AS key${at}`])]
    return [
      `(SELECT json_group_array(json_array(${column}, ${key})) FROM ${items.table}
        WHERE workspace_id = :workspace AND ${items.owner} = ${table}.id${items.also}) AS text${at}`,
    ]
  })
  return ['id', 'updated_at', ...columns].join(', ')
}
