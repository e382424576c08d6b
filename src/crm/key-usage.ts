import { reportUsage } from '../access/usage-report.ts'
import { invalid } from '../engine/faults.ts'
import { readParameters } from '../engine/query.ts'
import type { Answer, Call, Route } from '../engine/route.ts'
import { findId } from '../engine/select.ts'
import { type Detail, validationError } from '../errors.ts'
import { dayMs, utcDay } from '../lib/clock.ts'
import { parseDate } from '../lib/moment.ts'
import { apiKey } from './api-key.ts'

const daysDefault = 30
const daysMax = 366

/** decisions A9, E5 */
export const keyUsageRoute: Route = {
  method: 'GET',
  path: `/${apiKey.path}/:id/usage`,
  scope: apiKey.scopes.read,
  takesBody: false,
  run: usage,
}

function usage(call: Call): Answer {
  const { from, to } = readSpan(call)
  const id = findId(apiKey, call.reader, call.params.id!)
  return { status: 200, body: JSON.stringify({ data: reportUsage(call.access, id, from, to) }) }
}

/** The days that are asked for: by default the last 30, today included. */
function readSpan({ query, clock }: Call): { from: string; to: string } {
  const details: Detail[] = []
  const given = readParameters(query, ['from', 'to'], details)
  const date = (name: string, fallback: () => string) => {
    const text = given.get(name)
    if (text !== undefined && !parseDate(text)) {
      details.push(invalid(name, `${name} must be a date YYYY-MM-DD`, 'INVALID_FORMAT'))
    }
    return text ?? fallback()
  }
  const to = date('to', () => utcDay(clock.now()))
  const from = date('from', () => utcDay(Date.parse(to) - (daysDefault - 1) * dayMs))
  if (details.length === 0) {
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
    const message = `from must be at most ${daysMax} days before to, and not after it`
    if (days < 1 || days > daysMax || !parseDate(from)) details.push(invalid('from', message, 'OUT_OF_RANGE'))
  }
  if (details.length > 0) throw validationError(details)
  return { from, to }
}
