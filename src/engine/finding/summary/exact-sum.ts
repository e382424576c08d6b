/** The number of decimal digits that a double always holds. */
const digitsMax = 15
/** From here on, decimals are beyond these digits, and a sum is the nearest double. */
const exactMax = 10 ** digitsMax

/**
 * Removes what binary fractions add to a sum of decimals: 0.30000000000000004 becomes 0.3. `magnitude` is the sum of the absolute values; an
 * error is at most in its 16th digit, because SQLite adds with compensation. Null if the sum is beyond the range of a double (decision J4).
 */
export function exactSum(sum: number | null, magnitude: number | null, { shift = 0 } = {}): number | null {
  if (sum === null || magnitude === null || !Number.isFinite(sum) || !Number.isFinite(magnitude)) return null
  if (magnitude >= exactMax) return sum / 10 ** shift
  const digits = sum === 0 ? 0 : digitsMax - (exponentOf(magnitude) - exponentOf(sum))
  if (digits < 1) return 0
  const [decimals, exponent] = sum.toExponential(digits - 1).split('e')
  return Number(`${decimals}e${Number(exponent) - shift}`)
}

function exponentOf(value: number): number {
  return Number(value.toExponential().split('e')[1])
}
