import type { Detail } from '../../../errors.ts'
import type { CursorValue } from '../../../lib/cursor.ts'
import type { Declared } from '../../records/declared/declared.ts'
import { declaredNames, findDeclared, prefix } from '../../records/declared/find.ts'
import { declaredFilter, hasSeveral, sortedBy } from '../../records/declared/types.ts'
import { throughOf } from '../../records/define.ts'
import { invalid, oneOf, quote } from '../../records/definition/faults.ts'
import type { Filter } from '../../records/definition/filter.ts'
import type { Through } from '../../records/definition/options.ts'
import type { Resource } from '../../records/definition/resource.ts'
import { valueColumn } from './declared-values.ts'
import { period, periodOf, readPeriods } from './periods.ts'

/** What records are grouped by: plain data that can be sent to any thread. */
export interface GroupKey {
  /** The member of `group`, as it was asked for: `stage_id`, `created_at:month`. */
  name: string
  /** SQL expressions whose values make and order the groups. The last one is what is shown. */
  columns: string[]
  /** How the last value is shown; default: as it is. */
  shows?: 'flag' | readonly string[]
  /** The number of the declared field that the columns are of. */
  declared?: number
  /** Whether a record has several values of it, and counts in each of their groups. */
  several?: true
  /** The field whose records per value are stored. */
  tally?: string
}

export const groupFieldsMax = 2

/** The first day of a period, as a SQL expression for the column of a date or timestamp. Weeks begin on Monday. */
const units: Readonly<Record<string, (column: string) => string>> = {
  day: (column) => `substr(${column}, 1, 10)`,
  week: (column) => `date(${column}, '-6 days', 'weekday 1')`,
  month: (column) => `substr(${column}, 1, 7) || '-01'`,
}

/** The names by which records can be grouped: the filters of the resource itself. Those over items would count a record several times. */
export function groupNames({ filters, stored, through }: Resource): string[] {
  const own = filters.flatMap((name) => {
    const filter = stored[name]!.filter!
    const named = [...unitsOf(filter), ...(filter.kind === 'moment' ? [period] : [])]
    return [name, ...named.map((unit) => `${name}:${unit}`)]
  })
  return [...own, ...Object.keys(through)]
}

/** Reads `group_by` and `periods`. Throws SERVICE_UNAVAILABLE if it names a declared field that is being indexed. */
export function readGroups(
  resource: Resource,
  declared: readonly Declared[],
  { by: text, periods }: { by: string | undefined; periods: string | undefined },
  details: Detail[],
): GroupKey[] {
  const names = text?.split(',').map((name) => name.trim()) ?? []
  const isPeriod = names.some((name) => name.endsWith(`:${period}`))
  const bounds = readPeriods(periods, isPeriod, details)
  if (text === undefined) return []
  const allowed = groupNames(resource)
  const keys = names.map((name) =>
    allowed.includes(name) ? groupKey(resource, name, bounds) : declaredKey(declared, name),
  )
  const unknown = names.find((_, at) => keys[at] === undefined)
  if (unknown !== undefined) {
    const known = [...allowed, ...declaredNames(resource, declared)]
    details.push(invalid('group_by', oneOf(`Cannot group by ${quote(unknown)}`, known)))
  } else if (names.length > groupFieldsMax) {
    details.push(invalid('group_by', `group_by takes at most ${groupFieldsMax} fields`))
  } else if (new Set(names).size < names.length) {
    details.push(invalid('group_by', `group_by contains ${names[0]} twice`))
  } else return keys as GroupKey[]
  return []
}

/** The key of a declared field; undefined if there is no such group. */
function declaredKey(declared: readonly Declared[], name: string): GroupKey | undefined {
  const [before, unit] = name.split(':') as [string, string?]
  const field = before.startsWith(prefix) ? findDeclared(declared, before) : undefined
  if (!field) return undefined
  const { number, type, options } = field
  const columns = sortedBy(type).map((column) => valueColumn(field, column))
  const key = { name, columns, declared: number }
  if (unit !== undefined) {
    const known = unitsOf(declaredFilter(type, options).filter).includes(unit)
    return known && name === `${before}:${unit}` ? { ...key, columns: [units[unit]!(columns[0]!)] } : undefined
  }
  if (type === 'choice') return { ...key, shows: options }
  if (hasSeveral(type)) return { ...key, shows: options, several: true }
  return type === 'boolean' ? { ...key, shows: 'flag' } : key
}

/** The field of another record that groups have: one by which lists filter, too, or the currency of an amount. */
export function groupedThrough({ through, amounts }: Resource, name: string): Through | undefined {
  const of = Object.values(amounts).find((amount) => amount!.currency === name)?.of
  if (of !== undefined) return { by: of, field: name }
  return Object.hasOwn(through, name) ? through[name] : undefined
}

export function groupKey(resource: Resource, name: string, bounds: readonly string[] = []): GroupKey {
  const { stored, amounts, tallied } = resource
  const through = groupedThrough(resource, name)
  if (through) return { name, columns: [throughOf(resource, through).shown] }
  const [field, unit] = name.split(':') as [string, string?]
  const { keyColumn, keyed, kind, options, isExact, shape } = stored[field]!
  if (unit !== undefined) return { name, columns: [unit === period ? periodOf(field, bounds) : units[unit]!(field)] }
  const tally = tallied.includes(field) ? { tally: keyColumn } : {}
  if (options) return { name, columns: [keyColumn], shows: options, ...tally }
  if (kind === 'flag') return { name, columns: [field], shows: 'flag', ...tally }
  if (isExact || shape.type === 'object') return { name, columns: [keyColumn] } // of a mailbox, the address
  // A currency has one spelling. Without its key, an index of the sums suffices.
  const isCurrency = Object.values(amounts).some((amount) => amount?.currency === field)
  return { name, columns: keyed && !isCurrency ? [keyColumn, field] : [field], ...tally }
}

/** The `group` of some values: those of all columns of its keys, in order. */
export function groupOf(keys: readonly GroupKey[], values: readonly CursorValue[]): Record<string, unknown> {
  let at = 0
  return Object.fromEntries(
    keys.map(({ name, columns, shows }) => {
      at += columns.length
      return [name, shownValue(values[at - 1] ?? null, shows)]
    }),
  )
}

function shownValue(value: CursorValue, shows: GroupKey['shows']): unknown {
  if (value === null || shows === undefined) return value
  return shows === 'flag' ? value === 1 : shows[Number(value)]
}

function unitsOf({ kind }: Filter): string[] {
  return ['date', 'moment'].includes(kind) ? Object.keys(units) : []
}
