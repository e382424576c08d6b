import type { Detail } from '../../errors.ts'
import type { CursorValue } from '../../lib/cursor.ts'
import { indexOf } from '../definition/columns.ts'
import { invalid, oneOf, quote } from '../definition/faults.ts'
import type { Resource } from '../definition/resource.ts'
import type { Condition } from './filters.ts'

export interface SortKey {
  column: string
  /** The index in the order of `column`. */
  index: string
  descending: boolean
  nullable: boolean
}

/** Reads `sort` in either form. The last key is always `id`, so that the order is total (decisions C4, C5). */
export function readOrder(resource: Resource, sort: string | undefined, details: Detail[]): SortKey[] {
  const newestFirst = [idKey(resource, true)]
  if (sort === undefined) return resource.defaultSort ? readOrder(resource, resource.defaultSort, details) : newestFirst
  const keys: SortKey[] = []
  for (const part of sort.split(',')) {
    const [, minus, name, direction] = /^(-?)(\w+)(?::(.*))?$/s.exec(part.trim()) ?? []
    if (name === undefined || !resource.sorts.includes(name) || (minus && direction !== undefined)) {
      details.push(invalid('sort', oneOf(`Cannot sort by ${quote(part)}`, resource.sorts)))
      return newestFirst
    }
    if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
      details.push(invalid('sort', `Cannot sort by ${quote(part)}: the direction must be asc or desc`))
      return newestFirst
    }
    const field = resource.columns[name]!
    const { keyColumn, nullable } = field
    if (keys.some(({ column }) => column === keyColumn)) {
      details.push(invalid('sort', `sort contains ${name} twice`))
      return newestFirst
    }
    keys.push({
      column: keyColumn,
      index: indexOf(resource, field),
      nullable,
      descending: minus === '-' || (direction ?? resource.sortDirection) === 'desc',
    })
  }
  const { descending } = keys.at(-1)!
  const id = idKey(resource, descending)
  // The id contains the time of creation (decision D1), which is redundant before it.
  if (keys.at(-1)!.index === id.index) keys.pop()
  return [...keys, id]
}

function idKey(resource: Resource, descending: boolean): SortKey {
  return { column: 'id', index: indexOf(resource, undefined), descending, nullable: false }
}

/** SQLite orders nulls as documented: first if ascending, last if descending (decision C9). */
export function orderSql(order: SortKey[]): string {
  return order.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ')
}

/**
 * Conditions for the rows after `place`, the sort key values of the last row. The rows of one condition follow those of the one
 * before. Each condition is a range of an index; a single condition for all rows would not be.
 */
export function segmentsAfter(order: SortKey[], place: CursorValue[]): Condition[] {
  const [key, ...rest] = order
  const [value = null, ...restPlace] = place
  const level = { sql: `${key!.column} IS ?`, params: [value] }
  const within = rest.length === 0 ? [] : segmentsAfter(rest, restPlace).map((segment) => both(level, segment))
  return [...within, ...strictlyAfter(key!, value)]
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
