/** An exact decimal number: `units` × 10 to the power of -`places`. */
export interface Decimal {
  readonly units: bigint
  readonly places: number
}

export const zero: Decimal = { units: 0n, places: 0 }

/** More than any number that is stored, and any sum: larger exponents and longer texts are no decimals. */
const [lengthMax, exponentMax] = [1_000, 400]

/** Reads a number as JSON writes it: `0.1` is one tenth, `1e3` a thousand. Undefined if it is none, or far too long. */
export function readDecimal(text: string): Decimal | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole === undefined || text.length > lengthMax || Math.abs(Number(exponent)) > exponentMax) return undefined
  const [units, places] = [BigInt(`${sign}${whole}${fraction}`), fraction.length - Number(exponent)]
  return withoutZeros(places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 })
}

/** The text of a decimal, without an exponent and without trailing zeros: `-0.5`. */
export function decimalText(decimal: Decimal): string {
  const { units, places } = withoutZeros(decimal)
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const fraction = places > 0 ? `.${digits.slice(-places)}` : ''
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}${fraction}`
}

/** The nearest double. */
export function numberOf({ units, places }: Decimal): number {
  return Number(`${units}e${-places}`)
}

export function plus(one: Decimal, other: Decimal): Decimal {
  const places = Math.max(one.places, other.places)
  return { units: unitsAt(one, places) + unitsAt(other, places), places }
}

/** The exact sum of decimals, given as their texts. */
export function sumOf(texts: readonly string[]): Decimal {
  return texts.reduce((sum, text) => plus(sum, readDecimal(text)!), zero)
}

export function minus(one: Decimal, { units, places }: Decimal): Decimal {
  return plus(one, { units: -units, places })
}

export function times(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, places: one.places + other.places }
}

/** Rounds to a number of decimal places, half away from zero. */
export function rounded(decimal: Decimal, places: number): Decimal {
  if (decimal.places <= places) return decimal
  const divisor = 10n ** BigInt(decimal.places - places)
  const half = decimal.units < 0n ? -divisor / 2n : divisor / 2n
  return { units: (decimal.units + half) / divisor, places }
}

/** Whether a decimal is from -`max` to `max`. */
export function isWithin({ units, places }: Decimal, max: bigint): boolean {
  return (units < 0n ? -units : units) <= max * 10n ** BigInt(places)
}

function unitsAt({ units, places }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - places)
}

function withoutZeros({ units, places }: Decimal): Decimal {
  let [digits, rest] = [units, places]
  for (; rest > 0 && digits % 10n === 0n; rest--) digits /= 10n
  return { units: digits, places: rest }
}
