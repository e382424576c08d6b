import type { Detail } from '../errors.ts'
import type { CursorValue } from '../lib/cursor.ts'
import type { Resource } from './define.ts'
import { invalid, oneOf, quote } from './faults.ts'
import type { Condition } from './filters.ts'

export interface SortKey {
  column: string
  descending: boolean
  nullable: boolean
}

const newestFirst: SortKey[] = [{ column: 'id', descending: true, nullable: false }]

/** Reads `sort` in either form; the last key is always `id`, so that every order is total (decisions C4, C5). */
export function readOrder(resource: Resource, sort: string | undefined, details: Detail[]): SortKey[] {
  if (sort === undefined) return resource.defaultSort ? readOrder(resource, resource.defaultSort, details) : newestFirst
  const keys: SortKey[] = []
  for (const part of sort.split(',')) {
    const match = /^(-?)(\w+)(?::(asc|desc))?$/.exec(part.trim())
    const [, minus, name, direction] = match ?? []
    if (name === undefined || !resource.sorts.includes(name) || (minus && direction)) {
      details.push(invalid('sort', oneOf(`Cannot sort by ${quote(part)}`, resource.sorts)))
      return newestFirst
    }
    const { keyColumn, nullable } = resource.columns[name]!
    if (keys.some(({ column }) => column === keyColumn)) {
      details.push(invalid('sort', `sort names ${name} twice`))
      return newestFirst
    }
    keys.push({
      column: keyColumn,
      nullable,
      descending: minus === '-' || (direction ?? resource.sortDirection) === 'desc',
    })
  }
  const { descending } = keys.at(-1)!
  // The id holds the time of creation (decision D1): as the last key, created_at adds nothing to it.
  if (keys.at(-1)!.column === 'created_at') keys.pop()
  return [...keys, { column: 'id', descending, nullable: false }]
}

/** SQLite's own order of nulls is the one we promise: first ascending, last descending (decision C9). */
export function orderSql(order: SortKey[]): string {
  return order.map(({ column, descending }) => `${column} ${descending ? 'DESC' : 'ASC'}`).join(', ')
}

/** The rows behind `place`, the last row's values of the sort keys. */
export function afterSql(order: SortKey[], place: CursorValue[]): Condition {
  const [key, ...rest] = order
  const [value, ...restPlace] = place
  const beyond = strictlyAfter(key!, value!)
  if (rest.length === 0) return beyond
  const level =
    value === null ? { sql: `${key!.column} IS NULL`, params: [] } : { sql: `${key!.column} = ?`, params: [value!] }
  const then = afterSql(rest, restPlace)
  return {
    sql: `(${beyond.sql} OR (${level.sql} AND ${then.sql}))`,
    params: [...beyond.params, ...level.params, ...then.params],
  }
}

function strictlyAfter({ column, descending, nullable }: SortKey, value: CursorValue): Condition {
  if (value === null) return { sql: descending ? '0' : `${column} IS NOT NULL`, params: [] }
  if (!descending) return { sql: `${column} > ?`, params: [value] }
  return { sql: nullable ? `(${column} < ? OR ${column} IS NULL)` : `${column} < ?`, params: [value] }
}
