/** How often the true median may be outside of a range: rarely, because a comparison has many ranges. */
const missesMax = 1 / 1_000

export interface Spread {
  median: number
  low: number
  high: number
}

/**
 * The median of values that do not depend on each other, and the narrowest range from one of them to another that holds the true median with
 * 99.9 %, whatever their distribution: of 11 values from the smallest to the largest, of 21 from the 3rd to the 19th. Fewer than 11 values
 * always give the range from the smallest to the largest; see `confidenceOf`.
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

/** How probably the range of so many values holds the true median. */
export function confidenceOf(count: number): number {
  return 1 - missesOf(count, leftOut(count))
}

/** How many values the range leaves out at each end. */
function leftOut(count: number): number {
  let left = 0
  while (left + 1 <= (count - 1) / 2 && missesOf(count, left + 1) <= missesMax) left++
  return left
}

/**
 * How probably the true median is outside of a range that leaves out `left` of `count` values at each end. A value is below the true median
 * with 1/2, so the number of those below is that of heads among `count` coins: the median is outside if at most `left` of them are on one side.
 */
function missesOf(count: number, left: number): number {
  let ways = 1
  let outside = 1
  for (let heads = 1; heads <= left; heads++) {
    ways = (ways * (count - heads + 1)) / heads
    outside += ways
  }
  return (2 * outside) / 2 ** count
}
