import { type Decimal, numberOf, readDecimal } from '../../../lib/decimal.ts'
import type { Reader } from '../../../store/reader.ts'
import type { Measure } from './measures.ts'

/** The columns of a statement that adds up measures. */
export type Sums = Record<`sum${number}`, string | number | null>

/** Columns with the exact sums or medians of measures (decision J4). No index has all digits, so they are read only if there are any. */
export function sumColumns(reader: Reader, measures: readonly Measure[]): string[] {
  return measures.map(({ sql, exact, median }, at) => {
    const summed = exact && reader.value(exact.isUsed) !== undefined ? exact.sql : sql
    return `${median ? 'median' : 'exact_sum'}(${summed}) AS sum${at}`
  })
}

/** The values of measures in a row; null: the median of no value. */
export function amountsOf(measures: readonly Measure[], row: Sums): (Decimal | null)[] {
  return measures.map(({ shift }, at) => {
    const sum = row[`sum${at}`]!
    if (sum === null) return null
    const { units, places } = readDecimal(String(sum))!
    return { units, places: places + shift }
  })
}

/** The nearest double; null beyond their range. */
export function asNumber(amount: Decimal | null): number | null {
  const number = amount && numberOf(amount)
  return Number.isFinite(number) ? number : null
}
