import type { Erasures } from './erasures.ts'

/** Erasures of which the database's files may still have something. */
export interface WaitingErasures {
  count: number
  /** How long the oldest has been waiting, in milliseconds. */
  ageMs: number
}

export const noErasures: WaitingErasures = { count: 0, ageMs: 0 }

/** The time between two attempts, in milliseconds: each holds up writers for a moment if a reader needs the log. */
const [pauseMsMin, pauseMsMax] = [1_000, 8_000]

/**
 * Knows whether the write-ahead log has to be truncated, because it may have pages from before an erasure. A log that an earlier process has
 * left is truncated if anything has ever been erased: that process may have ended in between.
 */
export class ErasureWatch {
  readonly #read: () => Erasures
  /** What had been erased when the log was last truncated. */
  #covered: Erasures | undefined
  /** How many of the erasures have left no byte. */
  #done: number | undefined
  #sinceMs: number | undefined
  #count = 0
  #pauseMs = pauseMsMin
  #nextMs = 0

  constructor(read: () => Erasures) {
    this.#read = read
  }

  /** What a truncation of the log, which has this length, would cover now; undefined if none is due. */
  look(logBytes: number): Erasures | undefined {
    const now = this.#read()
    const nowMs = performance.now()
    if (logBytes === 0) this.#covered ??= now
    this.#done ??= now.unindexed
    const isDue = this.#covered?.erased !== now.erased || this.#covered.unindexed !== now.unindexed
    const mayRemain = isDue && now.erased > 0
    if (!isDue && now.erased === now.unindexed) this.#done = now.erased
    this.#count = Math.max(now.erased - this.#done, Number(mayRemain))
    this.#sinceMs = this.#count > 0 ? (this.#sinceMs ?? nowMs) : undefined
    return mayRemain && nowMs >= this.#nextMs ? now : undefined
  }

  /** An attempt to truncate the log has ended. */
  tried(state: Erasures, isTruncated: boolean): void {
    if (isTruncated) this.#covered = state
    this.#pauseMs = isTruncated ? pauseMsMin : Math.min(this.#pauseMs * 2, pauseMsMax)
    this.#nextMs = isTruncated ? 0 : performance.now() + this.#pauseMs
  }

  get waiting(): WaitingErasures {
    return { count: this.#count, ageMs: this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs }
  }
}
