import * as v from 'valibot'
import { timestamp as isoTimestamp } from '../lib/clock.ts'
import { parseDate, parseSpan } from '../lib/moment.ts'
import { fold, isWithin, shortTextMax } from '../lib/text.ts'
import { parseUuid } from '../lib/uuid.ts'
import type { SqlValue } from '../store/reader.ts'
import type { Resource } from './define.ts'
import { fault } from './faults.ts'
import {
  dateFilter,
  type Filter,
  flagFilter,
  momentFilter,
  numberFilter,
  rankFilter,
  textFilter,
  uuidFilter,
} from './filters.ts'

/** A kind of field: what it accepts in a body, how it lies in the table, how lists compare it, how it reads in JSON. */
export interface Kind {
  readonly kind: string
  readonly sqlType: 'TEXT' | 'INTEGER' | 'REAL'
  /** From a body's value (never null) to the stored one. Messages are made by `fault`. */
  schema(label: string): v.GenericSchema<unknown, SqlValue>
  /** The column in a JSON answer, as a SQL expression. */
  json(column: string): string
  readonly filter?: Filter
  /** The content of the column `<field>_key`, where comparing takes another value than the stored one. */
  readonly key?: { sqlType: 'TEXT' | 'INTEGER'; of(stored: string): SqlValue }
  /** Restored by null (decision B6). */
  readonly default?: SqlValue
  /** The message where it is missing or empty; undefined: optional. */
  readonly required?: string
  /** What a reference refers to, and what is said where it leads nowhere. */
  readonly target?: Resource
  readonly missing?: string
  /** Set by the service: no body's business. */
  readonly readonly?: boolean
}

const metadataBytesMax = 65_536
const metadataDepthMax = 32

/** U+0000 as `JSON.stringify` writes it: after an even number of backslashes. */
const nullCharacter = /(?<!\\)(?:\\\\)*\\u0000/

const asIs = (column: string): string => column
const foldedKey = { sqlType: 'TEXT', of: fold } as const

/** Trimmed text; an empty one is stored as null. */
export function text({ max = shortTextMax, default: fallback }: { max?: number; default?: string } = {}): Kind {
  return {
    kind: 'text',
    sqlType: 'TEXT',
    schema: (label) => v.pipe(textSchema(label, max), v.transform(emptyToNull)),
    json: asIs,
    filter: textFilter,
    key: foldedKey,
    ...(fallback !== undefined && { default: fallback }),
  }
}

/** An email address, kept as written. */
export function email(): Kind {
  const accepts = (value: string) => value === '' || (v.RFC_EMAIL_REGEX.test(value) && /@.+\../.test(value))
  return {
    ...text(),
    kind: 'email',
    schema: (label) =>
      v.pipe(
        textSchema(label, shortTextMax),
        v.check(accepts, fault('INVALID_FORMAT', `${label} must be a valid email address`)),
        v.transform(emptyToNull),
      ),
  }
}

/** One of a few words, which sort by their order here (decision C8). */
export function choice(options: readonly string[], { default: fallback }: { default?: string } = {}): Kind {
  return {
    kind: 'choice',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.string(fault('INVALID_TYPE', `${label} must be a string`)),
        v.trim(),
        v.picklist(options, fault('INVALID_VALUE', `${label} must be one of: ${options.join(', ')}`)),
      ),
    json: asIs,
    filter: rankFilter(options),
    key: { sqlType: 'INTEGER', of: (stored) => options.indexOf(stored) },
    ...(fallback !== undefined && { default: fallback }),
  }
}

/** true or false. */
export function flag(): Kind {
  return {
    kind: 'flag',
    sqlType: 'INTEGER',
    schema: (label) => v.pipe(v.boolean(fault('INVALID_TYPE', `${label} must be true or false`)), v.transform(Number)),
    json: (column) => `json(iif(${column}, 'true', 'false'))`,
    filter: flagFilter,
    default: 0,
  }
}

/** The id of a record of another resource, in the same workspace (decision D2). */
export function reference(target: Resource, { missing = `${target.label} not found` } = {}): Kind {
  return {
    kind: 'reference',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.string(fault('INVALID_TYPE', `${label} must be a string`)),
        v.trim(),
        v.check((value) => parseUuid(value) !== undefined, fault('INVALID_FORMAT', `${label} must be a UUID`)),
        v.toLowerCase(),
      ),
    json: asIs,
    filter: uuidFilter,
    target,
    missing,
  }
}

/** A free-form JSON object, replaced wholesale (spec: Resources). */
export function metadata(): Kind {
  return {
    kind: 'metadata',
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.unknown(),
        v.check(isPlainObject, fault('INVALID_TYPE', `${label} must be a JSON object`)),
        v.check(
          (value) => isFlat(value, metadataDepthMax),
          fault('OUT_OF_RANGE', `${label} must be nested at most ${metadataDepthMax} levels deep, its numbers finite`),
        ),
        v.transform((value) => JSON.stringify(value)),
        v.check((json) => !nullCharacter.test(json), fault('INVALID_FORMAT', `${label} must not contain U+0000`)),
        v.maxBytes(metadataBytesMax, fault('TOO_LONG', `${label} must be at most ${metadataBytesMax} bytes of JSON`)),
      ),
    json: (column) => `json(${column})`,
    default: '{}',
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
    json: asIs,
    filter: numberFilter,
  }
}

/** Text of a fixed form, stored as `store` makes it. */
export function pattern(
  form: RegExp,
  expected: string,
  options: { default?: string; store?: (text: string) => string } = {},
): Kind {
  return {
    ...text(options),
    kind: 'pattern',
    schema: (label) =>
      v.pipe(
        textSchema(label, shortTextMax),
        v.check((value) => value === '' || form.test(value), fault('INVALID_FORMAT', `${label} must be ${expected}`)),
        v.transform(emptyToNull),
        v.transform((value) => (value === null ? null : (options.store ?? String)(value))),
      ),
  }
}

/** A day of the calendar, `YYYY-MM-DD`. */
export function date(): Kind {
  return temporal('date', dateFilter, 'a date YYYY-MM-DD', parseDate)
}

/** A moment; a date is its first one (decision B10). */
export function timestamp(): Kind {
  return temporal('timestamp', momentFilter, 'an ISO 8601 timestamp or date', (text) => {
    const span = parseSpan(text)
    return span && isoTimestamp(span.start)
  })
}

function temporal(kind: string, filter: Filter, expected: string, parse: (text: string) => string | undefined): Kind {
  return {
    kind,
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.string(fault('INVALID_TYPE', `${label} must be a string`)),
        v.trim(),
        v.check(
          (value) => value === '' || parse(value) !== undefined,
          fault('INVALID_FORMAT', `${label} must be ${expected}`),
        ),
        v.transform((value) => (value === '' ? null : parse(value)!)),
      ),
    json: asIs,
    filter,
  }
}

/** When the record was made or changed: set by the engine, never by a body. */
export function moment(): Kind {
  return { kind: 'moment', sqlType: 'TEXT', schema: () => v.never(), json: asIs, filter: momentFilter }
}

/** Makes a field one that the service sets. */
export function byService(kind: Kind): Kind {
  return { ...kind, readonly: true }
}

/** Makes a field one that a record cannot be without. */
export function required(kind: Kind, message: string): Kind {
  return { ...kind, required: message }
}

function textSchema(label: string, max: number) {
  return v.pipe(
    v.string(fault('INVALID_TYPE', `${label} must be a string`)),
    v.check(isStorable, fault('INVALID_FORMAT', `${label} must be well-formed Unicode without U+0000`)),
    v.trim(),
    v.check((value) => isWithin(value, max), fault('TOO_LONG', `${label} must be at most ${max} characters`)),
  )
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function emptyToNull(value: string): string | null {
  return value === '' ? null : value
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether JSON is nested at most `depth` deep and holds no number that JSON cannot give back (1e400 reads as infinity). */
function isFlat(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((item) => isFlat(item, depth - 1))
}
