import type { Detail, DetailCode } from '../../../errors.ts'
import { timestamp } from '../../../lib/clock.ts'
import { parseSpan } from '../../../lib/moment.ts'
import { invalid } from '../../records/definition/faults.ts'

/** The unit of a group whose periods the request gives: `closed_at:period` (decision K11). */
export const period = 'period'

export const boundsMax = 60

/** Reads `periods`: the moments at which periods begin and end, in order. `isUsed`: whether a group needs them. */
export function readPeriods(text: string | undefined, isUsed: boolean, details: Detail[]): string[] {
  const expected = `periods takes 2 to ${boundsMax} timestamps in ascending order, separated by commas`
  const fault = (message: string, code?: DetailCode) => details.push(invalid('periods', message, code))
  if (text === undefined) {
    if (isUsed) fault(`${expected}, for a group by period`, 'REQUIRED')
    return []
  }
  const bounds = text.split(',').map((each) => parseSpan(each.trim())?.start)
  const isAscending = bounds.every((bound, at) => bound !== undefined && (at === 0 || bound > bounds[at - 1]!))
  if (!isUsed) fault('periods needs a group by period, such as created_at:period')
  else if (bounds.includes(undefined)) fault(expected, 'INVALID_FORMAT')
  else if (!isAscending || bounds.length < 2 || bounds.length > boundsMax) fault(expected)
  else return bounds.map((bound) => timestamp(bound!))
  return []
}

/** The first moment of the period that a timestamp is in, as a SQL expression. Null: in none. */
export function periodOf(column: string, bounds: readonly string[]): string {
  const [first, ...ends] = bounds
  const cases = ends.map((end, at) => `WHEN ${column} < '${end}' THEN '${bounds[at]}'`)
  return `CASE WHEN ${column} < '${first}' THEN NULL ${cases.join(' ')} END`
}
