import type { Detail } from '../../../errors.ts'
import { indexed } from '../../../store/visibility.ts'
import { indexOf } from '../../records/columns.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { findDeclared, prefix } from '../../records/declared/find.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Duration } from '../../records/definition/options.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { undeleted } from '../../records/select.ts'
import { valueColumn } from './declared-values.ts'

/** A sum or median over the records of a group: plain data that can be sent to any thread. */
export interface Measure {
  /** The member, as it was asked for: `sum:value`. */
  name: string
  /** The value of a record as a SQL expression. Null counts as 0 in a sum, and does not count in a median. */
  sql: string
  /** Whether it is the median instead of the sum. */
  median?: true
  /** Whether it is added up in one currency. */
  converted?: true
  /** The sum is divided by 10 to this power. */
  shift: number
  /** Finds a record with a negative value in an index. Without any, the sum is that of the absolute values. */
  negatives: string
  /** The number of the declared field that is summed. */
  declared?: number
}

/** The names of the measures of a resource; the number of records is in every group. */
export function measureNames({ filters, stored, amounts, durations, conversion }: Resource): string[] {
  const numbers = filters.filter((name) => stored[name]!.kind === 'number')
  const weighted = Object.entries(amounts).filter(([, amount]) => amount?.probability !== undefined)
  return [
    ...numbers.map((name) => `sum:${name}`),
    ...weighted.map(([name]) => `weighted:${name}`),
    ...(conversion ? [`converted:${conversion.of}`] : []),
    ...weighted.filter(([name]) => name === conversion?.of).map(([name]) => `converted_weighted:${name}`),
    ...Object.keys(durations).map((name) => `median:${name}`),
  ]
}

/** Reads `measure`, and the currencies of the amounts that it names. Throws SERVICE_UNAVAILABLE if it names a declared field that is being indexed. */
export function readMeasures(
  resource: Resource,
  declared: readonly Declared[],
  text: string | undefined,
  details: Detail[],
) {
  const names = (text ?? 'count').split(',').map((name) => name.trim())
  const numbers = declared.filter(({ type }) => type === 'number')
  const allowed = ['count', ...measureNames(resource), ...numbers.map(({ key }) => `sum:${prefix}${key}`)]
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown !== undefined) details.push(invalid('measure', oneOf(`Cannot measure ${quote(unknown)}`, allowed)))
  else if (new Set(names).size < names.length) details.push(invalid('measure', 'measure contains a name twice'))
  else {
    const all = names.filter((name) => name !== 'count').map((name) => measureOf(resource, numbers, name))
    const own = all.filter(({ converted }) => !converted)
    const currencies = own.flatMap(({ name }) => resource.amounts[name.split(':')[1]!]?.currency ?? [])
    return { measures: [...own, ...all.filter(({ converted }) => converted)], currencies: [...new Set(currencies)] }
  }
  return { measures: [], currencies: [] }
}

export function measureOf(resource: Resource, numbers: readonly Declared[], name: string): Measure {
  const { amounts, durations, stored, table } = resource
  const [kind, field] = name.split(':') as [string, string]
  const declared = findDeclared(numbers, field)
  if (declared) {
    const { number } = declared
    const negatives = `SELECT 1 FROM field_value INDEXED BY field_value_key
      WHERE workspace_id = :workspace AND field = ${number} AND key < 0 LIMIT 1`
    return { name, sql: valueColumn(declared, 'key'), shift: 0, negatives, declared: number }
  }
  const duration = durations[field]
  if (duration) return { name, sql: daysBetween(duration), median: true, shift: 0, negatives: 'SELECT NULL LIMIT 0' }
  const { keyColumn } = stored[field]!
  const negatives = `SELECT 1 FROM ${indexed(table, indexOf(resource, stored[field]))} WHERE ${undeleted} AND ${keyColumn} < 0 LIMIT 1`
  const converted = kind.startsWith('converted') ? { converted: true as const } : {}
  if (!kind.endsWith('weighted')) return { name, sql: keyColumn, shift: 0, negatives, ...converted }
  return { name, sql: `${keyColumn} * ${amounts[field]!.probability}`, shift: 2, negatives, ...converted } // a percentage, which is never negative
}

function daysBetween({ from, to }: Duration): string {
  return `(unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec')) / 86400.0`
}
