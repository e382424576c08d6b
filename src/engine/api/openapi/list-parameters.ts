import { sortFieldsMax } from '../../finding/list/order.ts'
import { computedFilter } from '../../finding/query/read-filters.ts'
import { searchParameter } from '../../finding/search/list-filter.ts'
import { queryLengthMax, wordsMax } from '../../finding/search/query-text.ts'
import { isDeclarable } from '../../records/declared/declared.ts'
import { type Field, idField, includable, throughOf } from '../../records/define.ts'
import type { JsonSchema } from '../../records/definition/about.ts'
import { choiceOperators, type Filter, type Operator, operators } from '../../records/definition/filter.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Parameter } from '../../records/describe.ts'
import { inValuesMax, linkFilter } from '../../records/kinds/filters.ts'
import { linkFilters } from '../../records/links.ts'
import { exportParameters } from './describe-export.ts'
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
    ...filtersParameters(doc, resource),
    ...exportParameters(resource),
  ]
}

/** Every filter of a list, with each operator, and those on declared fields. */
export function filtersParameters(doc: Schemas, resource: Resource): Parameter[] {
  const own = filtersOf(resource).flatMap((filtered) => filterParameters(doc, resource, filtered))
  return [...(resource.search ? [searchedBy] : []), ...own, ...(isDeclarable(resource) ? [declaredParameter(doc)] : [])]
}

const searchedBy: Parameter = {
  name: searchParameter,
  about: `Records that \`GET /api-v1-search\` finds: with each of at most ${wordsMax} words in one of the searched fields.`,
  schema: { type: 'string', minLength: 1, maxLength: queryLengthMax },
}

/** `include`, if there is anything to include. */
export function includeParameter(resource: Resource): Parameter[] {
  const names = includable(resource)
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

function sortParameter(resource: Resource): Parameter[] {
  const { sorts, sortDirection, defaultSort } = resource
  const fields = [...sorts, ...(isDeclarable(resource) ? ['metadata\\.\\w+'] : [])].join('|')
  const schema = { type: 'string', pattern: listPattern(`-?(?:${fields})|(?:${fields}):(?:asc|desc)`) }
  const direction = sortDirection === 'asc' ? 'ascending' : 'descending'
  const about = `At most ${sortFieldsMax} fields separated by commas, each as \`field\` (${direction}), \`-field\` (descending), \`field:asc\` or \`field:desc\`: ${sorts.join(', ')}. Default: ${defaultSort ? `by ${defaultSort}` : 'newest first'}.`
  return [{ name: 'sort', about, schema }]
}

/** The filters of a list, without those on declared fields. */
export function filtersOf(resource: Resource): Filtered[] {
  const { name: owner, filters, stored, itemFilters, collections, through, computed } = resource
  const own = filters.map((name) => filtered(name, owner, stored[name]!))
  const items = Object.entries(itemFilters).map(([name, { collection, field }]) => {
    const { table, fields } = collections[collection]!
    return { ...filtered(name, table, fields[field]!), nullable: true }
  })
  const linked = Object.keys(linkFilters(resource)).map((name) => ({
    ...{ name, values: pascal(linkFilter.kind), filter: linkFilter, nullable: false },
  }))
  const related = Object.entries(through).map(([name, each]) => filtered(name, owner, throughOf(resource, each).field))
  const derived = Object.keys(computed).map((name) => ({
    name,
    values: pascal(computedFilter.kind),
    filter: computedFilter,
    nullable: false,
  }))
  return [filtered(idField.name, owner, idField), ...own, ...related, ...derived, ...items, ...linked]
}

function filtered(name: string, owner: string, field: Field): Filtered {
  const filter = field.filter!
  const values = filter.shape.enum ? `${owner}_${name}` : filter.kind
  return { name, values: pascal(values), filter, nullable: field.nullable }
}

/** A parameter for each operator, which every generator can handle. */
function filterParameters(doc: Schemas, resource: Resource, { name, ...filtered }: Filtered): Parameter[] {
  const fallback = resource.defaultOperators[name] ?? 'eq'
  const base = resource.nestsFilters ? `filter[${name}]` : name
  const unshown = Object.hasOwn({ ...resource.unshown, ...resource.through, ...linkFilters(resource) }, name)
    ? [resource.about.fields?.[name] ?? '']
    : Object.hasOwn(resource.computed, name)
      ? [resource.computed[name]!.about]
      : []
  const about = [...unshown, meaning(fallback, filtered)].join(' ')
  return [
    { name: base, schema: valueSchema(doc, filtered, fallback), about },
    ...filtered.filter.operators.map((operator) => ({
      name: `${base}[${operator}]`,
      schema: valueSchema(doc, filtered, operator),
    })),
  ]
}

/** Each workspace declares its own fields, so one parameter stands for all filters on them: in the style `form`, its members are parameters. */
function declaredParameter(doc: Schemas): Parameter {
  const schema = doc.schema('DeclaredFilters', () => ({
    type: 'object',
    patternProperties: {
      [`^metadata\\.\\w+(?:\\[(?:${[...operators, ...choiceOperators].join('|')})\\])?$`]: { type: 'string' },
    },
    additionalProperties: false,
  }))
  const about =
    'Filters on declared fields, each a parameter of its own: `metadata.<key>` or `metadata.<key>[<operator>]`, with a value that the type of the field compares.'
  return { name: 'declared', about, schema }
}

function valueSchema(
  doc: Schemas,
  { values, filter, nullable }: Omit<Filtered, 'name'>,
  operator: Operator,
): JsonSchema {
  const or = nullable && !filter.operators.includes('like') && ['eq', 'ne', 'in'].includes(operator) ? 'OrNull' : ''
  const pattern = or ? `null|${filter.pattern}` : filter.pattern
  if (operator === 'in') {
    const description = `1 to ${inValuesMax} values, separated by commas. A comma within a value is written \`\\,\`, and a backslash before a comma \`\\\\\`.`
    return doc.schema(`${values}${or}List`, () => ({ type: 'string', pattern: listPattern(pattern), description }))
  }
  if (or) return doc.schema(`${values}${or}`, () => ({ type: 'string', pattern: `^(?:${pattern})$` }))
  if (filter.shape.enum) return doc.schema(values, () => filter.shape)
  return doc.schema(`${values}Value`, () => filter.shape)
}

function listPattern(one: string): string {
  return `^(?:${one})(?:,(?:${one}))*$`
}

const equality: Readonly<Record<string, string>> = {
  moment: 'Is this time, or on this UTC day',
  caseless_text: 'Is this text, in upper or lower case',
  email: 'Is this address, in upper or lower case',
  phone_number:
    'Has these digits, with or without a leading `+` or `00`; national notations are the same number if the company has a phone country',
}

function meaning(operator: Operator, { filter, nullable }: Omit<Filtered, 'name'>): string {
  if (operator === 'like') return 'Contains this text, case- and accent-insensitively. `%` is a wildcard.'
  const equal = equality[filter.kind] ?? 'Is exactly this'
  return nullable ? `${equal}; \`null\`: is empty.` : `${equal}.`
}
