import { type Detail, validationError } from '../../../errors.ts'
import { RecentlyUsed } from '../../../lib/recently-used.ts'
import { type PhoneForms, sameDigits } from '../../../lib/text.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { includable } from '../../records/define.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Approached } from '../list/approach.ts'
import { readOrder, type SortKey } from '../list/order.ts'
import { readParameters, readWhole } from './parameters.ts'
import { readFilters, targetOf } from './read-filters.ts'

/** A parsed list query. */
export interface ListQuery {
  where: Approached[]
  order: SortKey[]
  includes: string[]
  limit: number
  /** 1-based; undefined in cursor pagination. */
  page: number | undefined
  cursor: string | undefined
  /** The fields of the pagination object (decision C2). */
  pagination: 'both' | 'offset' | 'cursor'
  /** Binds a cursor: the same text for sorts and filters that mean the same (decision C3). */
  binding: string
}

const pagingParameters = ['limit', 'page', 'per_page', 'cursor'] as const
const listParameters: readonly string[] = [...pagingParameters, 'sort', 'include']

/** Parsed queries, because the same lists are read again and again: parsing takes longer than reading a page. */
const parsed = new RecentlyUsed<ListQuery>(1_000)
const parsedLengthMax = 300
/** The numbers of sets of declared fields, on which the meaning of a query depends. */
const numbers = new WeakMap<readonly Declared[], number>()
let numbered = 0

/** Like `readListQuery`, but remembers the result for short queries. It depends on nothing else than the parameters. */
export function rememberListQuery(
  resource: Resource,
  queryString: string,
  declared: readonly Declared[],
  phones: PhoneForms,
): ListQuery {
  if (phones !== sameDigits || queryString.length > parsedLengthMax)
    return readListQuery(resource, queryString, declared, phones)
  const number = numbers.get(declared) ?? ++numbered
  numbers.set(declared, number)
  const name = `${number} ${resource.name} ${queryString}`
  return parsed.get(name) ?? parsed.put(name, readListQuery(resource, queryString, declared, phones))
}

/**
 * Reads the query string of a list. Throws VALIDATION_ERROR with every invalid parameter (decisions B5, C7), SERVICE_UNAVAILABLE if it
 * needs the index of a declared field that is incomplete.
 */
export function readListQuery(
  resource: Resource,
  queryString: string,
  declared: readonly Declared[] = [],
  phones: PhoneForms = sameDigits,
): ListQuery {
  const details: Detail[] = []
  const { once, where, meaning } = readFilters(
    { resource, declared, phones, names: listParameters },
    queryString,
    details,
  )
  const order = readOrder(resource, once.get('sort'), details, declared)
  const sorted = order.map(({ column, descending }) => [column, descending])
  const query = {
    where,
    order,
    includes: readIncludes(resource, once.get('include'), details),
    ...readPaging(resource, once, details),
    binding: JSON.stringify([sorted, ...meaning]),
  }
  if (details.length > 0) throw validationError(details)
  return query
}

/** The field that a parameter of a list filters by; undefined if it is no filter. */
export function filteredBy(parameter: string): string | undefined {
  return listParameters.includes(parameter) ? undefined : targetOf(parameter).name
}

/** Reads the query string of a request for one record, which has `include` only (decision D11), and what `also` names, which others read. */
export function readRecordQuery(resource: Resource, queryString: string, also: readonly string[] = []): string[] {
  if (queryString === '') return []
  const details: Detail[] = []
  const allowed = [...(includable(resource).length > 0 ? ['include'] : []), ...also]
  const includes = readIncludes(resource, readParameters(queryString, allowed, details).get('include'), details)
  if (details.length > 0) throw validationError(details)
  return includes
}

/** Reads `include`. The names are in alphabetical order. */
export function readIncludes(resource: Resource, value: string | undefined, details: Detail[]): string[] {
  if (value === undefined) return []
  const allowed = includable(resource)
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown !== undefined) details.push(invalid('include', oneOf(`include cannot expand ${quote(unknown)}`, allowed)))
  return [...new Set(names)].sort()
}

function readPaging(resource: Resource, once: Map<string, string>, details: Detail[]) {
  const { default: fallback, max } = resource.pageSize
  const perPage = readWhole(once, 'per_page', details)
  const limit = readWhole(once, 'limit', details) ?? perPage ?? fallback
  const page = readWhole(once, 'page', details) ?? 1
  const cursor = once.get('cursor')
  const offset = once.has('page') || once.has('per_page')
  if (offset && cursor !== undefined) {
    details.push(invalid('cursor', 'cursor cannot be combined with page or per_page'))
  }
  if (page > Number.MAX_SAFE_INTEGER) details.push(invalid('page', 'page is out of range', 'OUT_OF_RANGE'))
  const pagination = cursor !== undefined ? 'cursor' : offset ? 'offset' : 'both'
  return {
    limit: Math.min(limit, max),
    page: pagination === 'cursor' ? undefined : page,
    cursor,
    pagination,
  } as const
}
