import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import { isBusy } from '../store/constraint.ts'
import type { LogPosition } from '../store/log-position.ts'
import { decodeEntry, type Part, readPart } from './entry.ts'
import type { Log, LogState } from './log.ts'
import type { Pages } from './pages.ts'
import type { WalWriter } from './wal-writer.ts'

const busyMs = 2
/** How often, in milliseconds, a follower reads what a majority has: a member of etcd may be cut off. */
const freshEveryMs = 1_000

/** The log no longer has what comes next, or what it has is damaged: this node needs a new base. */
export class Unfollowable extends Error {}

/** The refusal of a write: nothing has been done. */
export function followsAnother(leaderUrl: string): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'This server follows another one, which accepts writes', {
    headers: { 'Kontor-Leader': leaderUrl, 'Retry-After': '1' },
  })
}

interface FollowerOptions {
  log: Log
  /** The id of the log that the database belongs to. */
  id: string
  writer: WalWriter
  /** Of the last entry that was written. */
  position: LogPosition
  onApplied?: () => void
}

/** Writes the entries of the log to this node's database, in their order. */
export class Follower {
  readonly #log: Log
  readonly #id: string
  readonly #writer: WalWriter
  readonly #position: LogPosition
  readonly #onApplied: () => void
  /** The parts of an entry that is not complete yet. */
  #parts: Part[] = []
  #read: number
  #freshMs = Number.NEGATIVE_INFINITY

  constructor({ log, id, writer, position, onApplied = () => {} }: FollowerOptions) {
    this.#log = log
    this.#id = id
    this.#writer = writer
    this.#position = position
    this.#read = position.now
    this.#onApplied = onApplied
  }

  /** Whether this node has everything that the log had at that moment. */
  hasAllOf({ head }: LogState): boolean {
    return head !== undefined && this.#read === head.position
  }

  /**
   * Reads and writes the next entries. Returns the state of the log before them, which may be that of a member of etcd that is behind, unless it
   * `isFresh`. Throws Unfollowable, UnknownOutcome, Refused.
   */
  async step(isFresh = performance.now() > this.#freshMs + freshEveryMs): Promise<LogState> {
    const state = await this.#log.read(this.#read, !isFresh)
    if (isFresh) this.#freshMs = performance.now()
    const { head, trimmed, parts } = state
    if (head?.log !== this.#id || head.position < this.#read) {
      if (!isFresh) return this.step(true)
      throw new Unfollowable('The log is not the one that this node followed')
    }
    if (trimmed.position > this.#read) throw new Unfollowable('The log no longer has what this node needs next')
    for (const { position, bytes } of parts) {
      if (position !== this.#read + 1) throw new Unfollowable(`The log has no entry ${this.#read + 1}`)
      await this.#take(bytes, position)
      this.#read = position
    }
    return state
  }

  /** Reads and writes everything that the log has. Throws as `step` does. */
  async catchUp(): Promise<LogState> {
    let state: LogState
    do state = await this.step(true)
    while (!this.hasAllOf(state))
    return state
  }

  async #take(bytes: Buffer, position: number): Promise<void> {
    const part = readSound(bytes)
    // If a first part follows, the leader ended before it had written the rest of the last entry.
    const parts = part.part === 0 ? [part] : [...this.#parts, part]
    if (parts.length !== part.part + 1) throw new Unfollowable('A part of an entry is missing')
    if (parts.length === part.parts) {
      await this.#apply(await decodeEntry(parts), position)
      this.#onApplied()
    }
    this.#parts = parts.length === part.parts ? [] : parts
  }

  async #apply(pages: Pages, position: number): Promise<void> {
    for (;;) {
      try {
        return this.#position.move(position, () => this.#writer.apply(pages, position))
      } catch (error) {
        if (!isBusy(error)) throw error
        await delay(busyMs) // a checkpoint empties the write-ahead log
      }
    }
  }
}

function readSound(bytes: Buffer): Part {
  try {
    return readPart(bytes)
  } catch (error) {
    throw new Unfollowable((error as Error).message)
  }
}
