import type { Clock } from './clock.ts'

/** The time by which sweeps remove what is old: a system clock that is wrong at one sweep only removes nothing. */
export class SteadyTime {
  readonly #clock: Clock
  #last: { nowMs: number; elapsedMs: number }

  /** `knownMs`: a moment that has passed. */
  constructor(clock: Clock, knownMs: number) {
    this.#clock = clock
    this.#last = { nowMs: knownMs, elapsedMs: clock.elapsed() }
  }

  /** Returns the earlier of the time now, and the time at the last call plus what has passed since. */
  next(): number {
    const { nowMs, elapsedMs } = this.#last
    this.#last = { nowMs: this.#clock.now(), elapsedMs: this.#clock.elapsed() }
    return Math.min(this.#last.nowMs, nowMs + this.#last.elapsedMs - elapsedMs)
  }
}
