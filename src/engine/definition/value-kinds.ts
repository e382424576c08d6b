import * as v from 'valibot'
import { timestamp as isoTimestamp } from '../../lib/clock.ts'
import { momentForm, parseDate, parseSpan } from '../../lib/moment.ts'
import { dateFilter, type Filter, flagFilter, momentFilter, numberFilter } from '../list/filters.ts'
import type { JsonSchema } from './about.ts'
import { fault } from './faults.ts'
import { asIs } from './fields.ts'
import type { Kind } from './resource.ts'

/** true or false. */
export function flag({ default: fallback = false }: { default?: boolean } = {}): Kind {
  return {
    kind: 'flag',
    sqlType: 'INTEGER',
    schema: (label) => v.pipe(v.boolean(fault('INVALID_TYPE', `${label} must be true or false`)), v.transform(Number)),
    shape: { type: 'boolean' },
    json: (column) => `json(iif(${column}, 'true', 'false'))`,
    filter: flagFilter,
    default: Number(fallback),
  }
}

/** A finite number, in JSON without needless decimals. */
export function number({
  min = -Number.MAX_VALUE,
  max = Number.MAX_VALUE,
  default: fallback,
}: NumberOptions = {}): Kind {
  const range = min === 0 && max < Number.MAX_VALUE ? `from ${min} to ${max}` : 'within the range of a double'
  return {
    kind: 'number',
    sqlType: 'REAL',
    schema: (label) =>
      v.pipe(
        v.number(fault('INVALID_TYPE', `${label} must be a number`)),
        v.check((value) => value >= min && value <= max, fault('OUT_OF_RANGE', `${label} must be ${range}`)),
      ),
    shape: {
      type: 'number',
      ...(min > -Number.MAX_VALUE && { minimum: min }),
      ...(max < Number.MAX_VALUE && { maximum: max }),
    },
    json: (column) => `iif(${column} = CAST(${column} AS INTEGER), CAST(${column} AS INTEGER), ${column})`,
    filter: numberFilter,
    ...(fallback !== undefined && { default: fallback }),
  }
}

interface NumberOptions {
  min?: number
  max?: number
  default?: number
}

/** A place in an order: an integer from 0. */
export function position(): Kind {
  const message = (label: string) => fault('OUT_OF_RANGE', `${label} must be an integer of at least 0`)
  return {
    kind: 'position',
    sqlType: 'INTEGER',
    schema: (label) =>
      v.pipe(
        v.number(fault('INVALID_TYPE', `${label} must be a number`)),
        v.safeInteger(message(label)),
        v.minValue(0, message(label)),
      ),
    shape: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    json: asIs,
    filter: numberFilter,
  }
}

/** A day of the calendar, `YYYY-MM-DD`. */
export function date(): Kind {
  return temporal('date', { type: 'string', format: 'date' }, dateFilter, 'a date YYYY-MM-DD', parseDate)
}

/** A moment; a date is its first one (decision B10). */
export function timestamp(): Kind {
  const shape = { type: 'string', format: 'date-time' }
  const kind = temporal('timestamp', shape, momentFilter, 'an ISO 8601 timestamp or date', (text) => {
    const span = parseSpan(text)
    return span && isoTimestamp(span.start)
  })
  const description = 'An ISO 8601 timestamp, in UTC where it has no offset, or a date: its midnight in UTC.'
  return { ...kind, input: { type: 'string', pattern: momentForm, description } }
}

function temporal(
  kind: string,
  shape: JsonSchema,
  filter: Filter,
  expected: string,
  parse: (text: string) => string | undefined,
): Kind {
  return {
    kind,
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.string(fault('INVALID_TYPE', `${label} must be a string`)),
        v.trim(),
        v.check((value) => parse(value) !== undefined, fault('INVALID_FORMAT', `${label} must be ${expected}`)),
        v.transform((value) => parse(value)!),
      ),
    shape,
    json: asIs,
    filter,
  }
}
