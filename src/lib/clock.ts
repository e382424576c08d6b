/** A source of time. */
export interface Clock {
  /** The wall clock: milliseconds since 1970, UTC. It may jump in either direction; use it for timestamps and calendar days. */
  now(): number
  /** The monotonic clock: milliseconds since an arbitrary start. It never jumps; use it for windows, timeouts and schedules. */
  elapsed(): number
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now() }

export const secondMs = 1_000
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

let lastMs = Number.NaN
let lastText = ''

/** The timestamp format of responses and columns: ISO 8601, UTC, milliseconds (decision B10). The last one is kept, because what happens at once has the same millisecond. */
export function timestamp(ms: number): string {
  if (ms !== lastMs) lastText = new Date(ms).toISOString()
  lastMs = ms
  return lastText
}

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function utcDay(ms: number): string {
  return timestamp(ms).slice(0, 10)
}
