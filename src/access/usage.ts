import { randomUUID } from 'node:crypto'
import { dayMs, timestamp, utcDay } from '../lib/clock.ts'
import { FailureLog } from '../lib/failure-log.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import type { Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'
import { isNewBatch } from './setting.ts'

const flushMs = 1_000
/** How many keys' counts are written at once: a leader takes 1 MiB of them from a follower (cluster/http.ts). */
const togetherMax = 2_000

const outcomes = ['succeeded', 'rejected', 'rate_limited', 'failed'] as const

/** What a key was used for on a day, and not written yet. */
export interface Pending {
  keyId: string
  day: string
  succeeded: number
  rejected: number
  rate_limited: number
  failed: number
  lastUsedMs: number
  lastIp: string
}

/** Counts that are written together. */
interface Batch {
  id: string
  counts: readonly Pending[]
}

/** The counts may have been written or not. They are sent again unchanged, under the same id. */
export class UnknownWrite extends Error {}

/** Counts the requests of keys and writes the counts in batches, at most once a second (decision A9). */
export class Usage {
  readonly #store: Store
  readonly #write: (counts: readonly Pending[], id: string) => Promise<void>
  /** The counts that are not written yet, by day and then by key. */
  #pending = new Map<string, Map<string, Pending>>()
  /** What may have been written. No other batch is written before it is confirmed. */
  #unsure: Batch | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #inTurn = oneAtATime()
  #dayStartMs = Number.NaN
  #day = ''
  #isEnded = false
  readonly #failures = new FailureLog('writing usage failed')

  /** `write` stores counts under an id, and ignores an id that it knows; default: in the database. May throw UnknownWrite. */
  constructor(
    store: Store,
    write: (counts: readonly Pending[], id: string) => Promise<void> = (counts) => writeCounts(store, counts),
  ) {
    this.#store = store
    this.#write = write
  }

  count(keyId: string, status: number, ip: string): void {
    const now = this.#store.clock.now()
    const pending = this.#pendingOf(keyId, this.#dayOf(now))
    pending[outcomeOf(status)]++
    pending.lastUsedMs = now
    pending.lastIp = ip
    this.#schedule()
  }

  /** Writes the counts, also those that another call is writing. If that fails, the next call writes them. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#inTurn(() => this.#writePending())
  }

  async #writePending(): Promise<void> {
    if (this.#unsure) await this.#writeBatch(this.#unsure)
    const batch = this.#pending
    if (batch.size === 0) return
    this.#pending = new Map()
    const counts = [...batch.values()].flatMap((ofDay) => [...ofDay.values()])
    for (let at = 0; at < counts.length; at += togetherMax) {
      try {
        await this.#writeBatch({ id: randomUUID(), counts: counts.slice(at, at + togetherMax) })
      } catch (error) {
        this.#add(counts.slice(error instanceof UnknownWrite ? at + togetherMax : at))
        throw error
      }
    }
  }

  async #writeBatch(batch: Batch): Promise<void> {
    try {
      await this.#write(batch.counts, batch.id)
      this.#unsure = undefined
    } catch (error) {
      if (error instanceof UnknownWrite) this.#unsure = batch
      if (this.#unsure) this.#schedule()
      throw error
    }
  }

  /** Writes the counts for the last time: what requests count that outlive the server is dropped. */
  end(): Promise<void> {
    this.#isEnded = true
    return this.flush()
  }

  /** Adds counts that have not been written. */
  #add(counts: readonly Pending[]): void {
    for (const unwritten of counts) {
      const pending = this.#pendingOf(unwritten.keyId, unwritten.day)
      for (const outcome of outcomes) pending[outcome] += unwritten[outcome]
      if (unwritten.lastUsedMs <= pending.lastUsedMs) continue
      pending.lastUsedMs = unwritten.lastUsedMs
      pending.lastIp = unwritten.lastIp
    }
    if (counts.length > 0) this.#schedule()
  }

  #schedule(): void {
    if (!this.#isEnded) this.#timer ??= setTimeout(() => this.#flushLater(), flushMs).unref()
  }

  #flushLater(): void {
    this.flush().then(
      () => this.#failures.clear(),
      (error) => this.#failures.note(error),
    )
  }

  #pendingOf(keyId: string, day: string): Pending {
    let ofDay = this.#pending.get(day)
    if (!ofDay) {
      ofDay = new Map()
      this.#pending.set(day, ofDay)
    }
    let pending = ofDay.get(keyId)
    if (!pending) {
      pending = { keyId, day, succeeded: 0, rejected: 0, rate_limited: 0, failed: 0, lastUsedMs: 0, lastIp: '' }
      ofDay.set(keyId, pending)
    }
    return pending
  }

  #dayOf(now: number): string {
    const dayStartMs = now - (now % dayMs)
    if (dayStartMs !== this.#dayStartMs) {
      this.#dayStartMs = dayStartMs
      this.#day = utcDay(now)
    }
    return this.#day
  }
}

function outcomeOf(status: number): (typeof outcomes)[number] {
  if (status < 400) return 'succeeded'
  if (status === 429) return 'rate_limited'
  return status < 500 ? 'rejected' : 'failed'
}

function writeCounts(store: Store, counts: readonly Pending[]): Promise<void> {
  return store.writeUsage((tx) => {
    for (const each of counts) writePending(tx, each)
  })
}

/** Writes a batch of a node, unless it is the latest one that was written: a node sends no other one before this one is confirmed. */
export function writeBatch(store: Store, { node, id, counts }: Batch & { node: string }): Promise<void> {
  return store.writeUsage((tx) => {
    if (!isNewBatch(tx, node, id)) return
    for (const each of counts) writePending(tx, each)
  })
}

/** The counts of a key that is gone, as its company has been removed, are dropped. */
function writePending(tx: Writer, { keyId, day, lastUsedMs, lastIp, ...counts }: Pending): void {
  const { succeeded, rejected, rate_limited, failed } = counts
  tx.run(
    `INSERT INTO api_key_usage SELECT id, ?, ?, ?, ?, ? FROM api_key WHERE id = ?
      ON CONFLICT DO UPDATE SET succeeded = succeeded + excluded.succeeded, rejected = rejected + excluded.rejected,
        rate_limited = rate_limited + excluded.rate_limited, failed = failed + excluded.failed`,
    day,
    succeeded,
    rejected,
    rate_limited,
    failed,
    keyId,
  )
  tx.run(
    'UPDATE api_key SET last_used_at = ?, last_used_ip = ?, request_count = request_count + ? WHERE id = ?',
    timestamp(lastUsedMs),
    lastIp,
    succeeded + rejected + rate_limited + failed,
    keyId,
  )
}
