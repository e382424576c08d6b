/** How often the true median may be outside of a range: rarely, because a comparison has many ranges. */
const missesMax = 1 / 1_000

export interface Spread {
  median: number
  low: number
  high: number
}

/**
 * The median of values that do not depend on each other, and the range from one of them to another that holds the true median with
 * 99.9 %, whatever their distribution: of 11 values from the smallest to the largest, of 21 from the 3rd to the 19th. That of fewer than 11
 * values holds it less often.
 */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const left = leftOut(sorted.length)
  return { median: medianOf(sorted), low: sorted[left]!, high: sorted.at(-1 - left)! }
}

/** Of an even number of values, the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

/**
 * How many values the range leaves out at each end. A value is below the true median with 1/2, so the number of those below is that of
 * heads among `count` coins: the median is outside if at most `left` of them are on one side.
 */
function leftOut(count: number): number {
  let left = 0
  let ways = 1
  let outside = 1
  while (left < (count - 1) / 2) {
    ways = (ways * (count - left)) / (left + 1)
    outside += ways
    if ((2 * outside) / 2 ** count > missesMax) break
    left++
  }
  return left
}
