import type { Detail } from '../../../errors.ts'
import type { DescribedField } from '../../description.ts'
import { allFields, resourceOf } from '../session/session.ts'
import { parseLocal, startOfDay, wholeDay } from '../text/days.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** A filter's name in an address: `created_at[gte]` has an operator, `status` has none (''). */
export function parseFilter(name: string): { field: string; operator: string } {
  const [, field = name, operator = ''] = /^([\w.]+)\[(\w+)\]$/.exec(name) ?? []
  return { field, operator }
}

/** The most characters of the filters of an address: servers and proxies refuse a longer one when the page is loaded again. */
const addressMax = 6_000

/** What is wrong with a field of a form that makes the filters too long for an address. */
export function tooLong(filters: Readonly<Record<string, string>>, field: string): Detail[] {
  if (new URLSearchParams(filters).toString().length <= addressMax) return []
  const message = t('The conditions are too long for an address. Shorten this one, or remove others.')
  return [{ field, message, code: 'TOO_LONG' }]
}

/** The field that a filter compares. Fields of items are filtered as text. */
export function filterField(of: string, name: string): DescribedField {
  const known = [...allFields(of), ...resourceOf(of).unshown].find((field) => field.name === name)
  return known ?? { name, label: word(name), kind: 'text', required: false, readonly: true }
}

const momentKinds = ['timestamp', 'moment']

/**
 * The API's parameters for a filter. A day means the user's day: it becomes the instants at which that day begins and ends. With
 * `ne` and `in`, which one range cannot express, it stays a day, which the API reads as a UTC day.
 */
export function parametersOfFilter(of: string, name: string, value: string): [name: string, value: string][] {
  const { field, operator } = parseFilter(name)
  const day = momentKinds.includes(filterField(of, field).kind) ? parseLocal(value) : undefined
  const bounds = day && boundsOf(day, field)[operator || 'eq']
  return bounds ? bounds.map(([bound, at]) => [`${field}[${bound}]`, at]) : [[name, value]]
}

type Bound = [operator: string, at: string]

function boundsOf(day: Date, field: string): Record<string, Bound[]> {
  const from = (days: number): Bound => ['gte', startOfDay(day, days).toISOString()]
  // West of Greenwich, a task that is due for a whole day is stored as a moment of the day before.
  const until = (days: number): Bound[] => [
    ['lt', startOfDay(day, days).toISOString()],
    ...(field === 'due_date' ? [['ne', wholeDay(day, days)] as Bound] : []),
  ]
  return { eq: [from(0), ...until(1)], gte: [from(0)], gt: [from(1)], lt: until(0), lte: until(1) }
}
