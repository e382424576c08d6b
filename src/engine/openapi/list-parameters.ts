import type { JsonSchema } from '../definition/about.ts'
import { filterOf, includesOf } from '../definition/define.ts'
import type { Parameter } from '../definition/describe.ts'
import type { Resource } from '../definition/resource.ts'
import { type Filter, inValuesMax, type Operator } from '../list/filters.ts'
import { pascal } from './names.ts'
import type { Schemas } from './shapes.ts'

/** A filter and the name of its values: `Moment`, `TaskStatus`. */
interface Filtered {
  name: string
  values: string
  filter: Filter
  nullable: boolean
}

/** Every parameter of a list. Filters are spelled as the list documents them, with each operator (decisions C1 to C7). */
export function listParameters(doc: Schemas, resource: Resource): Parameter[] {
  return [
    ...pagingParameters(resource),
    ...sortParameter(resource),
    ...includeParameter(resource),
    ...filtersOf(resource).flatMap((filtered) => filterParameters(doc, resource, filtered)),
  ]
}

/** `include`, if there is anything to include. */
export function includeParameter(resource: Resource): Parameter[] {
  const names = Object.keys(includesOf(resource))
  if (names.length === 0) return []
  const about = `Related records to show, separated by commas: ${names.join(', ')}.`
  return [{ name: 'include', about, schema: { type: 'string', pattern: listPattern(names.join('|')) } }]
}

function pagingParameters({ pageSize: { default: fallback, max } }: Resource): Parameter[] {
  const from1 = { type: 'integer', minimum: 1 }
  return [
    {
      name: 'limit',
      about: `Page size, at most ${max}; larger values mean ${max}.`,
      schema: { ...from1, default: fallback },
    },
    { name: 'page', about: 'Page number. Not together with `cursor`.', schema: from1 },
    {
      name: 'per_page',
      about: 'Another name for `limit`, which takes precedence. Not together with `cursor`.',
      schema: from1,
    },
    {
      name: 'cursor',
      about: '`next_cursor` of the previous page, with the same sort and filters.',
      schema: { type: 'string' },
    },
  ]
}

function sortParameter({ sorts, sortDirection, defaultSort }: Resource): Parameter[] {
  const fields = sorts.join('|')
  const schema = { type: 'string', pattern: listPattern(`-?(?:${fields})|(?:${fields}):(?:asc|desc)`) }
  const direction = sortDirection === 'asc' ? 'ascending' : 'descending'
  const about = `Fields separated by commas, each as \`field\` (${direction}), \`-field\` (descending), \`field:asc\` or \`field:desc\`: ${sorts.join(', ')}. Default: ${defaultSort ? `by ${defaultSort}` : 'newest first'}.`
  return [{ name: 'sort', about, schema }]
}

function filtersOf({ name: owner, filters, columns, itemFilters, collections }: Resource): Filtered[] {
  const own = filters.map((name) => filtered(name, owner, filterOf(columns[name]!)))
  const items = Object.entries(itemFilters).map(([name, { collection, field }]) => {
    const { table, fields } = collections[collection]!
    return filtered(name, table, filterOf(fields[field]!))
  })
  return [...own, ...items]
}

function filtered(name: string, owner: string, { filter, on }: ReturnType<typeof filterOf>): Filtered {
  const values = filter.shape.enum ? `${owner}_${name}` : filter.kind
  return { name, values: pascal(values), filter, nullable: on.nullable }
}

/** A parameter for each operator, which every generator can handle. */
function filterParameters(doc: Schemas, resource: Resource, { name, ...filtered }: Filtered): Parameter[] {
  const fallback = resource.defaultOperators[name] ?? 'eq'
  const base = resource.nestsFilters ? `filter[${name}]` : name
  return [
    { name: base, schema: valueSchema(doc, filtered, fallback), about: meaning(fallback, filtered) },
    ...filtered.filter.operators.map((operator) => ({
      name: `${base}[${operator}]`,
      schema: valueSchema(doc, filtered, operator),
    })),
  ]
}

function valueSchema(
  doc: Schemas,
  { values, filter, nullable }: Omit<Filtered, 'name'>,
  operator: Operator,
): JsonSchema {
  const or = nullable && filter.kind !== 'text' && ['eq', 'ne', 'in'].includes(operator) ? 'OrNull' : ''
  const pattern = or ? `null|${filter.pattern}` : filter.pattern
  if (operator === 'in') {
    const description = `1 to ${inValuesMax} values, separated by commas.`
    return doc.schema(`${values}${or}List`, () => ({ type: 'string', pattern: listPattern(pattern), description }))
  }
  if (or) return doc.schema(`${values}${or}`, () => ({ type: 'string', pattern: `^(?:${pattern})$` }))
  if (filter.shape.enum) return doc.schema(values, () => filter.shape)
  return doc.schema(`${values}Value`, () => filter.shape)
}

function listPattern(one: string): string {
  return `^(?:${one})(?:,(?:${one}))*$`
}

function meaning(operator: Operator, { filter, nullable }: Omit<Filtered, 'name'>): string {
  if (operator === 'like') return 'Contains this text, case-insensitively. `%` is a wildcard.'
  const equal = filter.kind === 'moment' ? 'Is this time, or on this UTC day' : 'Is exactly this'
  return nullable ? `${equal}; \`null\`: is empty.` : `${equal}.`
}
