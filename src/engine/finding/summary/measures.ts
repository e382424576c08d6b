import type { Detail } from '../../../errors.ts'
import { indexed } from '../../../store/visibility.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { findDeclared, prefix } from '../../records/declared/find.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Duration } from '../../records/definition/options.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { valueColumn } from './declared-values.ts'

/** A sum or median over the records of a group: plain data that can be sent to any thread. */
export interface Measure {
  /** The member, as it was asked for: `sum:value`. */
  name: string
  /** The value of a record as a SQL expression; of a sum, one or two that are multiplied: `value, probability`. Null does not count. */
  sql: string
  /** The same with all digits, and a query that finds a record whose double does not have them. */
  exact?: { sql: string; isUsed: string }
  /** Whether it is the median instead of the sum. */
  median?: true
  /** Whether it is added up in one currency. */
  converted?: true
  /** The sum is divided by 10 to this power. */
  shift: number
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
  if (declared) return { name, sql: valueColumn(declared, 'key'), shift: 0, declared: declared.number }
  const duration = durations[field]
  if (duration) return { name, sql: daysBetween(duration), median: true, shift: 0 }
  const { digits } = stored[field]!
  const converted = kind.startsWith('converted') ? { converted: true as const } : {}
  const percent = kind.endsWith('weighted') ? `, ${amounts[field]!.probability}` : ''
  return {
    name,
    sql: field + percent,
    shift: percent ? 2 : 0,
    ...converted,
    ...(digits !== undefined && {
      exact: {
        sql: `coalesce(${digits}, ${field})${percent}`,
        isUsed: `SELECT 1 FROM ${indexed(table, `${table}_${digits}`)} WHERE workspace_id = :workspace AND ${digits} IS NOT NULL LIMIT 1`,
      },
    }),
  }
}

function daysBetween({ from, to }: Duration): string {
  return `(unixepoch(${to}, 'subsec') - unixepoch(${from}, 'subsec')) / 86400.0`
}
