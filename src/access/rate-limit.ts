import { ApiError } from '../errors.ts'
import { type Clock, dayMs, minuteMs, utcDay } from '../lib/clock.ts'
import type { Store } from '../store/store.ts'
import type { Credential } from './credentials.ts'

interface Limits {
  perMinute: number
  perDay: number
}

/** The requests counted for a key or an address. */
interface Window {
  /** When they came, oldest first, in a ring as long as the minute's limit. */
  times: Float64Array
  first: number
  count: number
  day: number
  dayCount: number
}

interface Standing {
  name: 'minute' | 'day'
  limit: number
  remaining: number
  resetMs: number
}

/** For requests without a valid key (decision E8). */
const addressLimits: Limits = { perMinute: 300, perDay: Number.POSITIVE_INFINITY }
const windowsMax = 50_000

/** Counts requests in memory: rolling 60 seconds and UTC days (spec: Rate limits; decisions E7, E8). */
export class RateLimiter {
  readonly #store: Store
  readonly #clock: Clock
  readonly #enforced: boolean
  readonly #keys = new Map<string, Window>()
  readonly #addresses = new Map<string, Window>()

  constructor(store: Store, { enforced }: { enforced: boolean }) {
    this.#store = store
    this.#clock = store.clock
    this.#enforced = enforced
  }

  /** Counts a request by a key, or answers why it is refused; adds what the answer says of the limits to `headers`. */
  admit({ keyId, limits: plan }: Pick<Credential, 'keyId' | 'limits'>, headers: string[]): ApiError | undefined {
    const limits = { perMinute: plan.requests_per_minute, perDay: plan.requests_per_day }
    const window = this.#keys.get(keyId) ?? this.#add(this.#keys, keyId, () => this.#countedToday(keyId))
    return this.#judge(window, limits, headers)
  }

  /** The same for a request without a valid key. */
  admitAddress(address: string, headers: string[]): ApiError | undefined {
    const window = this.#addresses.get(address) ?? this.#add(this.#addresses, address, () => 0)
    return this.#judge(window, addressLimits, headers)
  }

  #judge(window: Window, limits: Limits, headers: string[]): ApiError | undefined {
    const now = this.#clock.now()
    if (window.times.length !== limits.perMinute) resize(window, limits.perMinute)
    expire(window, now)
    const dailyExhausted = window.dayCount >= limits.perDay
    const exhausted = dailyExhausted || window.count >= limits.perMinute
    if (exhausted && this.#enforced) {
      const standing = dailyExhausted ? dayStanding(window, limits) : minuteStanding(window, limits, now)
      describe(standing, limits, now, headers)
      return refusal(standing, now)
    }
    count(window, now)
    const [minute, day] = [minuteStanding(window, limits, now), dayStanding(window, limits)]
    describe(day.remaining < minute.remaining ? day : minute, limits, now, headers)
    return undefined
  }

  /** The daily count survives a restart in the usage counters. */
  #countedToday(keyId: string): number {
    const sql = 'SELECT succeeded + rejected + failed FROM api_key_usage WHERE api_key_id = ? AND day = ?'
    return this.#store.access.value<number>(sql, keyId, utcDay(this.#clock.now())) ?? 0
  }

  #add(windows: Map<string, Window>, name: string, countedToday: () => number): Window {
    if (windows.size >= windowsMax) windows.delete(windows.keys().next().value!)
    const day = dayOf(this.#clock.now())
    const window = { times: new Float64Array(0), first: 0, count: 0, day, dayCount: countedToday() }
    windows.set(name, window)
    return window
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

function expire(window: Window, now: number): void {
  const { times } = window
  while (window.count > 0 && times[window.first]! <= now - minuteMs) dropOldest(window)
  if (window.day !== dayOf(now)) {
    window.day = dayOf(now)
    window.dayCount = 0
  }
}

function count(window: Window, now: number): void {
  const { times } = window
  if (window.count === times.length) dropOldest(window)
  times[(window.first + window.count) % times.length] = now
  window.count++
  window.dayCount++
}

function dropOldest(window: Window): void {
  window.first = (window.first + 1) % window.times.length
  window.count--
}

/** For a plan that changed: keeps the newest requests that fit. */
function resize(window: Window, length: number): void {
  const kept = Array.from(
    { length: window.count },
    (_, index) => window.times[(window.first + index) % window.times.length]!,
  ).slice(-length)
  window.times = new Float64Array(length)
  window.times.set(kept)
  window.first = 0
  window.count = kept.length
}

function minuteStanding(window: Window, { perMinute }: Limits, now: number): Standing {
  const oldest = window.count > 0 ? window.times[window.first]! : now
  return { name: 'minute', limit: perMinute, remaining: perMinute - window.count, resetMs: oldest + minuteMs }
}

function dayStanding(window: Window, { perDay }: Limits): Standing {
  return {
    name: 'day',
    limit: perDay,
    remaining: Math.max(0, perDay - window.dayCount),
    resetMs: (window.day + 1) * dayMs,
  }
}

function describe(standing: Standing, { perMinute, perDay }: Limits, now: number, headers: string[]): void {
  const { name, limit, remaining, resetMs } = standing
  const minutePolicy = `"minute";q=${perMinute};w=60`
  headers.push(
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(remaining),
    'X-RateLimit-Reset',
    String(Math.ceil(resetMs / 1000)),
    'RateLimit',
    `"${name}";r=${remaining};t=${secondsUntil(resetMs, now)}`,
    'RateLimit-Policy',
    Number.isFinite(perDay) ? `${minutePolicy}, "day";q=${perDay};w=86400` : minutePolicy,
  )
}

function refusal({ name, limit, resetMs }: Standing, now: number): ApiError {
  const headers = { 'Retry-After': String(secondsUntil(resetMs, now)) }
  return name === 'minute'
    ? new ApiError('RATE_LIMIT_EXCEEDED', `Rate limit of ${limit} requests a minute exceeded`, { headers })
    : new ApiError('DAILY_LIMIT_EXCEEDED', `Daily limit of ${limit} requests exceeded`, { headers })
}

function secondsUntil(ms: number, now: number): number {
  return Math.max(1, Math.ceil((ms - now) / 1000))
}
