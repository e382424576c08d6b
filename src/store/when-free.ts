import { setTimeout as delay } from 'node:timers/promises'
import { isBusy, toApiError, unavailable } from './constraint.ts'

const retryMs = 1

/**
 * Takes the write lock. If another connection holds it, tries again from a timer, which does not block the event loop. Throws 503
 * after `msMax` milliseconds.
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
