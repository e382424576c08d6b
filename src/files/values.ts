import { parseExact, rawNumber, survives } from '../lib/exact-json.ts'
import { fold } from '../lib/text.ts'
import { Ambiguous, type Hint } from './column-hints.ts'
import { momentIn } from './dates.ts'
import { digitsIn, numberIn } from './numbers.ts'

const flags: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, x: true, '1': true, ja: true, wahr: true },
  ...{ false: false, no: false, n: false, '0': false, nein: false, falsch: false },
}

/** Other text is returned unchanged, for the validation to reject. So do the functions below. */
export function readFlag(cell: string): unknown {
  return flags[cell.toLowerCase()] ?? cell
}

/** Numbers in an object keep all their digits. A number alone is text. */
function readJson(cell: string): unknown {
  try {
    return /^-?\d/.test(cell) ? cell : parseExact(cell)
  } catch {
    return cell
  }
}

/** A cell of values that further columns add to, which would replace what is no object. */
export function readObject(cell: string): unknown {
  const value = readJson(cell)
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return isObject ? value : new Ambiguous(cell, `${cell} must be a JSON object`)
}

/** The same of a list. */
export function readList(cell: string): unknown {
  const value = readJson(cell)
  return value === null || Array.isArray(value) ? value : new Ambiguous(cell, `${cell} must be a JSON list`)
}

export function readNumber(cell: string, { decimal }: Hint = {}): unknown {
  return numberOf(cell, numberIn(cell, decimal))
}

/** A number that keeps all its digits. */
export function readExactNumber(cell: string, { decimal }: Hint = {}): unknown {
  const digits = digitsIn(cell, decimal)
  if (digits === undefined || digits === 'ambiguous') return numberOf(cell, digits)
  return survives(digits) ? Number(digits) : rawNumber(digits)
}

function numberOf(cell: string, number: number | 'ambiguous' | undefined): unknown {
  if (number !== 'ambiguous') return number ?? cell
  const [whole, thousandths] = cell.split(/[.,]/)
  return new Ambiguous(
    cell,
    `${cell} may be ${whole}${thousandths} or ${whole}.${thousandths}: write one of them`,
    'decimal',
  )
}

/** `31.12.2026` and `2026-12-31 23:11` are the day `2026-12-31`. */
export function readDate(cell: string, { order }: Hint = {}): unknown {
  const moment = momentIn(cell, order)
  return moment === 'ambiguous' ? ambiguousDay(cell) : (moment?.day ?? cell)
}

/** A day, or a time with its offset or in UTC (decision B10). */
export function readMoment(cell: string, { order }: Hint = {}): unknown {
  const moment = momentIn(cell, order)
  if (moment === 'ambiguous') return ambiguousDay(cell)
  if (!moment) return cell
  return moment.time === undefined ? moment.day : `${moment.day}T${moment.time}${moment.offset ?? ''}`
}

export function ambiguousDay(cell: string): Ambiguous {
  return new Ambiguous(cell, `${cell} may be a day of two months: write it as 2026-12-31`, 'order')
}

/** `In progress` is `in_progress`. */
export function readOption(options: readonly string[], cell: string): string {
  const name = fold(cell).replace(/[\s-]+/g, '_')
  return options.find((option) => fold(option) === name) ?? cell
}

/** The year of a birth or of a contract's end: of the last century, or of this one. */
const ofTwoCenturies = /^\d{1,2}\D\d{1,2}\D[3-6]\d(?!\d)/

/** Reads the value of a declared field by its type. */
export function readDeclared(type: string, cell: string, hint: Hint = {}): unknown {
  if (type === 'boolean') return readFlag(cell)
  if (type === 'number') return readNumber(cell, hint)
  if (type === 'choices') return cell.split(';').flatMap((each) => each.trim() || [])
  if (type !== 'date' && type !== 'datetime') return cell
  if (ofTwoCenturies.test(cell)) {
    return new Ambiguous(cell, `${cell} may be a year of two centuries: write it with four digits`)
  }
  return type === 'date' ? readDate(cell, hint) : readMoment(cell, hint)
}

const particles = new Set('van von de der den zu zum del della di da dos la le bin al'.split(' '))

/** Splits a name into first and last name: at a comma, otherwise before the last word and its particles (`van`, `von der`). */
export function splitName(name: string): { first_name: string; last_name?: string } {
  const [last, first, ...more] = name.split(',').map((part) => part.trim())
  if (first && last && more.length === 0) return { first_name: first, last_name: last }
  const words = name.split(/\s+/).filter((word) => word !== '')
  let at = words.length - 1
  while (at > 1 && particles.has(words[at - 1]!.toLowerCase())) at--
  if (at < 1) return { first_name: name }
  return { first_name: words.slice(0, at).join(' '), last_name: words.slice(at).join(' ') }
}

/** `von der Leyen Ursula` with a comma behind the last name, by which `splitName` divides it. */
export function lastNameFirst(name: string): string {
  const words = name.split(/\s+/)
  let end = 1
  while (end < words.length - 1 && particles.has(words[end - 1]!.toLowerCase())) end++
  if (name.includes(',') || end >= words.length) return name
  return `${words.slice(0, end).join(' ')}, ${words.slice(end).join(' ')}`
}
