import { type Decimal, decimalText, plus, readDecimal, times, zero } from './decimal.ts'

/** The decimals of numbers, and of both factors of products, that are added as integers. */
const [numberPlaces, factorPlaces, percentPlaces] = [6, 3, 2]
const productPlaces = factorPlaces + percentPlaces

/** An exact sum of numbers and of products of two: doubles, which stand for their shortest decimals, and texts of decimals. */
export class ExactSum {
  /** Integers below 2^53, in units of the last of their decimals. */
  #numbers = 0
  #products = 0
  #rest: Decimal = zero

  /** Adds a number, or the product of two; null does not count. */
  add(number: unknown, factor: unknown = 1): void {
    if (number === null || factor === null) return
    const isNumber = factor === 1
    const units = isNumber
      ? unitsOf(number, numberPlaces)
      : unitsOf(number, factorPlaces) * unitsOf(factor, percentPlaces)
    if (!Number.isSafeInteger(units)) this.#rest = plus(this.#rest, times(decimalOf(number), decimalOf(factor)))
    else if (isNumber) this.#numbers = this.#summed(this.#numbers, units, numberPlaces)
    else this.#products = this.#summed(this.#products, units, productPlaces)
  }

  /** The decimal, as text. */
  toString(): string {
    const numbers = plus(this.#rest, { units: BigInt(this.#numbers), places: numberPlaces })
    return decimalText(plus(numbers, { units: BigInt(this.#products), places: productPlaces }))
  }

  /** The sum of two such integers. If it is too large, the first one goes to the rest. */
  #summed(before: number, units: number, places: number): number {
    const sum = before + units
    if (Number.isSafeInteger(sum)) return sum
    this.#rest = plus(this.#rest, { units: BigInt(before), places })
    return units
  }
}

/** Below, no two decimals of 6 places are the same double. */
const exactMax = 2 ** 33
/** The most characters of a text that a double has exactly. */
const lengthMax = 15
const scales = [1, 10, 100, 1e3, 1e4, 1e5, 1e6]

/** A number with at most so many decimals as a safe integer of that unit, otherwise NaN. */
function unitsOf(value: unknown, places: number): number {
  const number = typeof value === 'string' && value.length <= lengthMax ? Number(value) : value
  if (typeof number !== 'number' || Math.abs(number) >= exactMax) return Number.NaN
  const units = Math.round(number * scales[places]!)
  return units / scales[places]! === number ? units : Number.NaN
}

/** Throws TypeError if the value is no number. */
function decimalOf(value: unknown): Decimal {
  const decimal = readDecimal(String(value))
  if (!decimal) throw new TypeError(`${value} is no number`)
  return decimal
}
