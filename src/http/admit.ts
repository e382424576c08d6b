import type { Credential, Credentials } from '../access/credentials.ts'
import type { RateLimiter } from '../access/rate-limit.ts'
import type { Usage } from '../access/usage.ts'
import { addressOf, type Ctx, type Layer } from './exchange.ts'

const apiPrefix = '/api-v1-'

interface Gate {
  credentials: Credentials
  limiter: RateLimiter
  usage: Usage
}

/** Who is calling, and may they now? Authentication before rate limit (decision A5), in one layer because every request pays for it. */
export function admit({ credentials, limiter, usage }: Gate): Layer {
  return (ctx, next) => {
    if (!ctx.state.path.startsWith(apiPrefix)) {
      admitAddress(ctx, limiter)
      return next()
    }
    const credential = authenticate(ctx, credentials, limiter)
    ctx.state.credential = credential
    ctx.state.count = (status) => usage.count(credential.keyId, status, addressOf(ctx.req.socket))
    const refusal = limiter.admit(credential, ctx.state.headers)
    if (refusal) throw refusal
    return next()
  }
}

function authenticate(ctx: Ctx, credentials: Credentials, limiter: RateLimiter): Credential {
  try {
    return credentials.find(ctx.req.headers.authorization)
  } catch (error) {
    admitAddress(ctx, limiter)
    throw error
  }
}

/** decision E8 */
function admitAddress(ctx: Ctx, limiter: RateLimiter): void {
  const refusal = limiter.admitAddress(addressOf(ctx.req.socket), ctx.state.headers)
  if (refusal) throw refusal
}
