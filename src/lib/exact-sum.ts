import { type Decimal, decimalText, plus, readDecimal, times, zero } from './decimal.ts'

/** An exact sum of numbers and of products of two: doubles, which stand for their shortest decimals, and texts of decimals. */
export class ExactSum {
  /** Integers below 2^53: millionths of numbers, and 10^-8 of products. */
  #numbers = 0
  #products = 0
  #rest: Decimal = zero

  /** Adds a number, or the product of two; null does not count. */
  add(number: unknown, factor: unknown = 1): void {
    if (number === null || factor === null) return
    if (factor === 1) {
      const numbers = this.#numbers + unitsOf(number, 1e6)
      if (Number.isSafeInteger(numbers)) this.#numbers = numbers
      else this.#addLarge(number, factor)
    } else {
      const products = this.#products + unitsOf(number, 1e6) * unitsOf(factor, 100)
      if (Number.isSafeInteger(products)) this.#products = products
      else this.#addLarge(number, factor)
    }
  }

  /** The decimal, as text. */
  toString(): string {
    return decimalText(this.#total())
  }

  #addLarge(number: unknown, factor: unknown): void {
    this.#rest = plus(this.#total(), times(decimalOf(number), decimalOf(factor)))
    this.#numbers = 0
    this.#products = 0
  }

  #total(): Decimal {
    const numbers = { units: BigInt(this.#numbers), places: 6 }
    return plus(this.#rest, plus(numbers, { units: BigInt(this.#products), places: 8 }))
  }
}

/** Below, no two decimals of 6 places are the same double; with so many characters, no two texts. */
const [exactMax, lengthMax] = [2 ** 33, 15]

/** A number with few decimals as an integer of a smaller unit, otherwise NaN. */
function unitsOf(value: unknown, scale: number): number {
  const number = typeof value === 'string' && value.length <= lengthMax ? Number(value) : value
  if (typeof number !== 'number' || Math.abs(number) >= exactMax) return Number.NaN
  const units = Math.round(number * scale)
  return units / scale === number ? units : Number.NaN
}

/** What is no number counts as zero. */
function decimalOf(value: unknown): Decimal {
  return readDecimal(String(value)) ?? zero
}
