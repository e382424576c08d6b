import { tidy } from './tidy.ts'

/** The sign before the decimals of a number. */
export type Decimal = '.' | ','

const digitsMax = 15
const charactersMax = 40
const spaces = /[\s\u00a0\u202f'’]/

/** What the notation of a number says about the decimal sign; undefined: nothing, or it is no number. */
export function decimalIn(cell: string): Decimal | undefined {
  if (cell.length > charactersMax) return undefined
  const { text } = withoutSign(cell)
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (last === -1 || !/^[\d.,]+$/.test(text)) return undefined
  const sign = text[last] as Decimal
  const other: Decimal = sign === '.' ? ',' : '.'
  const isSeveral = text.indexOf(sign) !== last
  if (isSeveral) return text.includes(other) ? undefined : other
  if (text.includes(other)) return sign
  return isEither(text) ? undefined : sign
}

/** A number in the notation of its column; undefined: it is none; 'ambiguous': it may be two. */
export function numberIn(cell: string, decimal: Decimal | undefined): number | 'ambiguous' | undefined {
  const digits = digitsIn(cell, decimal)
  return digits === undefined || digits === 'ambiguous' ? digits : Number(digits)
}

/** Like `numberIn`, but returns the number with all its digits, as JSON writes it. */
export function digitsIn(cell: string, decimal: Decimal | undefined): string | undefined {
  if (cell.length > charactersMax) return undefined
  const { text, isNegative } = withoutSign(cell)
  const own = decimalIn(cell)
  const sign = own ?? decimal
  if (sign === undefined && isEither(text)) return 'ambiguous'
  const plain = ungrouped(text, sign ?? '.')
  if (plain === undefined) return isPrinted(cell) ? cell : undefined
  return `${isNegative ? '-' : ''}${plain.replace(/^0+(?=\d)/, '')}`
}

/** Whether a program has printed a double so, in our own files, too: `1e-7`, `0.30000000000000004`. */
function isPrinted(cell: string): boolean {
  return /^-?\d/.test(cell) && String(Number(cell)) === cell
}

/** `1.500` and `1,500` may be 1500 or 1.5. */
function isEither(text: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text)
}

/** The digits with a point before the decimals; undefined: the groups of thousands are not right. */
function ungrouped(text: string, sign: Decimal): string | undefined {
  const [whole = '', decimals = '', ...rest] = text.split(sign)
  const groups = whole.split(sign === '.' ? ',' : '.')
  const isGrouped =
    groups.length === 1 || (/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((each) => /^\d{3}$/.test(each)))
  const digits = groups.join('')
  if (rest.length > 0 || !isGrouped || !/^\d*$/.test(digits + decimals)) return undefined
  if (digits + decimals === '' || digits.length > digitsMax || decimals.length > digitsMax) return undefined
  return `${digits || '0'}.${decimals || '0'}`
}

/** The number without its sign, and without spaces and apostrophes between thousands: `1 500`, `1’500`, `(1.500)`, `1.500-`, `1.500,-`. */
function withoutSign(cell: string): { text: string; isNegative: boolean } {
  const tidied = tidy(cell)
  const [, inner] = /^\(([\d.,]+)\)$/.exec(tidied) ?? []
  const [, signs = '', body = '', after = ''] = /^([-+−]?)\s*([^-−]*?)(?:,-{1,2}|([-−]?))$/.exec(inner ?? tidied) ?? [
    undefined,
    '',
    tidied,
  ]
  const parts = body.split(spaces)
  const isSpaced = parts.slice(1).every((each) => /^\d{3}(?:[.,]\d*)?$/.test(each))
  return {
    text: isSpaced ? parts.join('') : body,
    isNegative: inner !== undefined || /[-−]/.test(signs) || after !== '',
  }
}
