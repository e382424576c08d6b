import type { Detail } from '../../../errors.ts'
import type { CursorValue } from '../../../lib/cursor.ts'
import { indexed } from '../../../store/visibility.ts'
import { indexOf, isText } from '../../records/columns.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { declaredNames, findDeclared, prefix } from '../../records/declared/find.ts'
import { hasSeveral } from '../../records/declared/types.ts'
import { throughOf } from '../../records/define.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Condition } from '../../records/definition/filter.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { anyOf, byId } from './source.ts'

/** Looking up the values of more declared fields takes time that grows faster than their number. */
export const sortFieldsMax = 10

export interface SortKey {
  /** A column, or an expression. */
  column: string
  /** The index in the order of `column`. */
  index: string
  descending: boolean
  nullable: boolean
  /** If it is not a column: another table that has the rows in its order. */
  aside?: Aside
}

/** SQL that selects the ids of records (`aside_id`) with their sort keys, and the column of one key in it. */
interface Aside {
  sql: string
  column: string
}

/** Reads `sort` in either form. The last key is always `id`, so that the order is total (decisions C4, C5). */
export function readOrder(
  resource: Resource,
  sort: string | undefined,
  details: Detail[],
  declared: readonly Declared[] = [],
): SortKey[] {
  const newestFirst = [idKey(resource, true)]
  if (sort === undefined)
    return resource.defaultSort ? defaultOrder(resource, resource.defaultSort, details) : newestFirst
  const keys: SortKey[] = []
  const parts = sort.split(',')
  if (parts.length > sortFieldsMax) {
    details.push(invalid('sort', `sort takes at most ${sortFieldsMax} fields`, 'TOO_LONG'))
    return newestFirst
  }
  for (const part of parts) {
    const [, minus, name = '', direction] = /^(-?)([\w.]+)(?::(.*))?$/s.exec(part.trim()) ?? []
    const by = keysOf(resource, declared, name)
    if (!by || (minus && direction !== undefined)) {
      const sortable = declared.filter(({ type }) => !hasSeveral(type))
      const names = [...resource.sorts, ...declaredNames(resource, sortable)]
      details.push(invalid('sort', oneOf(`Cannot sort by ${quote(part)}`, names)))
      return newestFirst
    }
    if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
      details.push(invalid('sort', `Cannot sort by ${quote(part)}: the direction must be asc or desc`))
      return newestFirst
    }
    if (keys.some(({ column }) => column === by[0]!.column)) {
      details.push(invalid('sort', `sort contains ${name} twice`))
      return newestFirst
    }
    const descending = minus === '-' || (direction ?? resource.sortDirection) === 'desc'
    keys.push(...by.map((key) => ({ ...key, descending })))
  }
  const { descending } = keys.at(-1)!
  const id = idKey(resource, descending)
  // The id contains the time of creation (decision D1), which is redundant before it.
  if (keys.at(-1)!.index === id.index) keys.pop()
  return [...keys, id]
}

function defaultOrder(resource: Resource, sort: string, details: Detail[]): SortKey[] {
  const order = readOrder(resource, sort, details)
  const through = resource.defaultSortThrough
  if (!through) return order
  const { sql, reference } = throughOf(resource, through)
  return [{ column: sql, index: order[0]!.index, descending: false, nullable: reference.nullable }, ...order]
}

/** The keys of a field. The index of a text has the order of both (decision C9). */
function keysOf(resource: Resource, declared: readonly Declared[], name: string): By[] | undefined {
  if (name.startsWith(prefix)) return declaredKeys(resource, findDeclared(declared, name))
  if (!resource.sorts.includes(name)) return undefined
  const field = resource.stored[name]!
  const by = { index: indexOf(resource, field), nullable: field.nullable }
  return [field.keyColumn, ...(isText(field) ? [name] : [])].map((column) => ({ ...by, column }))
}

type By = Omit<SortKey, 'descending'>

/** The values of a declared field are stored aside, in their order: `text` is null for types that only have a key. */
function declaredKeys({ table }: Resource, field: Declared | undefined): By[] | undefined {
  if (!field || hasSeveral(field.type)) return undefined
  const { number } = field
  const sql = `SELECT record_id AS aside_id, key AS aside_key, text AS aside_text
    FROM field_value INDEXED BY field_value_key WHERE workspace_id = :workspace AND field = ${number}`
  return ['key', 'text'].map((name) => ({
    column: `(SELECT ${name} FROM field_value
      WHERE workspace_id = :workspace AND field = ${number} AND record_id = ${table}.id)`,
    index: `field_value_key ${number}`,
    nullable: true,
    aside: { sql, column: `aside_${name}` },
  }))
}

function idKey(resource: Resource, descending: boolean): SortKey {
  return { column: 'id', index: indexOf(resource, undefined), descending, nullable: false }
}

/** Where the rows of a list are read, and their order by its columns. */
export interface Ordered {
  source: string
  order: SortKey[]
}

/** The table by the index of the first sort key, or by the table that stores this key. */
export function sourceInOrder(table: string, order: SortKey[]): Ordered {
  const { index, aside } = order[0]!
  if (!aside) return { source: indexed(table, index), order }
  const source = `(${aside.sql}) CROSS JOIN ${byId(table)} ON id = aside_id`
  const columnOf = (key: SortKey) => (key.aside?.sql === aside.sql ? key.aside.column : key.column)
  const keys = order.map((key) => ({ ...key, column: key.column === 'id' ? 'aside_id' : columnOf(key) }))
  return { source, order: keys }
}

/** Whether an index has the rows in this order. */
export function isIndexed(order: readonly SortKey[]): boolean {
  return order.slice(0, -1).every(({ index }) => index === order[0]!.index)
}

/** SQLite orders nulls as documented: first if ascending, last if descending (decision C9). */
export function orderSql(order: SortKey[]): string {
  return order.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ')
}

/**
 * Conditions for the rows after `place`, the sort key values of the last row. The rows of one condition follow those of the one
 * before. Each condition is a range of the index that the first keys share; a single condition for all rows would not be.
 */
export function segmentsAfter([key, ...rest]: readonly SortKey[], place: readonly CursorValue[]): Condition[] {
  const [value = null, ...restPlace] = place
  const beyond = strictlyAfter(key!, value)
  if (rest.length === 0) return beyond
  const within = rest[0]!.index === key!.index ? segmentsAfter(rest, restPlace) : [rowsAfter(rest, restPlace)]
  return [...within.map((each) => both(sameIn(key!, value), each)), ...beyond]
}

/** One condition for all of these rows. Its length is proportional to the number of keys. */
export function rowsAfter([key, ...rest]: readonly SortKey[], place: readonly CursorValue[]): Condition {
  const [value = null, ...restPlace] = place
  const beyond = strictlyAfter(key!, value)
  return anyOf(rest.length === 0 ? beyond : [...beyond, both(sameIn(key!, value), rowsAfter(rest, restPlace))])
}

function sameIn({ column }: SortKey, value: CursorValue): Condition {
  return { sql: `${column} IS ?`, params: [value] }
}

function strictlyAfter({ column, descending, nullable }: SortKey, value: CursorValue): Condition[] {
  if (value === null) return descending ? [] : [{ sql: `${column} IS NOT NULL`, params: [] }]
  if (!descending) return [{ sql: `${column} > ?`, params: [value] }]
  const below = { sql: `${column} < ?`, params: [value] }
  return nullable ? [below, { sql: `${column} IS NULL`, params: [] }] : [below]
}

function both(one: Condition, other: Condition): Condition {
  return { sql: `${one.sql} AND ${other.sql}`, params: [...one.params, ...other.params] }
}
