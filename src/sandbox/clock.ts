import type { Clock } from '../lib/clock.ts'

/** Where a clock can be set to at most: years after 9999 have no timestamps. */
export const lastMs = Date.UTC(9999, 11, 31)
export const clockEnds = 'A clock ends with the year 9999'

export const clockModes = ['real', 'ticking', 'frozen'] as const

/** `real`: the time of this machine. `ticking`: another time, which passes. `frozen`: it only passes when it is advanced (decision I7). */
type ClockMode = (typeof clockModes)[number]

/** Where a clock is. */
export interface ClockState {
  mode: ClockMode
  /** Milliseconds since 1970. Without effect in mode `real`. */
  nowMs: number
}

export class WorldClock implements Clock {
  #mode: ClockMode
  #nowMs: number
  #elapsedMs = 0
  /** When the two were set, by the monotonic clock of this machine. */
  #setAt = performance.now()

  constructor({ mode, nowMs }: ClockState) {
    this.#mode = mode
    this.#nowMs = nowMs
  }

  get state(): ClockState {
    return { mode: this.#mode, nowMs: this.now() }
  }

  now(): number {
    return this.#mode === 'real' ? Date.now() : this.#nowMs + this.#passedMs
  }

  elapsed(): number {
    return this.#elapsedMs + this.#passedMs
  }

  /** Sets the clock forward or back. No time passes. */
  set({ mode, nowMs }: ClockState): void {
    this.#elapsedMs = this.elapsed()
    this.#setAt = performance.now()
    this.#mode = mode
    this.#nowMs = nowMs
  }

  /** Lets time pass until this moment. A clock that was real is ahead of this machine afterwards. */
  advanceTo(nowMs: number): void {
    const ms = Math.max(nowMs - this.now(), 0)
    this.set({ mode: this.#mode === 'frozen' ? 'frozen' : 'ticking', nowMs: this.now() + ms })
    this.#elapsedMs += ms
  }

  /** Whole milliseconds, so that sums of times are exact. */
  get #passedMs(): number {
    return this.#mode === 'frozen' ? 0 : Math.floor(performance.now() - this.#setAt)
  }
}
