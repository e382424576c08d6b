import { type Detail, validationError } from '../../errors.ts'
import { filterOf, includesOf } from '../definition/define.ts'
import { invalid, oneOf, quote } from '../definition/faults.ts'
import type { Resource } from '../definition/resource.ts'
import { type Approached, approachByField, approachByItems } from './approach.ts'
import { type Filter, inValuesMax, type Operator } from './filters.ts'
import { readOrder, type SortKey } from './order.ts'

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
  /** Binds a cursor: the same text for the same sort and filters (decision C3). */
  binding: string
}

export const conditionsMax = 50

type Parameter = [name: string, value: string]

const pagingParameters = ['limit', 'page', 'per_page', 'cursor'] as const
const listParameters = [...pagingParameters, 'sort', 'include'] as const
const filterPattern = /^(?:filter\[(\w+)\]|(\w+))(?:\[(\w+)\])?$/

/** Reads the query string of a list. Throws VALIDATION_ERROR with every invalid parameter (decisions B5, C7). */
export function readListQuery(resource: Resource, queryString: string): ListQuery {
  const details: Detail[] = []
  const parameters = parametersOf(queryString, details)
  const once = readOnce(parameters, listParameters, details)
  const filters = parameters.filter(([name]) => !listParameters.includes(name as never))
  if (filters.length > conditionsMax) {
    details.push(invalid(filters[conditionsMax]![0], `A list takes at most ${conditionsMax} filters`))
  }
  const query = {
    where: filters.flatMap(([name, value]) => readFilter(resource, name, value, details)),
    order: readOrder(resource, once.get('sort'), details),
    includes: readIncludes(resource, once.get('include'), details),
    ...readPaging(resource, once, details),
    binding: JSON.stringify([once.get('sort') ?? '', filters]),
  }
  if (details.length > 0) throw validationError(details)
  return query
}

/** Reads the query string of a request for one record, which has `include` only (decision D11). */
export function readRecordQuery(resource: Resource, queryString: string): string[] {
  const details: Detail[] = []
  const allowed = Object.keys(includesOf(resource)).length > 0 ? ['include'] : []
  const includes = readIncludes(resource, readParameters(queryString, allowed, details).get('include'), details)
  if (details.length > 0) throw validationError(details)
  return includes
}

/** Checks the query string of a request without parameters. Throws VALIDATION_ERROR. */
export function refuseParameters(queryString: string): void {
  const details: Detail[] = []
  readParameters(queryString, [], details)
  if (details.length > 0) throw validationError(details)
}

/** Reads the allowed parameters. Unknown and repeated ones are added to `details`. */
export function readParameters(
  queryString: string,
  allowed: readonly string[],
  details: Detail[],
): Map<string, string> {
  const parameters = parametersOf(queryString, details)
  const unknown = parameters.filter(([name]) => !allowed.includes(name))
  details.push(...unknown.map(([name]) => unknownParameter(name, allowed)))
  return readOnce(parameters, allowed, details)
}

function parametersOf(queryString: string, details: Detail[]): Parameter[] {
  if (queryString === '') return []
  const parameters = [...new URLSearchParams(queryString)]
  const meant = /%EF%BF%BD/i.test(queryString)
  for (const [name, value] of parameters) {
    const text = name + value
    if (text.includes('\0') || (text.includes('\uFFFD') && !meant)) {
      details.push(invalid(name, `${name} must be percent-encoded UTF-8 without U+0000 (a literal % is written %25)`))
    }
  }
  return parameters
}

function readOnce(parameters: Parameter[], names: readonly string[], details: Detail[]): Map<string, string> {
  const once = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (!names.includes(name)) continue
    if (once.has(name)) details.push(invalid(name, `${name} must be given once`))
    once.set(name, value)
  }
  return once
}

function readFilter(resource: Resource, parameter: string, value: string, details: Detail[]): Approached[] {
  const [, nested, plain, given] = filterPattern.exec(parameter) ?? []
  const name = nested ?? plain
  const operator = given ?? resource.defaultOperators[name ?? ''] ?? 'eq'
  const found = name === undefined ? undefined : lookupFilter(resource, name)
  if (!found) {
    details.push(unknownParameter(parameter, [...parametersOfLists(resource), ...filterNames(resource)]))
    return []
  }
  const allowed = found.filter.operators
  if (!allowed.includes(operator as Operator)) {
    details.push(invalid(parameter, `${name} takes the operators ${allowed.join(', ')}, not ${operator}`))
    return []
  }
  if (operator === 'in' && (value === '' || value.split(',').length > inValuesMax)) {
    details.push(invalid(parameter, `${parameter} takes 1 to ${inValuesMax} values separated by commas`))
    return []
  }
  const condition = found.compile(operator as Operator, value, parameter)
  if (!condition) details.push(invalid(parameter, `${parameter} must be ${found.filter.expected}`, 'INVALID_FORMAT'))
  return condition ? [condition] : []
}

interface Compiled {
  filter: Filter
  compile(operator: Operator, value: string, parameter: string): Approached | undefined
}

function lookupFilter(resource: Resource, name: string): Compiled | undefined {
  if (resource.filters.includes(name)) {
    const field = resource.columns[name]!
    const { filter, on } = filterOf(field)
    const compile: Compiled['compile'] = (operator, value, parameter) => {
      const condition = filter.condition(on, operator, value)
      return condition && approachByField(resource, field, operator, condition, parameter)
    }
    return { filter, compile }
  }
  if (!Object.hasOwn(resource.itemFilters, name)) return undefined
  const { collection, field } = resource.itemFilters[name]!
  const { filter, on } = filterOf(resource.collections[collection]!.fields[field]!)
  const compile: Compiled['compile'] = (operator, value, parameter) => {
    const condition = filter.condition(on, operator === 'ne' ? 'eq' : operator, value)
    return condition && approachByItems(resource, name, condition, { negated: operator === 'ne', parameter })
  }
  return { filter, compile }
}

function parametersOfLists(resource: Resource): string[] {
  const expands = Object.keys(includesOf(resource)).length > 0
  return listParameters.filter((name) => name !== 'include' || expands)
}

function filterNames(resource: Resource): string[] {
  return [...resource.filters, ...Object.keys(resource.itemFilters)]
}

function readIncludes(resource: Resource, value: string | undefined, details: Detail[]): string[] {
  if (value === undefined) return []
  const allowed = Object.keys(includesOf(resource))
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown !== undefined) details.push(invalid('include', oneOf(`include cannot expand ${quote(unknown)}`, allowed)))
  return [...new Set(names)].sort()
}

function readPaging(resource: Resource, once: Map<string, string>, details: Detail[]) {
  const { default: fallback, max } = resource.pageSize
  const integer = (name: string): number | undefined => {
    const value = once.get(name)
    if (value === undefined) return undefined
    const parsed = /^\d{1,400}$/.test(value) ? Number(value) : 0
    if (parsed < 1) details.push(invalid(name, `${name} must be an integer of at least 1`, 'OUT_OF_RANGE'))
    return parsed
  }
  const perPage = integer('per_page')
  const limit = integer('limit') ?? perPage ?? fallback
  const page = integer('page') ?? 1
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

function unknownParameter(name: string, allowed: readonly string[]): Detail {
  return invalid(name, oneOf(`Unknown parameter ${quote(name)}`, allowed))
}
