import type { Reader } from '../../../store/reader.ts'
import { indexed } from '../../../store/visibility.ts'
import { indexOf } from '../../records/columns.ts'
import { filterOf } from '../../records/define.ts'
import { type Condition, type Operator, timeOfRead } from '../../records/definition/filter.ts'
import type { Computed } from '../../records/definition/options.ts'
import type { Field, IdList, Link, Resource } from '../../records/definition/resource.ts'
import { type Tally, talliedCount, undeleted } from '../../records/select.ts'
import { lookUp, type Search, searchFor } from './lookup.ts'

/** A condition, and the ways to find its rows without reading all rows: plain data that can be sent to any thread. */
export interface Approached extends Condition {
  /** The index of the resource's table for when the condition matches many rows. */
  index: string
  /** Whether it compares a field of the resource itself, with which its index begins. */
  isOwn?: boolean
  /** The query parameter that the condition comes from. */
  parameter: string
  /** The maximum cost of one comparison, in microseconds. */
  cost: number
  /** The table of items, if it compares items instead of the resource's own rows. */
  items?: string
  /** What else a search compares: the tables of items, and the columns of long texts, which it folds. */
  texts?: { items: string[]; long: string[] }
  /** The number of its rows, which is stored. */
  tally?: Tally
  /** The way to use if the condition matches few rows; undefined: it always matches many. */
  narrow?: Narrow
  /** The way to use for patterns of text: the search index. */
  search?: Search & { exact: Condition; index: string }
}

/** Measured costs of a comparison, in microseconds: for texts of 500 letters that nearly match, and for all other values. */
const textCost = 3
const valueCost = 0.3
/** A declared field's value, or what a filter is computed from, is looked up in another table. */
export const declaredCost = 1.5

interface Narrow {
  /** Selects one row for each row that the condition may match. */
  candidates: Condition
  /** Whether the condition matches every one of these rows. */
  exact?: boolean
  /** Replaces the condition. */
  condition: Condition
  index: string
}

/** The maximum number of rows that a condition leaves, and how to read them. */
interface Reached {
  rows: number
  condition: Condition
  index: string
}

/** Finds the rows of a condition, or `closely` those of a pattern. Undefined if it leaves `rowsMax` rows or more. */
export function reach(
  { narrow, search, tally }: Approached,
  reader: Reader,
  rowsMax: number,
  closely: boolean,
): Reached | undefined {
  if (closely && !search?.closer) return undefined
  if (search) {
    const ids = lookUp(closely ? { ...search, each: search.closer! } : search, reader, rowsMax)
    if (!ids) return undefined
    const { sql, params } = search.exact
    const among = { sql: `id IN (SELECT value FROM json_each(?)) AND ${sql}`, params: [JSON.stringify(ids), ...params] }
    return ids.length < rowsMax ? { rows: ids.length, condition: among, index: search.index } : undefined
  }
  if (!narrow) return undefined
  const { candidates, condition, index } = narrow
  const count = `SELECT count(*) FROM (${candidates.sql} LIMIT ${rowsMax})`
  const rows = tally ? talliedCount(tally, reader) : reader.value<number>(count, ...candidates.params)!
  return rows < rowsMax ? { rows, condition, index } : undefined
}

/** The condition of a filter with a value that is known to be valid, for `list`. */
export function conditionOn(resource: Resource, name: string, operator: Operator, value: string): Approached {
  const field = resource.stored[name]!
  const { filter, on } = filterOf(field)
  return approachByField(resource, field, operator, filter.condition(on, operator, value)!)
}

/** Another condition, of which many rows are expected: they are read by the index of a field. */
export function conditionBy(resource: Resource, name: string, condition: Condition): Approached {
  return approachByField(resource, resource.stored[name]!, 'ne', condition)
}

/** The condition that a field has one of some values, which may be none. */
export function conditionAmong(resource: Resource, name: string, values: readonly string[]): Approached {
  if (values.length > 0) return conditionOn(resource, name, 'in', values.join())
  return approachByField(resource, resource.stored[name]!, 'in', { sql: 'FALSE', params: [] })
}

/** A filter on a field of the resource itself. */
export function approachByField(
  resource: Resource,
  field: Field,
  operator: Operator,
  condition: Condition,
  parameter: string = field.name,
): Approached {
  const { table } = resource
  const index = indexOf(resource, field)
  const own = { ...condition, index, isOwn: true, parameter, cost: costOf(condition) }
  if (condition.parts !== undefined) {
    const sample = `SELECT ${field.keyColumn} FROM ${table} WHERE workspace_id = :workspace ORDER BY id DESC`
    return { ...own, ...searchOf(resource, field.name, condition.parts, sample, condition) }
  }
  if (operator === 'ne') return own
  const sql = `SELECT 1 FROM ${indexed(table, index)} WHERE ${undeleted} AND ${condition.sql}`
  const narrow = { candidates: { sql, params: condition.params }, condition, index }
  const [value] = condition.params // none: it looks for null
  if (!condition.equality || value === undefined || !resource.tallied.includes(field.name)) return { ...own, narrow }
  return { ...own, narrow, tally: { name: resource.name, field: field.keyColumn, value } }
}

/** A filter on a field of the record that `reference` leads to, which is one of few. */
export function approachThrough(
  resource: Resource,
  reference: Field,
  operator: Operator,
  { sql, params }: Condition,
  parameter: string,
): Approached {
  const among = `${reference.name} IN (SELECT id FROM ${reference.target!.table} WHERE workspace_id = :workspace AND ${sql})`
  const isNone = operator === 'ne' && reference.nullable ? ` OR ${reference.name} IS NULL` : ''
  return approachByField(resource, reference, operator, { sql: `(${among}${isNone})`, params }, parameter)
}

/** A filter that is evaluated when it is read. */
export function approachComputed(
  resource: Resource,
  { holds, records, params: given = [timeOfRead] }: Computed,
  isTrue: boolean,
  parameter: string,
): Approached {
  const params = [...given]
  const index = indexOf(resource, undefined)
  const own = { params, index, parameter, cost: declaredCost }
  if (!isTrue) return { ...own, sql: `NOT ${holds}` }
  const condition = { sql: `id IN (${records})`, params }
  return { ...own, sql: holds, narrow: { candidates: { sql: records, params }, exact: true, condition, index } }
}

/** A filter on items: some item matches. If `negated`, none does, so a record without items matches (decision C6). */
export function approachByItems(
  resource: Resource,
  name: string,
  condition: Condition,
  { negated, parameter }: { negated: boolean; parameter: string },
): Approached {
  const { collection, field } = resource.itemFilters[name]!
  const { table, owner, fields } = resource.collections[collection]!
  const { params, parts } = condition
  const items = `FROM ${table} WHERE workspace_id = :workspace AND ${condition.sql}`
  const index = indexOf(resource, undefined)
  const sql = `id ${negated ? 'NOT IN' : 'IN'} (SELECT ${owner} ${items})`
  const own = { sql, params, index, parameter, cost: costOf(condition), items: table }
  if (negated) return own
  if (parts !== undefined) {
    const each = { sql: `EXISTS (SELECT 1 ${items} AND ${owner} = ${resource.table}.id)`, params }
    const sample = `SELECT ${fields[field]!.keyColumn} FROM ${table} WHERE workspace_id = :workspace ORDER BY ${owner} DESC`
    return { ...own, ...searchOf(resource, name, parts, sample, each) }
  }
  return { ...own, narrow: { candidates: { sql: `SELECT 1 ${items}`, params }, condition: own, index } }
}

/**
 * A filter on links: some link leads to one of the records; if `negated`, none does. A link to a deleted record does not count (decision T2); an
 * id in a list does.
 */
export function approachByLinks(
  resource: Resource,
  link: Link | IdList,
  { sql, params }: Condition,
  { negated, parameter }: { negated: boolean; parameter: string },
): Approached {
  const { table, owner, to, target } = link
  const isThere = `EXISTS (SELECT 1 FROM ${target.table} AS target
    WHERE target.workspace_id = :workspace AND target.id = ${table}.${to} AND target.deleted_at IS NULL)`
  const counts = 'first' in link ? `${sql} AND ${isThere}` : sql
  const links = `FROM ${table} WHERE workspace_id = :workspace AND ${counts}`
  const index = indexOf(resource, undefined)
  const among = `id ${negated ? 'NOT IN' : 'IN'} (SELECT ${owner} ${links})`
  const own = { sql: among, params, index, parameter, cost: valueCost }
  return negated ? own : { ...own, narrow: { candidates: { sql: `SELECT 1 ${links}`, params }, condition: own, index } }
}

/** A filter on whether a record has items: `null` means that it has none. */
export function approachByNoItems(
  resource: Resource,
  name: string,
  { negated, parameter }: { negated: boolean; parameter: string },
): Approached {
  const { table, owner } = resource.collections[resource.itemFilters[name]!.collection]!
  const items = `SELECT 1 FROM ${table} WHERE workspace_id = :workspace AND ${owner} = ${resource.table}.id`
  const sql = `${negated ? '' : 'NOT '}EXISTS (${items})`
  return { sql, params: [], index: indexOf(resource, undefined), parameter, cost: valueCost }
}

/** A filter on the values of a declared field. */
export function approachDeclared(
  resource: Resource,
  number: number,
  condition: Condition,
  parameter: string,
): Approached {
  const { sql, params } = condition
  const index = indexOf(resource, undefined)
  const values = `FROM field_value INDEXED BY field_value_key WHERE workspace_id = :workspace AND field = ? AND ${sql}`
  const each = `(SELECT ${sql} FROM field_value
    WHERE workspace_id = :workspace AND field = ? AND record_id = ${resource.table}.id)`
  const own = { index, parameter, cost: declaredCost + costOf(condition) }
  const among = { sql: `id IN (SELECT record_id ${values})`, params: [number, ...params] }
  const candidates = { sql: `SELECT 1 ${values}`, params: [number, ...params] }
  const narrow = { candidates, exact: true, condition: among, index }
  return { ...own, sql: each, params: [...params, number], narrow } // the condition comes first in `each`, and so do its values
}

/** A filter on the options of a declared field of choices. `ids`: SQL that selects the records that match. */
export function approachChoices(
  resource: Resource,
  number: number,
  { condition, ids }: { condition: Condition; ids: string },
  parameter: string,
): Approached {
  const approached = approachDeclared(resource, number, condition, parameter)
  const among = { sql: `id IN (${ids})`, params: [] }
  return { ...approached, narrow: { ...approached.narrow!, candidates: { sql: ids, params: [] }, condition: among } }
}

function costOf({ parts }: Condition): number {
  return parts === undefined ? valueCost : textCost
}

function searchOf(
  resource: Resource,
  name: string,
  parts: readonly string[],
  sample: string,
  exact: Condition,
): Pick<Approached, 'search'> {
  const search = searchFor(resource, name, parts, sample)
  return search ? { search: { ...search, exact, index: indexOf(resource, undefined) } } : {}
}
