import { setTimeout as delay } from 'node:timers/promises'

/** The longest time between two looks at a leader, whose progress is not noted. */
const lookMs = 100

/** Readers that wait for what comes next. */
export class Progress {
  #waiting: (() => void)[] = []

  /** Wakes the readers. */
  note(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  /** Resolves with whether a condition holds within `ms` milliseconds. */
  async reach(holds: () => boolean, ms: number): Promise<boolean> {
    const endMs = performance.now() + ms
    while (!holds()) {
      const leftMs = endMs - performance.now()
      if (leftMs <= 0) return false
      const end = new AbortController()
      const later = delay(Math.min(leftMs, lookMs), undefined, { signal: end.signal }).catch(() => {})
      await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), later])
      end.abort()
    }
    return true
  }
}
