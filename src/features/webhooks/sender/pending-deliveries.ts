import type { Pending } from '../stored/deliveries.ts'
import { attemptsMax } from './retry-schedule.ts'

/** The deliveries of a webhook that wait for another attempt, by number. */
export class PendingDeliveries {
  readonly #entries = new Map<number, Pending>()

  get size(): number {
    return this.#entries.size
  }

  /** The number of those that keep further changes back: not those that are only sent again on request (decision H4). */
  get retried(): number {
    return [...this.#entries.values()].filter(isRetried).length
  }

  get(number: number): Pending | undefined {
    return this.#entries.get(number)
  }

  set(pending: Pending): void {
    this.#entries.set(pending.number, pending)
  }

  delete(number: number): void {
    this.#entries.delete(number)
  }

  clear(): void {
    this.#entries.clear()
  }

  /** Removes and returns those from before a change. Pings stay. */
  takeBefore(oldest: number): Pending[] {
    const taken = [...this.#entries.values()].filter(({ number }) => number >= 0 && number < oldest)
    for (const { number } of taken) this.#entries.delete(number)
    return taken
  }

  /**
   * Those that may be attempted once they are due, the first one first. In order, a delivery follows only after all before it that are
   * retried.
   */
  inTurn(ordered: boolean): Pending[] {
    const all = [...this.#entries.values()]
    if (!ordered) return all.sort((a, b) => a.nextAtMs - b.nextAtMs)
    all.sort((a, b) => a.number - b.number)
    const first = all.findIndex(isRetried)
    return first === -1 ? all : all.slice(0, first + 1)
  }
}

function isRetried({ attempts }: Pending): boolean {
  return attempts > 0 && attempts < attemptsMax
}
