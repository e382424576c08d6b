import { type Field, indexOf, type Resource } from './define.ts'
import type { Condition } from './filters.ts'
import { searchFor } from './search.ts'
import { undeleted } from './select.ts'

/** A condition, and how to reach the rows that it matches without reading all. */
export interface Approached extends Condition {
  /** Of the resource's table: reads no more than this condition alone has to, where it matches many rows. */
  index: string
  /** For where it matches few; undefined where it never does. */
  narrow?: Narrow
}

export interface Narrow {
  /** One row for each that the condition may match. */
  candidates: Condition
  /** In place of the condition. */
  condition: Condition
  index: string
}

/** Of a filter over a field of the resource itself. */
export function approachByField(resource: Resource, field: Field, condition: Condition): Approached {
  const { table } = resource
  const index = indexOf(resource, field)
  const own = { ...condition, index }
  if (condition.pattern !== undefined) {
    return { ...own, ...narrowBySearch(resource, field.name, condition.pattern, condition) }
  }
  const sql = `SELECT 1 FROM ${table} INDEXED BY ${index} WHERE ${undeleted} AND ${condition.sql}`
  return { ...own, narrow: { candidates: { sql, params: condition.params }, condition, index } }
}

/** Some item matches; where `negated`, none does, so that a record without items is kept (decision C6). */
export function approachByItems(resource: Resource, name: string, condition: Condition, negated: boolean): Approached {
  const { collection } = resource.itemFilters[name]!
  const { table, owner } = resource.collections[collection]!
  const { params, pattern } = condition
  const items = `FROM ${table} WHERE workspace_id = :workspace AND ${condition.sql}`
  const own = {
    sql: `id ${negated ? 'NOT IN' : 'IN'} (SELECT ${owner} ${items})`,
    params,
    index: indexOf(resource, undefined),
  }
  if (negated) return own
  if (pattern !== undefined) {
    const each = { sql: `EXISTS (SELECT 1 ${items} AND ${owner} = ${resource.table}.id)`, params }
    return { ...own, ...narrowBySearch(resource, name, pattern, each) }
  }
  return { ...own, narrow: { candidates: { sql: `SELECT 1 ${items}`, params }, condition: own, index: own.index } }
}

function narrowBySearch(resource: Resource, name: string, pattern: string, exact: Condition): { narrow?: Narrow } {
  const search = searchFor(resource, name, pattern)
  if (!search) return {}
  const condition = { sql: `${search.lead.sql} AND ${exact.sql}`, params: [...search.lead.params, ...exact.params] }
  return { narrow: { candidates: search.candidates, condition, index: indexOf(resource, undefined) } }
}
