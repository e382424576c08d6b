import * as v from 'valibot'
import { timestamp as isoTimestamp } from '../../../lib/clock.ts'
import { momentForm, parseDate, parseSpan } from '../../../lib/moment.ts'
import type { JsonSchema } from '../definition/about.ts'
import { rule } from '../definition/faults.ts'
import type { Filter } from '../definition/filter.ts'
import type { Kind } from '../definition/resource.ts'
import { asIs } from './fields.ts'
import { dateFilter, flagFilter, momentFilter, numberFilter } from './filters.ts'

/** `true` or `false`; the default is `false`. */
export function flag({ default: fallback = false }: { default?: boolean } = {}): Kind {
  return {
    kind: 'flag',
    sqlType: 'INTEGER',
    schema: (label) => v.pipe(v.boolean(`${label} must be true or false`), v.transform(Number)),
    shape: { type: 'boolean' },
    json: (column) => `json(iif(${column}, 'true', 'false'))`,
    filter: flagFilter,
    default: Number(fallback),
  }
}

/** A finite number from `min` to `max`: `number({ min: 0 })`. JSON shows whole numbers without decimals. */
export function number({
  min = -Number.MAX_VALUE,
  max = Number.MAX_VALUE,
  default: fallback,
  digits,
}: NumberOptions = {}): Kind {
  return {
    kind: 'number',
    sqlType: 'REAL',
    schema: (label) =>
      v.pipe(
        v.number(`${label} must be a number`),
        rule('OUT_OF_RANGE', (value) => value >= min && value <= max, `${label} must be ${rangeOf(min, max)}`),
      ),
    shape: {
      type: 'number',
      ...(min > -Number.MAX_VALUE && { minimum: min }),
      ...(max < Number.MAX_VALUE && { maximum: max }),
    },
    json: (column) => `iif(${column} = CAST(${column} AS INTEGER), CAST(${column} AS INTEGER), ${column})`,
    filter: numberFilter,
    ...(fallback !== undefined && { default: fallback }),
    ...(digits !== undefined && { digits }),
  }
}

function rangeOf(min: number, max: number): string {
  if (max < Number.MAX_VALUE) return min > -Number.MAX_VALUE ? `from ${min} to ${max}` : `at most ${max}`
  return min > -Number.MAX_VALUE ? `at least ${min}` : 'within the range of a double'
}

interface NumberOptions {
  min?: number
  max?: number
  default?: number
  /** The unshown `decimal` with the digits that rules set. */
  digits?: string
}

/** An integer from `min` to `max`. */
export function whole({ min, max }: { min: number; max: number }): Kind {
  return {
    kind: 'number',
    sqlType: 'INTEGER',
    schema: (label) =>
      v.pipe(
        v.number(`${label} must be a number`),
        rule(
          'OUT_OF_RANGE',
          (value) => Number.isInteger(value) && value >= min && value <= max,
          `${label} must be an integer from ${min} to ${max}`,
        ),
      ),
    shape: { type: 'integer', minimum: min, maximum: max },
    json: asIs,
    filter: numberFilter,
  }
}

/** A position in an order: an integer from 0. */
export function position(): Kind {
  return {
    kind: 'position',
    sqlType: 'INTEGER',
    schema: (label) =>
      v.pipe(
        v.number(`${label} must be a number`),
        rule(
          'OUT_OF_RANGE',
          (value) => Number.isSafeInteger(value) && value >= 0,
          `${label} must be an integer of at least 0`,
        ),
      ),
    shape: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    json: asIs,
    filter: numberFilter,
  }
}

/** A calendar date, `YYYY-MM-DD`. */
export function date(): Kind {
  return temporal('date', { type: 'string', format: 'date' }, dateFilter, 'a date YYYY-MM-DD', parseDate)
}

/** A point in time. A date means its first moment, midnight UTC (decision B10). */
export function timestamp(): Kind {
  const shape = { type: 'string', format: 'date-time' }
  const kind = temporal('timestamp', shape, momentFilter, 'an ISO 8601 timestamp or date', (text) => {
    const span = parseSpan(text)
    return span && isoTimestamp(span.start)
  })
  const description = 'An ISO 8601 timestamp (UTC if it has no offset), or a date, which means midnight UTC.'
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
        v.string(`${label} must be a string`),
        v.trim(),
        rule('INVALID_FORMAT', (value) => parse(value) !== undefined, `${label} must be ${expected}`),
        v.transform((value) => parse(value)!),
      ),
    shape,
    json: asIs,
    filter,
  }
}
