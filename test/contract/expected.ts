import type { Field, Resource } from '../../src/engine/records/define.ts'
import type { Operator } from '../../src/engine/records/definition/filter.ts'
import type { JsonRecord } from '../support/make.ts'

export const textKinds = new Set(['text', 'email', 'mailbox', 'pattern'])
const momentKinds = new Set(['moment', 'timestamp'])

// The expected results of lists, by decisions B10 and C4 to C9, computed from the records.

export function operatorsOf({ kind }: Field): Operator[] {
  const all: Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in']
  return textKinds.has(kind) ? [...all, 'like'] : all
}

export function matches(field: Field, operator: Operator, value: unknown, filter: string): boolean {
  if (operator === 'ne') return !matches(field, 'eq', value, filter)
  if (operator === 'in') return valuesOf(filter).some((one) => matches(field, 'eq', value, one))
  if (filter === 'null' && operator === 'eq') return value === null
  if (value === null) return false
  if (operator === 'like') return like(field, String(value), filter)
  if (operator === 'eq' && textKinds.has(field.kind))
    return equalForm(field, String(value)) === equalForm(field, filter)
  const order = compareToFilter(field, value, filter)
  return { eq: order === 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator as 'eq']
}

/** The records in the order of `keys`, such as `name` and `-name`. */
export function sorted(resource: Resource, records: JsonRecord[], keys: string[]): JsonRecord[] {
  const orders = keys.map((key) => [resource.stored[key.replace('-', '')]!, key.startsWith('-') ? -1 : 1] as const)
  const idDirection = orders.at(-1)?.[1] ?? -1
  return [...records].sort((a, b) => {
    for (const [field, direction] of orders) {
      const [left, right] = [a[field.name], b[field.name]]
      const order = compareValues(field, left, right) || (textKinds.has(field.kind) ? compareBytes(left, right) : 0)
      if (order !== 0) return order * direction
    }
    return compare(a.id, b.id) * idDirection
  })
}

function compareValues(field: Field, a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return compare(rank(field, a), rank(field, b))
}

function compareToFilter(field: Field, value: unknown, filter: string): number {
  if (momentKinds.has(field.kind) && /^[\d-]{10}$/.test(filter)) return compare(String(value).slice(0, 10), filter)
  if (momentKinds.has(field.kind)) return compare(Date.parse(String(value)), Date.parse(filter))
  return compare(rank(field, value), rank(field, filter))
}

function rank(field: Field, value: unknown): string | number {
  if (field.kind === 'choice') return field.options!.indexOf(String(value))
  if (field.kind === 'number' || field.kind === 'position') return Number(value)
  return textKinds.has(field.kind) ? keyOf(field, String(value)) : String(value)
}

/** What lists compare and sort by: the digits of a telephone number, otherwise folded text. */
function keyOf({ name }: Field, text: string): string {
  if (name !== 'phone_number') return folded(text)
  const plain = folded(text).replace(/[^\p{L}\p{N}]/gu, '')
  return /^\W*\+/.test(text) ? `+${plain}` : plain.replace(/^00/, '+')
}

/** What `eq` compares (decision C6). */
function equalForm(field: Field, text: string): string {
  if (field.name === 'phone_number') return keyOf(field, text).replace('+', '')
  if (field.name === 'currency') return text.toUpperCase()
  return ['email', 'mailbox'].includes(field.kind) || field.name === 'domain'
    ? text.toLowerCase().normalize('NFC')
    : text
}

/** The values of an `in`, which escapes commas (decision C7). */
function valuesOf(list: string): string[] {
  const values = list.split(/(?<!\\),/)
  return values.map((value) => value.replaceAll('\\,', ',').trim())
}

/** Code points order as their UTF-8 does. */
function compareBytes(a: string | null, b: string | null): number {
  return Buffer.compare(Buffer.from(a ?? ''), Buffer.from(b ?? ''))
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function like(field: Field, value: string, pattern: string): boolean {
  const parts = pattern
    .split('%')
    .map((part) => (field.name === 'phone_number' && part ? keyOf(field, part) || part : part))
  return expressionOf(parts.join('%')).test(keyOf(field, value))
}

const expressionOf = remembered((pattern) => {
  const parts = folded(pattern).split('%')
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('.*'), 'su')
})

const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }

const folded = remembered((text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => letters[letter]!),
)

/** The same function, which computes each result once: large lists compare the same texts many times. */
function remembered<T extends string | RegExp>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>()
  return (text) => {
    const result = results.get(text) ?? compute(text)
    results.set(text, result)
    return result
  }
}
