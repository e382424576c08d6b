import { errorFields, log as report } from '../lib/log.ts'
import type { Head, Log, NodeReport, Trimmed } from './log.ts'

/** How large the log may get, in bytes. */
export interface LogSizes {
  /** A larger log is trimmed. */
  bytesMax: number
  /** How much of it is kept then. */
  keptBytes: number
  /** The largest log while a node copies the database. */
  heldBytesMax: number
}

export const usualSizes: LogSizes = { bytesMax: 64 * 2 ** 20, keptBytes: 48 * 2 ** 20, heldBytesMax: 2 ** 30 }

/** How many places a log of the largest size has at which it can be trimmed. */
const marksPerLog = 64

/**
 * Keeps the log small: removes the oldest entries, up to one whose end is marked. Marks are in etcd, so a leader can remove what others have
 * written.
 */
export class Trimmer {
  readonly #log: Log
  readonly #sizes: LogSizes
  #trimmed: Trimmed
  /** The bytes before the mark that this leader has written last. */
  #markedBytes = 0
  /** The position after which a node that joins needs everything. */
  #keptFrom = Number.POSITIVE_INFINITY
  #releaseTimer: NodeJS.Timeout | undefined

  constructor(log: Log, trimmed: Trimmed, sizes: LogSizes) {
    this.#log = log
    this.#trimmed = trimmed
    this.#sizes = sizes
  }

  /** The bytes that the log has. */
  bytesOf(head: Head): number {
    return head.bytes - this.#trimmed.bytes
  }

  isTooLarge(head: Head): boolean {
    const isHeld = this.#keptFrom !== Number.POSITIVE_INFINITY
    return this.bytesOf(head) > (isHeld ? this.#sizes.heldBytesMax : this.#sizes.bytesMax)
  }

  /** Whether the entry that ends at this head is marked. The caller marks it. */
  marks({ bytes }: Head): boolean {
    if (bytes - this.#markedBytes < this.#sizes.bytesMax / marksPerLog) return false
    this.#markedBytes = bytes
    return true
  }

  /** Removes the oldest entries. If that fails, the next call tries it again. */
  async trim(head: Head): Promise<void> {
    try {
      const marks = (await this.#log.marks()).filter(({ position }) => position > this.#trimmed.position)
      const from = head.bytes - this.#sizes.keptBytes
      // If an entry is too large to be kept, the log ends with what follows it.
      const last =
        marks.findLast(({ bytes }) => bytes <= from) ?? marks.find(({ position }) => position < head.position)
      if (last && (await this.#log.trim(head, last))) this.#trimmed = last
    } catch (error) {
      report('the log could not be trimmed', errorFields(error), 'error')
    }
  }

  /** Keeps what follows a position, up to a limit, for a node that joins. */
  keepFrom(position: number): void {
    clearTimeout(this.#releaseTimer)
    this.#releaseTimer = undefined
    this.#keptFrom = position
  }

  /** Keeps nothing more for it after this time, or as soon as every node has what is kept for it (`releaseFor`). */
  release(ms: number): void {
    this.#releaseTimer = setTimeout(() => this.#release(), ms).unref()
  }

  /** Whether a node has copied the database and may need what is kept for it. */
  get isWaiting(): boolean {
    return this.#releaseTimer !== undefined
  }

  /** `nodes`: those that run. A node that joins reports the position 0 until it follows. */
  releaseFor(nodes: readonly NodeReport[]): void {
    if (this.isWaiting && nodes.every(({ position }) => position >= this.#keptFrom)) this.#release()
  }

  #release(): void {
    clearTimeout(this.#releaseTimer)
    this.#releaseTimer = undefined
    this.#keptFrom = Number.POSITIVE_INFINITY
  }
}
