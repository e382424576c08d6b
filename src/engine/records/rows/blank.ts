import { decimalText, readDecimal } from '../../../lib/decimal.ts'
import type { SqlValue } from '../../../store/reader.ts'
import type { Field } from '../definition/resource.ts'

/** The value of a field of an erased record; undefined if the stored one stays: a reference, a time, or a number that is never null. */
export function blankOf({
  nullable,
  cleared,
  default: fallback,
  options,
  kind,
  sqlType,
  isExact,
  shape,
}: Field): SqlValue | undefined {
  if (nullable) return null
  if (kind === 'reference' || kind === 'moment') return undefined
  if (kind === 'choices') return '[]'
  if (isExact) return decimalText(readDecimal(String(Math.max(0, Number(shape.minimum))))!)
  return cleared ?? fallback ?? options?.[0] ?? (sqlType === 'TEXT' ? '' : undefined)
}
