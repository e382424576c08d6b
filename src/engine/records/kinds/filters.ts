import { timestamp } from '../../../lib/clock.ts'
import { distinct } from '../../../lib/distinct.ts'
import { dayForm, listedMomentForm, momentForm, parseDate, parseSpan } from '../../../lib/moment.ts'
import { firstUuidAt, parseUuid } from '../../../lib/uuid.ts'
import type { SqlValue } from '../../../store/reader.ts'
import type { JsonSchema } from '../definition/about.ts'
import {
  askingUser,
  type Condition,
  type Filter,
  type FilteredColumn,
  type Operator,
  operators,
} from '../definition/filter.ts'

export const inValuesMax = 100

export const comparison = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
const operatorsButLike = operators.filter((operator) => operator !== 'like')

const uuidPattern = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'

export const uuidFilter = valueFilter('a UUID', parseUuid, 'uuid', { type: 'string', format: 'uuid' }, uuidPattern)

/** The id of a user, or `me`. */
export const userFilter = valueFilter(
  'the id of a user, or me',
  (value) => (value === 'me' ? askingUser : parseUuid(value)),
  'user',
  { type: 'string', pattern: `^(?:me|${uuidPattern})$` },
  `me|${uuidPattern}`,
)

/** By the id of a linked record, which cannot be empty. */
export const linkFilter: Filter = {
  ...uuidFilter,
  operators: ['eq', 'ne', 'in'],
  condition: (on, operator, value) =>
    listedValues(value).includes(nullLiteral) ? undefined : uuidFilter.condition(on, operator, value),
}

const flags = new Map([
  ['true', 1],
  ['false', 0],
])

export const flagFilter = valueFilter(
  'true or false',
  (value) => flags.get(value),
  'flag',
  { type: 'boolean' },
  'true|false',
)

const numberPattern = '-?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[Ee][+-]?[0-9]+)?'
const wholeNumber = new RegExp(`^${numberPattern}$`)

export const numberFilter = valueFilter('a number', parseNumber, 'number', { type: 'number' }, numberPattern)

export const dateFilter = valueFilter(
  'a date YYYY-MM-DD',
  parseDate,
  'date',
  { type: 'string', format: 'date' },
  dayForm,
)

function parseNumber(text: string): number | undefined {
  const parsed = wholeNumber.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(parsed) ? parsed : undefined
}

/** Compares the values of a choice by rank. */
export function rankFilter(options: readonly string[]): Filter {
  return valueFilter(
    `one of: ${options.join(', ')}`,
    (value) => (options.includes(value) ? options.indexOf(value) : undefined),
    'choice',
    { type: 'string', enum: options },
    options.join('|'),
    'INVALID_VALUE',
  )
}

/** A date means its whole UTC day (decision B10). */
export const momentFilter = spanFilter(({ key }) => key, timestampFrom)

/** The id contains the time of creation (decision D1), and rows are stored in the order of ids. */
export const creationFilter = spanFilter(() => 'id', firstUuidAt)

/** `from` is the first value of `column` at a time in milliseconds. */
function spanFilter(column: (on: FilteredColumn) => string, from: (ms: number) => string): Filter {
  return {
    operators: operatorsButLike,
    expected: 'an ISO 8601 timestamp or date (a + in a query is written %2B)',
    fault: 'INVALID_FORMAT',
    kind: 'moment',
    shape: { type: 'string', pattern: momentForm },
    pattern: listedMomentForm,
    condition(on, operator, value) {
      const spans = parseAll(operator, value, parseSpan)
      if (!spans) return undefined
      const conditions = spans.map((span) =>
        spanCondition(column(on), operator === 'in' ? 'eq' : operator, span && [from(span.start), from(span.end)]),
      )
      return conditions.length === 1 ? conditions[0] : anyOf(conditions)
    },
  }
}

const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** Sorts after every timestamp of the last year. The five-digit year after it would not. */
const afterLast = '9999-12-31T24'

function timestampFrom(ms: number): string {
  return ms > lastMs ? afterLast : timestamp(ms)
}

function spanCondition(key: string, operator: Operator, span: [start: string, end: string] | null): Condition {
  if (span === null) return nullCondition(key, operator)
  const [start, end] = span
  switch (operator) {
    case 'ne':
      return { sql: `(${key} < ? OR ${key} >= ? OR ${key} IS NULL)`, params: [start, end] }
    case 'gt':
      return { sql: `${key} >= ?`, params: [end] }
    case 'gte':
      return { sql: `${key} >= ?`, params: [start] }
    case 'lt':
      return { sql: `${key} < ?`, params: [start] }
    case 'lte':
      return { sql: `${key} < ?`, params: [end] }
    default:
      return { sql: `(${key} >= ? AND ${key} < ?)`, params: [start, end] }
  }
}

/** A filter for fields that are compared by their stored value or their key. */
export function valueFilter(
  expected: string,
  parse: (text: string) => Exclude<SqlValue, null> | undefined,
  kind: string,
  shape: JsonSchema,
  pattern: string,
  fault: Filter['fault'] = 'INVALID_FORMAT',
): Filter {
  return {
    operators: operatorsButLike,
    expected,
    fault,
    kind,
    shape,
    pattern,
    condition({ key }, operator, value) {
      const values = parseAll(operator, value, parse)
      if (!values) return undefined
      if (values.length > 1) return inCondition(key, values)
      return valueCondition(key, operator === 'in' ? 'eq' : operator, values[0] ?? null)
    },
  }
}

function valueCondition(key: string, operator: Operator, value: SqlValue): Condition {
  if (value === null) return nullCondition(key, operator)
  if (operator === 'eq') return { sql: `${key} = ?`, params: [value], equality: true }
  if (operator === 'ne') return { sql: `${key} IS NOT ?`, params: [value] }
  return { sql: `${key} ${comparison[operator as keyof typeof comparison]} ?`, params: [value] }
}

function inCondition(key: string, values: SqlValue[]): Condition {
  const given = JSON.stringify(values.filter((value) => value !== null))
  const among = { sql: `${key} IN (SELECT value FROM json_each(?))`, params: [given] }
  return values.includes(null) ? anyOf([among, nullCondition(key, 'eq')]) : among
}

/** Only equality operators apply to null: `parseAll` rejects the others. */
export function nullCondition(key: string, operator: Operator): Condition {
  return operator === 'ne'
    ? { sql: `${key} IS NOT NULL`, params: [] }
    : { sql: `${key} IS NULL`, params: [], equality: true }
}

/** The literal that means empty. On a field that is never empty it matches nothing (decisions C6, J6). */
export const nullLiteral = 'null'

export function anyOf(conditions: Condition[]): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    params: conditions.flatMap(({ params }) => params),
  }
}

/** The distinct values of a filter, several for `in` only, in an order that does not depend on how they are given (decision C3). */
function parseAll<T>(
  operator: Operator,
  value: string,
  parse: (text: string) => T | undefined,
): (T | null)[] | undefined {
  const takesNull = ['eq', 'ne', 'in'].includes(operator)
  const given = operator === 'in' ? listedValues(value) : [value]
  const parsed = given.map((text) => (takesNull && text === nullLiteral ? null : parse(text)))
  return parsed.includes(undefined) ? undefined : distinct(parsed as (T | null)[])
}

/** The values of an `in`, trimmed. `\,` is a comma within a value, and `\\` a backslash (decision C7). */
export function listedValues(list: string): string[] {
  const values = ['']
  for (const [part] of list.matchAll(/\\[\\,]|./gs)) {
    if (part === ',') values.push('')
    else values.push(values.pop() + part.slice(-1))
  }
  return values.map((value) => value.trim())
}
