import type { Field, Resource } from '../../src/engine/records/define.ts'
import type { Operator } from '../../src/engine/records/definition/filter.ts'
import { comparedOf } from '../support/contract.ts'
import type { JsonRecord } from '../support/make.ts'
import { matches, operatorsOf, textKinds } from './expected.ts'

interface Filtered {
  name: string
  field: Field
  /** Several values for a field of a collection. */
  valuesOf: (record: JsonRecord) => unknown[]
  ofItems: boolean
}

function filtersOf({ filters, itemFilters, stored, collections }: Resource): Filtered[] {
  const own = filters.map((name) => ({
    name,
    field: stored[name]!,
    valuesOf: (record: JsonRecord) => [comparedOf(record[name])],
    ofItems: false,
  }))
  const items = Object.entries(itemFilters).map(([name, { collection, field }]) => {
    const { fields, as } = collections[collection]!
    const valuesOf = (record: JsonRecord) => record[as].map((item: JsonRecord) => item[field])
    return { name, field: fields[field]!, valuesOf, ofItems: true }
  })
  return [...own, ...items]
}

/** A value that few records have, one that some have, and one that many have. */
function heldOf({ valuesOf }: Filtered, records: JsonRecord[]): string[] {
  const values = records
    .flatMap(valuesOf)
    .filter((value) => value !== null)
    .map(String)
  const counts = [...Map.groupBy(values, (value) => value)].sort(([, a], [, b]) => a.length - b.length)
  return [counts[0], counts[counts.length >> 1], counts.at(-1)].flatMap((each) => (each ? [each[0]] : []))
}

/** Every filter of a resource with every operator, and values that select few and many of some records. */
export function filteringsOf(resource: Resource, records: JsonRecord[]): Filtering[] {
  return filtersOf(resource).flatMap((filtered) => filteringsOn(filtered, records))
}

/** A filter with an operator and a value. */
export interface Filtering extends Filtered {
  operator: Operator
  probe: string
  parameter: string
}

function filteringsOn(filtered: Filtered, records: JsonRecord[]): Filtering[] {
  const held = heldOf(filtered, records)
  return operatorsOf(filtered.field).flatMap((operator) => {
    const parameter = `${filtered.name}[${operator}]`
    const isPhone = filtered.field.name === 'phone_number' && operator !== 'like' // equality takes only what has digits
    const values = isPhone ? held.filter((value) => /\d/.test(value)) : held
    return probesOf(filtered, operator, values).map((probe) => ({ ...filtered, operator, probe, parameter }))
  })
}

/** The values that records have, and patterns of like. */
function probesOf({ field }: Filtered, operator: Operator, held: string[]): string[] {
  if (operator === 'like') {
    const part = (text: string, length: number) =>
      [...text]
        .slice(1, 1 + length)
        .join('')
        .toUpperCase()
    return [
      ...held.flatMap((text) => [part(text, 2), part(text, 4)]),
      'g & n',
      'a%e%n',
      'zügig%neu',
      'nowhere',
      '%',
      'bau',
      '_mü%7',
    ]
  }
  if (operator === 'in') return held.length > 0 ? [held.join()] : []
  const nothing = field.nullable && !textKinds.has(field.kind) && ['eq', 'ne'].includes(operator) ? ['null'] : []
  return [...held, ...nothing]
}

/** Whether a filter finds a record. */
export function isFound({ field, valuesOf, ofItems, operator, probe }: Filtering, record: JsonRecord): boolean {
  const negated = ofItems && operator === 'ne'
  return valuesOf(record).some((value) => matches(field, negated ? 'eq' : operator, value, probe)) !== negated
}
