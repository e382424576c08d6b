import { indexOf } from '../../records/columns.ts'
import type { Declared } from '../../records/declared/declared.ts'
import type { Condition } from '../../records/definition/filter.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { anyOf } from '../../records/kinds/filters.ts'
import { undeleted } from '../../records/select.ts'
import type { Approached } from '../list/approach.ts'
import { exactSelects, searchOf } from './candidates.ts'
import { withDeclared } from './declared-fields.ts'
import { type SearchTarget, targetOf } from './target.ts'
import { anywhere, inRecord } from './walk.ts'
import { equalTo, type SearchQuery } from './words.ts'

/** The parameter of a list that finds records as the search does. */
export const searchParameter = 'q'

const targets = new WeakMap<Resource, SearchTarget>()

/** What is searched of a resource with these declared fields; undefined: it is not searched. */
export function searchTargetOf(resource: Resource, declared: readonly Declared[]): SearchTarget | undefined {
  const target = targets.get(resource) ?? targetOf(resource)
  if (target) targets.set(resource, target)
  return target && withDeclared(target, declared)
}

/** Costs of comparing a word, in microseconds: with a text of a record, and with a text of another table. */
const textCost = 3
const otherTextCost = 4.5

/** A filter of a list: the records that a search for the query finds (decision J6). */
export function approachSearch(resource: Resource, declared: readonly Declared[], query: SearchQuery): Approached {
  const target = searchTargetOf(resource, declared)!
  const { fields } = target
  const exact = matching(target, query)
  const index = indexOf(resource, undefined)
  const costs = fields.map(({ items }) => (items ? otherTextCost : textCost))
  return {
    ...{ ...exact, index, parameter: searchParameter },
    cost: query.words.length * costs.reduce((sum: number, cost) => sum + cost, 0),
    texts: {
      items: [...new Set(fields.flatMap(({ items }) => (items?.also === '' ? [items.table] : [])))],
      long: fields.filter(({ form }) => form === 'unfolded').map(({ column }) => column),
    },
    search: { ...searchOf(target, query), selects: identifying(target, query), exact, index },
  }
}

/** The condition that exactly the records meet that a search for the query finds. */
function matching(target: SearchTarget, query: SearchQuery): Condition {
  const { table, fields } = target
  const identified = fields
    .filter(({ isExact }) => isExact)
    .map((field) =>
      inRecord(table, field, (key) => ({
        sql: `${key} IN (SELECT value FROM json_each(?))`,
        params: [JSON.stringify(equalTo(query, field.form))],
      })),
    )
  const byId = query.id === undefined ? [] : [{ sql: 'id = ?', params: [query.id] }]
  return anyOf([...byId, ...identified, anywhere(target, query, 'exactly')])
}

/** Selects the ids of records that the query identifies. */
function identifying(target: SearchTarget, query: SearchQuery): Condition[] {
  const byId = { sql: `SELECT id FROM ${target.table} WHERE ${undeleted} AND id = ?`, params: [query.id ?? ''] }
  return [...(query.id === undefined ? [] : [byId]), ...exactSelects(target, query)]
}
