import type { Detail } from '../../../errors.ts'
import { distinct } from '../../../lib/distinct.ts'
import type { PhoneForms } from '../../../lib/text.ts'
import { matchingChoices } from '../../records/declared/chosen.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { declaredNames, findDeclared, prefix } from '../../records/declared/find.ts'
import { declaredFilter, hasSeveral } from '../../records/declared/types.ts'
import { filterOf, idField, includesOf, throughOf } from '../../records/define.ts'
import { invalid } from '../../records/definition/faults.ts'
import type { Filter, Operator } from '../../records/definition/filter.ts'
import type { IdList, Link, Resource } from '../../records/definition/resource.ts'
import { anyOf, flagFilter, inValuesMax, linkFilter, listedValues, nullLiteral } from '../../records/kinds/filters.ts'
import { linkFilters } from '../../records/links.ts'
import {
  type Approached,
  approachByField,
  approachByItems,
  approachByLinks,
  approachByNoItems,
  approachChoices,
  approachComputed,
  approachDeclared,
  approachThrough,
} from '../list/approach.ts'
import { approachSearch, searchParameter } from '../search/list-filter.ts'
import { readQueryText } from '../search/query-text.ts'
import { parametersOf, readOnce, unknownParameter } from './parameters.ts'

const conditionsMax = 50

const filterPattern = /^(?:filter\[([\w.]+)\]|([\w.]+))(?:\[(\w+)\])?$/

/** What a query may filter by. */
interface Filterable {
  resource: Resource
  declared: readonly Declared[]
  phones: PhoneForms
  /** The names of the parameters that are no filters. */
  names: readonly string[]
}

interface Filters {
  where: Approached[]
  /** The parameters that are no filters. */
  once: Map<string, string>
  /** The same for filters that mean the same, however they are spelled (decision C3). */
  meaning: readonly unknown[]
}

/** Reads all parameters but those of `names` as filters. Adds the invalid ones to `details`. */
export function readFilters(filterable: Filterable, queryString: string, details: Detail[]): Filters {
  const { resource, declared, names } = filterable
  const parameters = parametersOf(queryString, details)
  const others = resource.search ? [...names, searchParameter] : names
  const once = readOnce(parameters, others, details)
  const filters = parameters.filter(([name]) => !others.includes(name))
  if (filters.length > conditionsMax) {
    details.push(invalid(filters[conditionsMax]![0], `A list takes at most ${conditionsMax} filters`))
  }
  const where = filters.flatMap(([name, value]) => readFilter(filterable, name, value, details))
  const conditions = distinct(where.map(({ sql, params }) => [sql, params]))
  const meaning = [conditions, ...meanings(parameters, declared)]
  const query = once.has(searchParameter)
    ? readQueryText(once.get(searchParameter), filterable.phones, details)
    : undefined
  if (!query) return { once, where, meaning }
  return { once, where: [...where, approachSearch(resource, declared, query)], meaning: [...meaning, query] }
}

/** What the declared fields mean that a query names. The type of a field never changes. A cursor contains no period, so it names none. */
function meanings(
  parameters: readonly [string, string][],
  declared: readonly Declared[],
): [string, readonly string[]][] {
  const texts = parameters.flat()
  const named = declared.filter(({ key }) => texts.some((text) => text.includes(prefix + key)))
  return named.map(({ id, options }) => [id, options])
}

/** What a parameter filters by: `value` and `gte` for `value[gte]` and `filter[value][gte]`. */
export function targetOf(parameter: string): { name: string | undefined; operator: string | undefined } {
  const [, nested, plain, operator] = filterPattern.exec(parameter) ?? []
  return { name: nested ?? plain, operator }
}

function readFilter(filterable: Filterable, parameter: string, value: string, details: Detail[]): Approached[] {
  const { resource } = filterable
  const { name, operator = resource.defaultOperators[name ?? ''] ?? 'eq' } = targetOf(parameter)
  const found = name === undefined ? undefined : lookupFilter(filterable, name)
  if (!found) {
    details.push(unknownParameter(parameter, allowedNames(filterable)))
    return []
  }
  const allowed = found.filter.operators
  if (!allowed.includes(operator as Operator)) {
    details.push(invalid(parameter, `${name} takes the operators ${allowed.join(', ')}, not ${operator}`))
    return []
  }
  if (listOperators.includes(operator) && !isList(value)) {
    const code = listedValues(value).length > inValuesMax ? 'TOO_LONG' : 'INVALID_VALUE'
    details.push(invalid(parameter, `${parameter} takes 1 to ${inValuesMax} values separated by commas`, code))
    return []
  }
  const condition = found.compile(operator as Operator, value, parameter)
  const { expected, fault } = found.filter
  if (!condition) details.push(invalid(parameter, `${parameter} must be ${expected}`, fault))
  return condition ? [condition] : []
}

/** The operators that take several values. */
const listOperators = ['in', 'all', 'none']

function isList(value: string): boolean {
  const values = listedValues(value)
  return values.length <= inValuesMax && values.some((each) => each !== '')
}

interface Compiled {
  filter: Filter
  compile(operator: Operator, value: string, parameter: string): Approached | undefined
}

function lookupFilter({ resource, declared, phones }: Filterable, name: string): Compiled | undefined {
  if (name.startsWith(prefix)) return compileDeclared(resource, findDeclared(declared, name), phones)
  if (name === idField.name || resource.filters.includes(name)) {
    const field = resource.stored[name] ?? idField
    const { filter, on } = filterOf(field)
    const compile: Compiled['compile'] = (operator, value, parameter) => {
      const condition = filter.condition(on, operator, value, phones)
      return condition && approachByField(resource, field, operator, condition, parameter)
    }
    return { filter, compile }
  }
  if (Object.hasOwn(resource.through, name)) return compileThrough(resource, name)
  if (Object.hasOwn(resource.computed, name)) return compileComputed(resource, name)
  if (Object.hasOwn(linkFilters(resource), name)) return compileLinks(resource, linkFilters(resource)[name]!)
  if (!Object.hasOwn(resource.itemFilters, name)) return undefined
  const { collection, field } = resource.itemFilters[name]!
  const { filter, on } = filterOf(resource.collections[collection]!.fields[field]!)
  const compile: Compiled['compile'] = (operator, value, parameter) => {
    const how = { negated: operator === 'ne', parameter }
    if (how.negated || operator === 'eq') {
      if (value === nullLiteral) return approachByNoItems(resource, name, how)
    }
    const condition = filter.condition(on, how.negated ? 'eq' : operator, value, phones)
    const items = condition && approachByItems(resource, name, condition, how)
    if (!items || operator !== 'in' || !listedValues(value).includes(nullLiteral)) return items
    const { index, cost } = items
    return { ...anyOf([approachByNoItems(resource, name, how), items]), index, parameter, cost, items: items.items! }
  }
  return { filter, compile }
}

function compileLinks(resource: Resource, link: Link | IdList): Compiled {
  const compile: Compiled['compile'] = (operator, value, parameter) => {
    const isNegated = operator === 'ne'
    const condition = linkFilter.condition({ column: link.to, key: link.to }, isNegated ? 'eq' : operator, value)
    return condition && approachByLinks(resource, link, condition, { negated: isNegated, parameter })
  }
  return { filter: linkFilter, compile }
}

function compileThrough(resource: Resource, name: string): Compiled {
  const { field, reference } = throughOf(resource, resource.through[name]!)
  const { filter, on } = filterOf(field)
  const compile: Compiled['compile'] = (operator, value, parameter) => {
    const condition = filter.condition(on, operator, value)
    return condition && approachThrough(resource, reference, operator, condition, parameter)
  }
  return { filter, compile }
}

/** The filter of what is evaluated when a list is read. */
export const computedFilter: Filter = { ...flagFilter, operators: ['eq'] }

function compileComputed(resource: Resource, name: string): Compiled {
  const compile: Compiled['compile'] = (_, value, parameter) =>
    ['true', 'false'].includes(value)
      ? approachComputed(resource, resource.computed[name]!, value === 'true', parameter)
      : undefined
  return { filter: computedFilter, compile }
}

function compileDeclared(resource: Resource, field: Declared | undefined, phones: PhoneForms): Compiled | undefined {
  if (!field) return undefined
  const { filter, on } = declaredFilter(field.type, field.options)
  const compile: Compiled['compile'] = (operator, value, parameter) => {
    const condition = filter.condition(on, operator, value, phones)
    const ids = hasSeveral(field.type) ? matchingChoices(field, operator, value) : undefined
    if (condition && ids) return approachChoices(resource, field.number, { condition, ids }, parameter)
    return condition && approachDeclared(resource, field.number, condition, parameter)
  }
  return { filter, compile }
}

function allowedNames({ resource, declared, names }: Filterable): string[] {
  const expands = includesOf(resource).length > 0
  const { through, computed, itemFilters } = resource
  const fields = [
    idField.name,
    ...resource.filters,
    ...Object.keys({ ...through, ...linkFilters(resource), ...computed, ...itemFilters }),
  ]
  const others = names.filter((name) => name !== 'include' || expands)
  if (others.length > 0 && resource.offers.views) others.push('view') // which another layer reads (decision J7)
  return [...others, ...(resource.search ? [searchParameter] : []), ...fields, ...declaredNames(resource, declared)]
}
