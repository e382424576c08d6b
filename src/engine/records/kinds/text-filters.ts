import { distinct } from '../../../lib/distinct.ts'
import { emailKey, isEmailAddress } from '../../../lib/email.ts'
import { fold, type PhoneForms, phoneKey, phonePart, sameDigits, withoutCase } from '../../../lib/text.ts'
import { type Condition, type Filter, type FilteredColumn, operators } from '../definition/filter.ts'
import { anyOf, comparison, listedValues, nullCondition, nullLiteral } from './filters.ts'

/** How a kind of text compares (decision C6). */
interface TextComparison {
  /** A name for such values in the API document. */
  kind?: string
  /** The form of a value, for messages. */
  expected?: string
  /** Whether a record can have this value: `eq`, `ne` and `in` of any other one are a mistake. */
  accepts?: (text: string) => boolean
  /** The text whose order is that of the key. */
  key: (text: string) => string
  /** The condition for one of these values. */
  among: (on: FilteredColumn, values: readonly string[], phones: PhoneForms) => Condition
  like?: (key: string, pattern: string) => Condition
}

/** `eq`, `ne` and `in` are exact, after `store`, which converts a value to the stored form. */
export function exactText(store: (text: string) => string): Filter {
  return textComparison({
    key: fold,
    among({ key, column }, values) {
      const stored = values.map(store)
      if (stored.length === 1) {
        return { sql: `(${key} = ? AND ${column} = ?)`, params: [fold(stored[0]!), stored[0]!], equality: true }
      }
      const sql = `(${key} IN (SELECT value FROM json_each(?)) AND ${column} IN (SELECT value FROM json_each(?)))`
      return { sql, params: [JSON.stringify(distinct(stored.map(fold))), JSON.stringify(distinct(stored))] }
    },
  })
}

export const textFilter = exactText(String)

/** For values that are stored as they were sent, and trimmed where they are compared. */
export const trimmedFilter = exactText((text) => text.trim())

/** `eq`, `ne` and `in` ignore case, but not accents. */
export const caselessFilter = textComparison({
  kind: 'caseless_text',
  key: fold,
  among({ key, column }, values) {
    const plain = distinct(values.map(withoutCase))
    const { sql, params } = oneOf(key, plain.map(fold))
    const exact = oneOf(`without_case(${column})`, plain)
    return { sql: `(${sql} AND ${exact.sql})`, params: [...params, ...exact.params] }
  },
})

/** The key of an email address is the address without case, with the ASCII form of its domain (decision D12). */
export const emailFilter = textComparison({
  kind: 'email',
  expected: 'an email address (a + in a query is written %2B)',
  accepts: isEmailAddress,
  key: emailKey,
  among: ({ key }, values) => oneOf(key, values.map(emailKey)),
})

/** Compares telephone numbers by their digits, in all their forms (decisions C6, K7). */
export const phoneFilter = textComparison({
  kind: 'phone_number',
  expected: 'a telephone number',
  accepts: isPhoneNumber,
  key: (text) => phoneKey(withPlus(text)),
  among: ({ key }, values, phones) =>
    oneOf(
      key,
      values.flatMap((value) => phones(phoneKey(withPlus(value)))),
    ),
  like(key, pattern) {
    const parts = withPlus(pattern).split('%').map(phonePart)
    const at = parts.findIndex((part) => part !== '')
    const [first = '', ...rest] = parts.slice(at)
    if (!/^(?:\+|00)/.test(first)) return likeCondition(key, parts)
    const digits = phoneKey(first).slice(1)
    const either = [likeCondition(key, [`+${digits}`, ...rest])]
    if (digits !== '') either.push(beginning(key, [digits, ...rest])) // the number may be stored without its `+`
    if (first.startsWith('00')) either.push(likeCondition(key, [first, ...rest])) // they may be digits within it
    return { ...anyOf(either), parts: [digits, ...rest].filter((part) => part !== '') }
  },
})

/** The parts in order, the first at the beginning. */
function beginning(key: string, [first, ...rest]: readonly [string, ...string[]]): Condition {
  const all = likeCondition(key, [first, ...rest])
  return { sql: `(instr(${key}, ?) = 1 AND ${all.sql})`, params: [first, ...all.params] }
}

/** Whether a text can be a telephone number: it has digits. */
export function isPhoneNumber(text: string): boolean {
  return /\d/.test(text)
}

/** A space before the first digit of a number in a query is a `+` that was not encoded (decision C6). */
function withPlus(text: string): string {
  return text.replace(/^([^\p{L}\p{N}+%]*?) (?=\d)/u, '$1+')
}

function textComparison(options: TextComparison): Filter {
  const { kind = 'text', expected = `text other than ${nullLiteral}, which means empty` } = options
  const { accepts = () => true, key: keyOf, among, like } = options
  const equal = (on: FilteredColumn, values: readonly string[], phones: PhoneForms): Condition | undefined => {
    const given = distinct(values.filter((value) => value !== nullLiteral))
    if (!given.every(accepts)) return undefined
    const conditions = [
      ...(given.length > 0 ? [among(on, given, phones)] : []),
      ...(values.includes(nullLiteral) ? [nullCondition(on.key, 'eq')] : []),
    ]
    return conditions.length === 1 ? conditions[0]! : anyOf(conditions)
  }
  return {
    operators,
    expected,
    fault: 'INVALID_FORMAT',
    kind,
    shape: { type: 'string' },
    pattern: '[^,]*',
    condition(on, operator, value, phones = sameDigits) {
      switch (operator) {
        case 'eq':
          return equal(on, [value], phones)
        case 'in':
          return equal(on, listedValues(value), phones)
        case 'ne':
          return value === nullLiteral ? nullCondition(on.key, operator) : negated(equal(on, [value], phones))
        case 'like':
          return (like ?? foldedLike)(on.key, value)
        default:
          if (value === nullLiteral) return undefined
          return { sql: `${on.key} ${comparison[operator as keyof typeof comparison]} ?`, params: [keyOf(value)] }
      }
    },
  }
}

/** Also true for null (decision C6). */
function negated(condition: Condition | undefined): Condition | undefined {
  return condition && { sql: `${condition.sql} IS NOT 1`, params: condition.params }
}

function oneOf(expression: string, values: readonly string[]): Condition {
  const given = distinct(values)
  if (given.length === 1) return { sql: `${expression} = ?`, params: [given[0]!] }
  return { sql: `${expression} IN (SELECT value FROM json_each(?))`, params: [JSON.stringify(given)] }
}

/** The pattern is split before it is folded, because folding makes a `%` of some other characters. */
function foldedLike(key: string, pattern: string): Condition {
  return likeCondition(key, pattern.split('%').map(fold))
}

/**
 * The parts between wildcards are searched with functions that take time proportional to the text, whereas LIKE takes
 * text × pattern (250,001 comparisons for 500 letters in 500).
 */
function likeCondition(key: string, given: readonly string[]): Condition {
  const parts = given.filter((part) => part !== '')
  if (parts.length === 0) return { sql: `${key} IS NOT NULL`, params: [], parts }
  if (parts.length === 1) return { sql: `instr(${key}, ?) > 0`, params: [parts[0]!], parts }
  return { sql: `holds_in_order(${key}, ?)`, params: [JSON.stringify(parts)], parts }
}
