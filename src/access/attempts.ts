import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'

const windowMs = 15 * 60_000
const rememberedMax = 20_000

interface Tried {
  count: number
  /** When the count began. */
  sinceMs: number
}

/** Counts attempts by who makes them or whom they are about, within 15 minutes; in memory. */
export class Attempts {
  readonly #clock: Clock
  readonly #tried = new Map<string, Tried>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one attempt for each name, before its outcome is known. Throws RATE_LIMIT_EXCEEDED past the limit of one. */
  begin(limits: Readonly<Record<string, number>>): void {
    const now = this.#clock.now()
    const tried = Object.entries(limits).map(([name, max]) => ({ name, max, ...this.#lookup(name, now) }))
    const exceeded = tried.find(({ count, max }) => count >= max)
    if (exceeded) throw refusal(exceeded.sinceMs + windowMs - now)
    for (const { name, count, sinceMs } of tried) this.#remember(name, { count: count + 1, sinceMs })
  }

  /** Forgets all that was tried about a name: the attempt succeeded. */
  forget(name: string): void {
    this.#tried.delete(name)
  }

  /** Takes one attempt back. */
  takeBack(name: string): void {
    const tried = this.#tried.get(name)
    if (tried) tried.count--
  }

  #lookup(name: string, now: number): Tried {
    const known = this.#tried.get(name)
    return known && known.sinceMs + windowMs > now ? known : { count: 0, sinceMs: now }
  }

  #remember(name: string, tried: Tried): void {
    if (this.#tried.size >= rememberedMax && !this.#tried.has(name)) {
      this.#tried.delete(this.#tried.keys().next().value!)
    }
    this.#tried.set(name, tried)
  }
}

function refusal(waitMs: number): ApiError {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) }
  const minutes = Math.max(1, Math.ceil(waitMs / 60_000))
  return new ApiError('RATE_LIMIT_EXCEEDED', `Too many attempts: try again in ${minutes} minutes`, { headers })
}
