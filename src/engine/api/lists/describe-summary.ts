import { groupedThrough, groupFieldsMax, groupNames } from '../../finding/summary/groups.ts'
import { measureNames } from '../../finding/summary/measures.ts'
import { boundsMax, period } from '../../finding/summary/periods.ts'
import { isDeclarable } from '../../records/declared/declared.ts'
import { throughOf } from '../../records/define.ts'
import type { JsonSchema } from '../../records/definition/about.ts'
import type { Amount } from '../../records/definition/options.ts'
import type { Resource } from '../../records/definition/resource.ts'
import type { Describer, Description } from '../../records/describe.ts'
import { filtersParameters } from '../openapi/list-parameters.ts'
import { lower, pascal, plural } from '../openapi/names.ts'
import { cursorPaginationSchema } from '../openapi/record-schemas.ts'
import { nullable } from '../openapi/shapes.ts'

export const groupsDefault = 100
export const groupsMax = 1_000

export function describeSummary(doc: Describer, resource: Resource): Description {
  const records = lower(plural(resource.label))
  const measures = ['count', ...measureNames(resource)]
  const names = groupNames(resource)
  const grouped = listPattern([
    ...names,
    ...(isDeclarable(resource) ? [`${declaredPattern}(?::(?:day|week|month))?`] : []),
  ])
  const measured = listPattern([...measures, ...(isDeclarable(resource) ? [`sum:${declaredPattern}`] : [])])
  return {
    id: `summarize${pascal(plural(resource.name))}`,
    tag: doc.tag(resource),
    summary: `Summarize ${records}`,
    details:
      'Counts and sums of the records that the filters match, by groups, which are ordered by their values. Without `group_by` there is one group.',
    query: [
      {
        name: 'group_by',
        about: `At most ${groupFieldsMax} of: ${names.join(', ')}. Days, weeks (from Monday) and months are in UTC.${aboutDeclared(resource)}`,
        schema: { type: 'string', pattern: `^${grouped}(?:,${grouped})?$` },
      },
      {
        name: 'periods',
        about: `For a group by \`:${period}\`, such as the months of a time zone: 2 to ${boundsMax} timestamps in ascending order, at which one period ends and the next begins. Records before the first and from the last one on are in the group null.`,
        schema: { type: 'string', minLength: 1 },
      },
      {
        name: 'measure',
        about: `Names separated by commas: ${measures.join(', ')}.${aboutAmounts(resource)}`,
        schema: {
          type: 'string',
          default: 'count',
          pattern: `^${measured}(?:,${measured})*$`,
        },
      },
      {
        name: 'limit',
        about: `The number of groups, at most ${groupsMax}; larger values mean ${groupsMax}.`,
        schema: { type: 'integer', minimum: 1, default: groupsDefault },
      },
      {
        name: 'cursor',
        about: '`next_cursor` of the previous page, with the same groups and filters.',
        schema: { type: 'string' },
      },
      ...filtersParameters(doc, resource),
    ],
    response: { about: 'A page of groups.', schema: summarySchema(doc, resource) },
    example: exampleOf(doc, resource),
  }
}

/** A declared field by its name in `group_by` and `measure`. */
const declaredPattern = 'metadata\\.\\w+'

function listPattern(names: readonly string[]): string {
  return `(?:${names.join('|')})`
}

function aboutDeclared(resource: Resource): string {
  return isDeclarable(resource)
    ? ' Also `metadata.<key>` of a declared field, and `sum:metadata.<key>` as a measure if it is a number.'
    : ''
}

function aboutAmounts({ amounts, conversion }: Resource): string {
  const currencies = Object.entries(amounts).map(
    ([name, amount]) => ` \`${amount!.currency}\` is added to the groups of ${name}.`,
  )
  const isWeighted = Object.values(amounts).some((amount) => amount!.probability !== undefined)
  const weighted = isWeighted ? ' Weighted: the value × its probability; no probability counts as 0.' : ''
  const converted = conversion
    ? ' Converted: in the currency of the company, by the exchange rates of today, rounded once. Records of a currency without a rate are in `unconverted`.'
    : ''
  return currencies.join('') + weighted + converted
}

function summarySchema(doc: Describer, resource: Resource): JsonSchema {
  const name = `${pascal(resource.name)}Group`
  const group = doc.schema(name, () => ({
    type: 'object',
    properties: {
      group: {
        type: 'object',
        description: 'The values that the records of the group have in common. A period is its first day.',
        properties: Object.fromEntries(groupsOf(resource).map((each) => [each, valueSchema(doc, resource, each)])),
        ...(isDeclarable(resource) && {
          patternProperties: { [`^${declaredPattern}`]: { type: ['string', 'number', 'boolean', 'null'] } },
        }),
      },
      count: { type: 'integer', minimum: 0, description: 'The number of records.' },
      ...Object.fromEntries(
        measureNames(resource).map((each) => [each, each.startsWith('median:') ? daysSchema : sumSchema]),
      ),
      ...(resource.conversion && { unconverted: unconvertedSchema(doc) }),
    },
    ...(isDeclarable(resource) && { patternProperties: { [`^sum:${declaredPattern}$`]: sumSchema } }),
    required: ['group', 'count'],
  }))
  return doc.schema(`${name}s`, () =>
    doc.object({ data: { type: 'array', items: group }, pagination: cursorPaginationSchema(doc) }),
  )
}

function currencyOf({ fields }: Resource, record: Record<string, unknown>, { currency, of }: Amount) {
  const owner: Record<string, unknown> = of ? fields[of]!.target!.about.example : record
  return { [currency]: owner[currency] }
}

/** What a group can have: what one can ask for, and the currencies of the measures. */
function groupsOf(resource: Resource): string[] {
  const currencies = Object.values(resource.amounts).map((amount) => amount!.currency)
  return [...new Set([...groupNames(resource), ...currencies])]
}

function unconvertedSchema(doc: Describer): JsonSchema {
  return {
    type: 'array',
    description: 'With converted measures: the records whose currency has no rate.',
    items: doc.object({
      currency: { type: 'string' },
      count: { type: 'integer', minimum: 1 },
      sum: sumSchema,
    }),
  }
}

const sumSchema = { type: ['number', 'null'], description: 'Null if it is beyond the range of a double.' }

const daysSchema = {
  type: ['number', 'null'],
  description: 'The median of the days between two times. Null if no record of the group has both.',
}

function valueSchema(doc: Describer, resource: Resource, name: string): JsonSchema {
  const [field, unit] = name.split(':') as [string, string?]
  if (unit !== undefined) return nullable({ type: 'string', format: unit === period ? 'date-time' : 'date' })
  const through = groupedThrough(resource, field)
  if (through) return throughOf(resource, through).field.shape
  const { shape, key } = resource.stored[field]!
  const schema = shape.type === 'object' && key ? { type: 'string' } : doc.field(resource, field) // by what lists compare
  return resource.stored[field]!.nullable ? nullable(schema) : schema
}

/** The example records, by a field that every record has. */
function exampleOf(doc: Describer, resource: Resource): Description['example'] {
  const { filters, stored, amounts } = resource
  const by = filters.find((name) => stored[name]!.kind === 'choice' || stored[name]!.chosen) ?? filters[0]!
  const record = doc.exampleRecord(resource)
  const [amount] = Object.entries(amounts)
  const currency = amount && currencyOf(resource, record, amount[1]!)
  const sums = amount && { [`sum:${amount[0]}`]: record[amount[0]] }
  const all = [record, ...(resource.about.listed ?? []).map((change) => ({ ...record, ...change }))]
  const groups = [...Map.groupBy(all, (each) => each[by])]
  return {
    query: { group_by: by, measure: ['count', ...Object.keys(sums ?? {})].join() },
    response: {
      data: groups.map(([value, { length: count }]) => ({ group: { [by]: value, ...currency }, count, ...sums })),
      pagination: { limit: groupsDefault, has_more: false, cursor: null, next_cursor: null },
    },
  }
}
