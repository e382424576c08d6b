import { hourMs, minuteMs, secondMs } from '../../../lib/clock.ts'

/** The times between the attempts of a delivery (decision H4). The first attempt is immediate. */
const delaysMs = [
  ...[5 * secondMs, 5 * minuteMs, 30 * minuteMs],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
]
export const attemptsMax = delaysMs.length + 1

const jitter = 0.2

/**
 * Milliseconds until the next attempt after this many; undefined: there is none. Deliveries that fail together are spread by up to a
 * fifth. `Retry-After` can only delay the next attempt. `random` is from 0 to 1.
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, random: number): number | undefined {
  const delay = delaysMs[attempts - 1]
  if (delay === undefined) return undefined
  const spread = delay * (1 - jitter + 2 * jitter * random)
  return Math.max(spread, retryAfterMs ?? 0)
}
