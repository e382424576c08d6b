import { endOfString } from './json-shape.ts'

/** A number that a double cannot represent exactly, as its text. `JSON.stringify` writes it as it was read. */
export interface RawNumber {
  readonly rawJSON: string
}

/** What the language has, but its declarations for TypeScript lack. */
const exactly = JSON as unknown as {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
}

export const { rawJSON: rawNumber, isRawJSON: isRawNumber } = exactly

/** Other numbers are exact: a double has 15 significant digits, and its exponent is at least -324. */
export const longNumber = /\d[\d.]{15}|\d[eE]-\d{3}/
/** The length of the shortest of them: `1e-400`. */
const lengthMin = 6

/** Parses JSON. Numbers that a double would change become `RawNumber`s. Throws SyntaxError. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const marked = longNumber.test(text) ? markInexact(text) : text
  return marked === text ? value : unmarked(JSON.parse(marked))
}

/** The only member of what stands for a number. Nobody sends it by chance. */
const mark = `number ${Math.random()}`

const [quote, minus, zero, nine] = [0x22, 0x2d, 0x30, 0x39]

/**
 * Replaces the numbers of a valid JSON text that a double would change. A function that `JSON.parse` calls with each value would take a
 * hundred times as long as the parsing.
 */
function markInexact(text: string): string {
  let marked = ''
  let done = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (beginsNumber(code)) {
      const [start, end] = [at, endOfNumber(text, at)]
      at = end - 1
      const source = longBetween(text, start, end)
      if (source === undefined || survives(source)) continue
      marked += `${text.slice(done, start)}{"${mark}":"${source}"}`
      done = end
    }
  }
  return marked + text.slice(done)
}

/** Whether a value that begins with this character is a number. */
export function beginsNumber(code: number): boolean {
  return code === minus || (code >= zero && code <= nine)
}

/** The offset after a number that begins at `start`. */
export function endOfNumber(text: string, start: number): number {
  let at = start + 1
  while (isNumberPart(text.charCodeAt(at))) at++
  return at
}

/** The number between two offsets if a double may change it. */
export function longBetween(text: string, start: number, end: number): string | undefined {
  if (end - start < lengthMin) return undefined
  const source = text.slice(start, end)
  return longNumber.test(source) ? source : undefined
}

/** A digit or one of `+-.eE`. */
function isNumberPart(code: number): boolean {
  return (code >= zero && code <= nine) || code === 0x2e || code === minus || code === 0x2b || (code | 0x20) === 0x65
}

/** Puts the numbers back, each as its text. */
function unmarked(value: unknown): unknown {
  const whole = { value }
  const open: object[] = [whole]
  for (let owner = open.pop(); owner; owner = open.pop()) {
    const members = owner as Record<string | number, object>
    for (const name of Array.isArray(owner) ? owner.keys() : Object.keys(owner)) {
      const each = members[name]
      if (typeof each !== 'object' || each === null) continue
      if (Object.hasOwn(each, mark)) members[name] = rawNumber((each as Record<string, string>)[mark]!)
      else open.push(each)
    }
  }
  return whole.value
}

/** Whether converting a number to a double and back gives the same number. */
export function survives(source: string): boolean {
  const shown = String(Number(source))
  return shown === source || canonical(source) === canonical(shown)
}

/** A canonical text of a number: its digits without leading and trailing zeros, and the exponent of the last one. */
function canonical(number: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  if (whole === undefined) return number
  const digits = (whole + fraction).replace(/^0+/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end--
  if (end === 0) return '0'
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}
