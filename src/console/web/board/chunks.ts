/** The deals that one request asks about, so that its address stays short. */
const dealsMax = 50

/** Divides deals, or their ids, into those of one request each. */
export function chunksOf<T>(all: readonly T[]): T[][] {
  return all.length === 0 ? [] : [all.slice(0, dealsMax), ...chunksOf(all.slice(dealsMax))]
}
