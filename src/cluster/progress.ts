import { setTimeout as delay } from 'node:timers/promises'

/** The longest time between two looks at a leader, whose progress is not noted. */
const lookMs = 100

/** Readers that wait for what comes next. */
export class Progress {
  readonly #waiting = new Set<() => void>()

  /** Wakes the readers. */
  note(): void {
    for (const wake of this.#waiting) wake()
  }

  /** Resolves with whether a condition holds within `ms` milliseconds. */
  async reach(holds: () => boolean, ms: number): Promise<boolean> {
    const endMs = performance.now() + ms
    while (!holds()) {
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) return false
      const end = new AbortController()
      const later = delay(Math.min(leftMs, lookMs), undefined, { signal: end.signal }).catch(() => {})
      const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
      this.#waiting.add(wake)
      await Promise.race([woken, later])
      this.#waiting.delete(wake)
      end.abort()
    }
    return true
  }
}
