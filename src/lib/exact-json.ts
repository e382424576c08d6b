/** A number that a double cannot represent exactly, as its text. `JSON.stringify` writes it as it was read. */
export interface RawNumber {
  readonly rawJSON: string
}

/** What the language has, but its declarations for TypeScript lack. */
const exactly = JSON as unknown as {
  rawJSON(text: string): RawNumber
  isRawJSON(value: unknown): value is RawNumber
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
}

export const { rawJSON: rawNumber, isRawJSON: isRawNumber } = exactly

/** Other numbers are exact: a double has 15 significant digits, and its exponent is at least -324. */
export const longNumber = /\d[\d.]{15}|\d[eE]-\d{3}/

/** Parses JSON. Numbers that a double would change become `RawNumber`s. Throws SyntaxError. */
export function parseExact(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  return exactly.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && !survives(source) ? rawNumber(source) : value,
  )
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
