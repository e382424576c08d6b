import type { DescribedField } from '../../description.ts'
import { allFields, resourceOf } from '../session/session.ts'
import { parseLocal, startOfDay } from '../text/days.ts'
import { word } from '../text/format.ts'

/** A filter's name in an address: `created_at[gte]` has an operator, `status` has none (''). */
export function parseFilter(name: string): { field: string; operator: string } {
  const [, field = name, operator = ''] = /^([\w.]+)\[(\w+)\]$/.exec(name) ?? []
  return { field, operator }
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
  const bounds = day && boundsOf(day)[operator || 'eq']
  return bounds ? bounds.map(([bound, at]) => [`${field}[${bound}]`, at.toISOString()]) : [[name, value]]
}

function boundsOf(day: Date): Record<string, [operator: string, at: Date][]> {
  const [start, end] = [startOfDay(day), startOfDay(day, 1)]
  return {
    eq: [
      ['gte', start],
      ['lt', end],
    ],
    gte: [['gte', start]],
    gt: [['gte', end]],
    lt: [['lt', start]],
    lte: [['lt', end]],
  }
}
