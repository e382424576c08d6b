import { setTimeout as delay } from 'node:timers/promises'
import { isBusy, toApiError, unavailable } from './constraint.ts'

const retryMs = 1

/**
 * Takes the write lock, which another connection may hold: tries again from a timer instead of blocking the event loop.
 * Throws 503 when that has taken `msMax`.
 */
export async function whenFree(take: () => void, msMax = 5_000): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      return take()
    } catch (error) {
      if (!isBusy(error)) throw toApiError(error)
      if (waitedMs >= msMax) throw unavailable('The database is busy')
    }
    await delay(retryMs)
  }
}
