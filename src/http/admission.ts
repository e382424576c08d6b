import type { Credential } from '../access/credentials.ts'
import type { RateLimiter } from '../access/rate-limit.ts'
import { addressPrefix } from '../lib/address.ts'
import { Budget } from '../lib/budget.ts'
import { atEnd } from './at-end.ts'
import type { Ctx } from './exchange.ts'
import { overloaded } from './overloaded.ts'

interface Bounds {
  /** Requests in progress, in total and for each key, session and client address. */
  requestsMax: number
  requestsPerClientMax: number
}

/** Admits or rejects requests by the rate limits and by the number of requests in progress. */
export class Admission {
  readonly #limiter: RateLimiter
  readonly #running: Budget

  readonly #isUnlimited: (path: string) => boolean

  /** Requests with a key to paths for which `isUnlimited` is true do not count against the rate limits. */
  constructor(
    limiter: RateLimiter,
    { requestsMax, requestsPerClientMax }: Bounds,
    isUnlimited: (path: string) => boolean = () => false,
  ) {
    this.#isUnlimited = isUnlimited
    this.#limiter = limiter
    this.#running = new Budget({ total: requestsMax, share: requestsPerClientMax })
  }

  /** Admits a request with a valid key or session. Throws RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. */
  admitKey(ctx: Ctx, credential: Pick<Credential, 'keyId' | 'limits'>): void {
    if (this.#isUnlimited(ctx.state.path)) this.#limiter.show(credential, ctx.state.headers)
    else this.count(ctx, credential)
    ctx.state.clients = [credential.keyId, addressPrefix(ctx.state.address)]
    this.#enter(ctx)
  }

  /** Counts a request with a valid key or session. Throws RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED. */
  count(ctx: Ctx, credential: Pick<Credential, 'keyId' | 'limits'>): void {
    const refusal = this.#limiter.admit(credential, ctx.state.headers)
    if (refusal) throw refusal
    ctx.state.takeBack = () => this.#limiter.takeBack(credential.keyId)
  }

  /** Admits a request without a key or session (decision E8). Throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. */
  admitAddress(ctx: Ctx): void {
    const refusal = this.#limiter.admitAddress(ctx.state.address, ctx.state.headers)
    if (refusal) throw refusal
    ctx.state.takeBack = () => this.#limiter.takeBackAddress(ctx.state.address)
    ctx.state.clients = [addressPrefix(ctx.state.address)]
    this.#enter(ctx)
  }

  #enter({ res, state }: Ctx): void {
    const { clients } = state
    const short = this.#running.take(clients, 1)
    if (short) throw overloaded(short, 'requests in progress')
    let isInside = true
    state.leavePlace = () => {
      if (isInside) this.#running.release(clients, 1)
      isInside = false
    }
    atEnd(res, state.leavePlace)
  }
}
