import { hash } from 'node:crypto'
import { ApiError } from '../errors.ts'
import { type Clock, minuteMs, timestamp } from '../lib/clock.ts'
import { errorFields, log } from '../lib/log.ts'
import type { Writer } from '../store/reader.ts'
import type { Store } from '../store/store.ts'

const windowMs = 15 * minuteMs
/** More than the attempts that can be hashed in that time, so no counter is dropped early. */
const countersMax = 100_000
/** How many counters a transaction writes, so that the event loop is not kept for long. */
const togetherMax = 500

interface Counter {
  count: number
  /** The time of the first attempt in milliseconds, by the monotonic clock and by the wall clock. */
  sinceMs: number
  beganAt: string
}

/** The attempts that each name may have. A name stands for a client or an account. */
export type AttemptLimits = Readonly<Record<string, number>>

/**
 * Counts attempts within 15 minutes of the first. The counters are also written to the database, in the background, so that they survive a
 * restart.
 */
export class Attempts {
  readonly #store: Store
  readonly #clock: Clock
  readonly #counters = new Map<string, Counter>()
  readonly #unsaved = new Set<string>()
  #saving = false
  #timer: NodeJS.Timeout | undefined

  constructor(store: Store) {
    this.#store = store
    this.#clock = store.clock
    const sql = 'SELECT name, attempts, began_at FROM sign_in_attempt'
    for (const stored of store.access.rows<Stored>(sql)) this.#restore(stored)
  }

  /** Counts an attempt before it is verified. If one of its names is at its limit, counts nothing and throws RATE_LIMIT_EXCEEDED. */
  begin(limits: AttemptLimits): void {
    const counters = Object.entries(limits).map(([name, max]) => ({ key: keyOf(name), max }))
    for (const { key, max } of counters) {
      const counter = this.#lookup(key)
      if (counter && counter.count >= max) throw refusal(counter.sinceMs + windowMs - this.#clock.elapsed())
    }
    this.#requireCapacity(counters.length)
    for (const { key } of counters) this.#count(key)
  }

  /** Whether another attempt would be within the limit of one name. */
  isWithinLimit(name: string, max: number): boolean {
    const counter = this.#lookup(keyOf(name))
    return counter === undefined || counter.count < max
  }

  /** Counts an attempt as `begin` does. If `verify` throws, the attempt does not count. */
  async during<T>(limits: AttemptLimits, verify: () => Promise<T>): Promise<T> {
    this.begin(limits)
    try {
      return await verify()
    } catch (error) {
      this.takeBack(Object.keys(limits))
      throw error
    }
  }

  /** Removes one attempt of each name, because it succeeded. */
  takeBack(names: readonly string[]): void {
    for (const key of names.map(keyOf)) {
      const counter = this.#lookup(key)
      if (!counter) continue
      if (--counter.count === 0) this.#counters.delete(key)
      this.#save(key)
    }
  }

  #lookup(key: string): Counter | undefined {
    const counter = this.#counters.get(key)
    return counter && counter.sinceMs + windowMs > this.#clock.elapsed() ? counter : undefined
  }

  #count(key: string): void {
    const begun = { count: 0, sinceMs: this.#clock.elapsed(), beganAt: timestamp(this.#clock.now()) }
    const counter = this.#lookup(key) ?? begun
    counter.count++
    this.#counters.set(key, counter)
    this.#save(key)
    this.#timer ??= setTimeout(() => this.#expire(), windowMs).unref()
  }

  #requireCapacity(wanted: number): void {
    if (this.#counters.size + wanted > countersMax) this.#expire()
    if (this.#counters.size + wanted <= countersMax) return
    throw new ApiError('SERVICE_UNAVAILABLE', 'Too many sign-ins at once', { headers: { 'Retry-After': '60' } })
  }

  #expire(): void {
    clearTimeout(this.#timer)
    for (const key of this.#counters.keys()) {
      if (this.#lookup(key)) continue
      this.#counters.delete(key)
      this.#save(key)
    }
    this.#timer = this.#counters.size > 0 ? setTimeout(() => this.#expire(), windowMs).unref() : undefined
  }

  /** If the age is outside the window (the clock was set, or the server was stopped for long), the window begins now. */
  #restore({ name, attempts, began_at }: Stored): void {
    const now = this.#clock.now()
    const ageMs = now - Date.parse(began_at)
    const isPlausible = ageMs >= 0 && ageMs < windowMs
    const sinceMs = this.#clock.elapsed() - (isPlausible ? ageMs : 0)
    this.#counters.set(name, { count: attempts, sinceMs, beganAt: isPlausible ? began_at : timestamp(now) })
    if (!isPlausible) this.#save(name)
    this.#timer ??= setTimeout(() => this.#expire(), windowMs).unref()
  }

  #save(key: string): void {
    this.#unsaved.add(key)
    if (!this.#saving) void this.#saveAll()
  }

  /** Counters that change during a write are written together after it. If a write fails, its counters are written with the next. */
  async #saveAll(): Promise<void> {
    this.#saving = true
    while (this.#unsaved.size > 0) {
      const keys: string[] = []
      for (const key of this.#unsaved) {
        if (keys.length === togetherMax) break
        keys.push(key)
        this.#unsaved.delete(key)
      }
      try {
        await this.#store.writeUsage((tx) => {
          for (const key of keys) write(tx, key, this.#counters.get(key))
        })
      } catch (error) {
        for (const key of keys) this.#unsaved.add(key)
        log('writing sign-in attempts failed', errorFields(error), 'error')
        break
      }
    }
    this.#saving = false
  }
}

type Stored = { name: string; attempts: number; began_at: string }

/** The name as stored: hashed, because users may type a password instead of an address. */
function keyOf(name: string): string {
  return hash('sha256', name)
}

function write(tx: Writer, key: string, counter: Counter | undefined): void {
  if (!counter) {
    tx.run('DELETE FROM sign_in_attempt WHERE name = ?', key)
    return
  }
  const sql = `INSERT INTO sign_in_attempt VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET attempts = excluded.attempts, began_at = excluded.began_at`
  tx.run(sql, key, counter.count, counter.beganAt)
}

function refusal(waitMs: number): ApiError {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) }
  const minutes = Math.max(1, Math.ceil(waitMs / minuteMs))
  return new ApiError(
    'RATE_LIMIT_EXCEEDED',
    `Too many attempts: try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    { headers },
  )
}
