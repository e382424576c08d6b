import { type Clock, minuteMs, systemClock } from '../lib/clock.ts'

/** The server's clock on another thread. */
interface ServerClock extends Clock {
  /** How many milliseconds the server's clock is ahead of the system's. */
  aheadMs: number
}

/** Late messages about `aheadMs` do not set the clock back, but a server's clock that was set back does. */
export function serverClock(aheadMs: number): ServerClock {
  let nowMs = 0
  return {
    aheadMs,
    now() {
      const serverMs = Date.now() + this.aheadMs
      nowMs = serverMs > nowMs - minuteMs ? Math.max(nowMs, serverMs) : serverMs
      return nowMs
    },
    elapsed: systemClock.elapsed,
  }
}
