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
/** How long, in milliseconds, the search index may take to follow. Until then, what it has would be overwritten in vain, and again after it. */
const indexMsMax = 5_000

/** What leaves no byte of what was erased. Both return false if that was not possible yet. */
interface Removal {
  /** Overwrites the gaps of the database's pages (gaps.ts). */
  overwrite(): Promise<boolean>
  /** Truncates the write-ahead log. */
  truncate(): boolean | Promise<boolean>
}

/**
 * Knows whether the files of the database may have something from before an erasure. If anything has ever been erased, they may have it at the
 * start, too: the process before may have ended in between.
 */
export class ErasureWatch {
  readonly #read: () => Erasures
  /** What had been erased when the gaps were last overwritten, and when the log was last truncated after that. */
  #overwritten: Erasures | undefined
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

  /** What has been erased of which something may remain; undefined if nothing may, or if it is too early to try again. */
  look(): Erasures | undefined {
    const now = this.#read()
    const nowMs = performance.now()
    this.#done ??= now.unindexed
    const isDue = !isSame(this.#covered, now)
    const mayRemain = isDue && now.erased > 0
    if (!isDue && now.erased === now.unindexed) this.#done = now.erased
    this.#count = Math.max(now.erased - this.#done, Number(mayRemain))
    this.#sinceMs = this.#count > 0 ? (this.#sinceMs ?? nowMs) : undefined
    const isEarly = now.erased !== now.unindexed && this.waiting.ageMs < indexMsMax
    return mayRemain && nowMs >= this.#nextMs && !isEarly ? now : undefined
  }

  /** Removes what remains of what `look` has returned. The log is truncated last: it also has the pages from before they were overwritten. */
  async remove(due: Erasures, { overwrite, truncate }: Removal): Promise<void> {
    const begunMs = performance.now()
    let isDone = false
    try {
      if (!isSame(this.#overwritten, due)) {
        if (!(await overwrite())) return
        this.#overwritten = due
      }
      isDone = await truncate()
      if (isDone) {
        this.#covered = due
        this.#sinceMs &&= begunMs // what is left was erased later
      }
    } finally {
      this.#pauseMs = isDone ? pauseMsMin : Math.min(this.#pauseMs * 2, pauseMsMax)
      this.#nextMs = isDone ? 0 : performance.now() + this.#pauseMs
    }
  }

  get waiting(): WaitingErasures {
    return { count: this.#count, ageMs: this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs }
  }
}

function isSame(one: Erasures | undefined, other: Erasures): boolean {
  return one?.erased === other.erased && one.unindexed === other.unindexed
}
