import { ApiError } from '../errors.ts'
import { addressPrefix } from '../lib/address.ts'
import { type Clock, dayMs, minuteMs, utcDay } from '../lib/clock.ts'
import { RecentlyUsed } from '../lib/recently-used.ts'
import type { Store } from '../store/store.ts'
import type { Credential } from './credentials.ts'
import { RequestTimes } from './request-times.ts'

interface Limits {
  perMinute: number
  perDay: number
}

/** The requests counted for a key or an address. */
interface Window {
  /** The times of the requests within the last minute, by the monotonic clock. */
  readonly times: RequestTimes
  /** The UTC day whose requests `dayCount` counts. */
  day: number
  dayCount: number
}

interface Standing {
  name: 'minute' | 'day'
  limit: number
  remaining: number
  waitMs: number
}

/** The current counts of a key. */
interface RequestCounts {
  requests_per_minute: number
  requests_per_day: number
}

/** For requests without a valid key (decision E8). */
const addressLimits: Limits = { perMinute: 300, perDay: Number.POSITIVE_INFINITY }

/** Approximate memory of a window in bytes, in addition to its times: objects, name, entry in the map. */
const windowBytes = 512
const sizeOf = ({ times }: Window) => windowBytes + times.bytes
const keyBytesMax = 64 * 2 ** 20
const addressBytesMax = 4 * 2 ** 20

/**
 * Counts requests in memory (spec: Rate limits; decisions E7, E8): by the monotonic clock for the rolling 60 seconds, by the calendar
 * for the UTC day. At the memory limit, the least recently used windows are dropped.
 */
export class RateLimiter {
  readonly #store: Store
  readonly #clock: Clock
  readonly #enforced: boolean
  readonly #keys = new RecentlyUsed<Window>(keyBytesMax, sizeOf)
  readonly #addresses = new RecentlyUsed<Window>(addressBytesMax, sizeOf)

  constructor(store: Store, { enforced }: { enforced: boolean }) {
    this.#store = store
    this.#clock = store.clock
    this.#enforced = enforced
  }

  /** Counts a request by a key, or returns the error that rejects it. Adds the rate limit headers to `headers`. */
  admit({ keyId, limits: plan }: Pick<Credential, 'keyId' | 'limits'>, headers: string[]): ApiError | undefined {
    const limits = { perMinute: plan.requests_per_minute, perDay: plan.requests_per_day }
    const window = this.#keyWindow(keyId)
    const bytes = window.times.bytes
    const refusal = this.#judge(window, limits, headers)
    if (window.times.bytes !== bytes) this.#keys.put(keyId, window)
    return refusal
  }

  /** The same for a request without a valid key; IPv6 addresses count by their /64. */
  admitAddress(address: string, headers: string[]): ApiError | undefined {
    const name = addressPrefix(address)
    const window = this.#addresses.get(name) ?? this.#addresses.put(name, emptyWindow())
    const bytes = window.times.bytes
    const refusal = this.#judge(window, addressLimits, headers)
    if (window.times.bytes !== bytes) this.#addresses.put(name, window)
    return refusal
  }

  /** Adds the headers of a request with a key that is not counted. */
  show({ keyId, limits: plan }: Pick<Credential, 'keyId' | 'limits'>, headers: string[]): void {
    const window = this.#keyWindow(keyId)
    const [now, elapsed] = [this.#clock.now(), this.#clock.elapsed()]
    window.times.dropUntil(elapsed - minuteMs)
    const limits = { perMinute: plan.requests_per_minute, perDay: plan.requests_per_day }
    describeLower(window, limits, { now, elapsed }, headers)
  }

  /** Removes the newest request of a key, which was admitted but then rejected with 429 (decision E7). */
  takeBack(keyId: string): void {
    takeBackFrom(this.#keyWindow(keyId))
  }

  /** The same for a request without a valid key. */
  takeBackAddress(address: string): void {
    const window = this.#addresses.get(addressPrefix(address))
    if (window) takeBackFrom(window)
  }

  countsOf(keyId: string): RequestCounts {
    const { times, dayCount } = this.#keyWindow(keyId)
    times.dropUntil(this.#clock.elapsed() - minuteMs)
    return { requests_per_minute: times.count, requests_per_day: dayCount }
  }

  /** Returns the window with the count of the current day. When the day changes, its count is read from the usage counters. */
  #keyWindow(keyId: string): Window {
    const window = this.#keys.get(keyId) ?? this.#keys.put(keyId, emptyWindow())
    const now = this.#clock.now()
    const day = Math.floor(now / dayMs)
    if (window.day !== day) {
      window.day = day
      window.dayCount = this.#countedOn(utcDay(now), keyId)
    }
    return window
  }

  #judge(window: Window, limits: Limits, headers: string[]): ApiError | undefined {
    const { times } = window
    const now = this.#clock.now()
    const elapsed = this.#clock.elapsed()
    times.dropUntil(elapsed - minuteMs)
    times.keepNewest(limits.perMinute) // the plan may have changed
    const dailyExhausted = window.dayCount >= limits.perDay
    const exhausted = dailyExhausted || times.count >= limits.perMinute
    if (exhausted && this.#enforced) {
      const standing = dailyExhausted ? dayStanding(window, limits, now) : minuteStanding(window, limits, elapsed)
      describe(standing, limits, now, headers)
      return refusal(standing)
    }
    times.add(elapsed, limits.perMinute)
    window.dayCount++
    describeLower(window, limits, { now, elapsed }, headers)
    return undefined
  }

  /** After a restart, the daily count is read from the usage counters. */
  #countedOn(day: string, keyId: string): number {
    const sql = 'SELECT succeeded + rejected + failed FROM api_key_usage WHERE api_key_id = ? AND day = ?'
    return this.#store.access.value<number>(sql, keyId, day) ?? 0
  }
}

function takeBackFrom(window: Window): void {
  window.times.dropNewest()
  window.dayCount = Math.max(0, window.dayCount - 1)
}

function emptyWindow(): Window {
  return { times: new RequestTimes(), day: Number.NaN, dayCount: 0 }
}

function minuteStanding({ times }: Window, { perMinute }: Limits, elapsed: number): Standing {
  const waitMs = (times.oldest ?? elapsed) + minuteMs - elapsed
  return { name: 'minute', limit: perMinute, remaining: perMinute - times.count, waitMs }
}

function dayStanding({ dayCount }: Window, { perDay }: Limits, now: number): Standing {
  return { name: 'day', limit: perDay, remaining: Math.max(0, perDay - dayCount), waitMs: dayMs - (now % dayMs) }
}

function describeLower(
  window: Window,
  limits: Limits,
  { now, elapsed }: { now: number; elapsed: number },
  headers: string[],
): void {
  const [minute, day] = [minuteStanding(window, limits, elapsed), dayStanding(window, limits, now)]
  describe(day.remaining < minute.remaining ? day : minute, limits, now, headers)
}

function describe(standing: Standing, { perMinute, perDay }: Limits, now: number, headers: string[]): void {
  const { name, limit, remaining, waitMs } = standing
  const minutePolicy = `"minute";q=${perMinute};w=60`
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil((now + waitMs) / 1000)),
    'RateLimit',
    `"${name}";r=${remaining};t=${seconds(waitMs)}`,
    'RateLimit-Policy',
    Number.isFinite(perDay) ? `${minutePolicy}, "day";q=${perDay};w=86400` : minutePolicy,
  )
}

function refusal({ name, limit, waitMs }: Standing): ApiError {
  const headers = { 'Retry-After': String(seconds(waitMs)) }
  return name === 'minute'
    ? new ApiError('RATE_LIMIT_EXCEEDED', `Rate limit of ${limit} requests a minute exceeded`, { headers })
    : new ApiError('DAILY_LIMIT_EXCEEDED', `Daily limit of ${limit} requests exceeded`, { headers })
}

function seconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000))
}
