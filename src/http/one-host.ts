import type { RateLimiter } from '../access/rate-limit.ts'
import { ApiError } from '../errors.ts'
import type { Layer } from './exchange.ts'

/** Rejects a request with several Host headers: a proxy may have used another one than this server would (RFC 9112, 3.2). */
export function oneHost(limiter: RateLimiter): Layer {
  return (ctx, next) => {
    if (countHosts(ctx.req.rawHeaders) < 2) return next()
    const refusal = limiter.admitAddress(ctx.state.address, ctx.state.headers)
    throw refusal ?? new ApiError('INVALID_REQUEST', 'The request has more than one Host header')
  }
}

/** Counts in the flat list of names and values, because Node keeps only the first. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
