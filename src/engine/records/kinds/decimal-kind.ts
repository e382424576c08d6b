import * as v from 'valibot'
import { type Decimal, decimalText, isWithin, readDecimal } from '../../../lib/decimal.ts'
import { isRawNumber, type RawNumber } from '../../../lib/exact-json.ts'
import { rule } from '../definition/faults.ts'
import type { Kind } from '../definition/resource.ts'
import { numberFilter } from './filters.ts'

/** How many decimals a number may have. */
const placesMax = 6

interface DecimalOptions {
  /** In whole units; default: -`max`. */
  min?: number
  max: number
  /** A whole number. */
  default?: number
}

/**
 * A number that is stored exactly as the JSON text has it, with at most 6 decimals: `decimal({ min: 0, max: 100 })`. Lists compare the
 * nearest double.
 */
export function decimal({ min, max, default: fallback }: DecimalOptions): Kind {
  const least = min ?? -max
  const range = `from ${least} to ${max}, with at most ${placesMax} decimals`
  return {
    kind: 'number',
    isExact: true,
    sqlType: 'TEXT',
    schema: (label) =>
      v.pipe(
        v.custom<number | RawNumber>(
          (value) => typeof value === 'number' || isRawNumber(value),
          `${label} must be a number`,
        ),
        v.transform(decimalOf),
        rule('OUT_OF_RANGE', (value) => isIn(value, least, max), `${label} must be ${range}`),
        v.transform((value) => decimalText(value!)),
      ),
    shape: { type: 'number', minimum: least, maximum: max },
    json: (column) => `json(${column})`,
    filter: numberFilter,
    key: { sqlType: 'REAL', of: Number },
    ...(fallback !== undefined && { default: String(fallback) }),
  }
}

function decimalOf(value: number | RawNumber): Decimal | undefined {
  return readDecimal(typeof value === 'number' ? String(value) : value.rawJSON)
}

function isIn(value: Decimal | undefined, min: number, max: number): value is Decimal {
  return (
    value !== undefined && value.places <= placesMax && isWithin(value, BigInt(max)) && (min < 0 || value.units >= 0n)
  )
}
