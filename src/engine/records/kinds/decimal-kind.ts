import * as v from 'valibot'
import { type Decimal, decimalText, minus, readDecimal } from '../../../lib/decimal.ts'
import { isRawNumber, type RawNumber } from '../../../lib/exact-json.ts'
import { rule } from '../definition/faults.ts'
import type { Kind } from '../definition/resource.ts'
import { numberFilter } from './filters.ts'

interface DecimalOptions {
  /** In whole units; default: -`max`. */
  min?: number
  max: number
  /** How many decimals it may have; default: 6. */
  places?: number
  /** A whole number. */
  default?: number
}

/**
 * A number that is stored exactly as the JSON text has it, with a limited number of decimals: `decimal({ min: 0, max: 100 })`. Lists compare the
 * nearest double.
 */
export function decimal({ min, max, places = 6, default: fallback }: DecimalOptions): Kind {
  const least = min ?? -max
  const [lowest, highest] = [least, max].map((bound) => readDecimal(String(bound))!) as [Decimal, Decimal]
  const isIn = (value: Decimal | undefined) =>
    value !== undefined &&
    value.places <= places &&
    minus(value, lowest).units >= 0n &&
    minus(highest, value).units >= 0n
  const range = `from ${decimalText(lowest)} to ${max}, with at most ${places} decimals`
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
        rule('OUT_OF_RANGE', isIn, `${label} must be ${range}`),
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
