import type { Layer } from './exchange.ts'
import { methodNotAllowed, send } from './response.ts'

/** What the process says of itself. */
export interface Health {
  draining: boolean
}

/** `GET /healthz` and `GET /readyz`: no key, no rate limit (decision F4). */
export function health(state: Health): Layer {
  return async (ctx, next) => {
    const { path } = ctx.state
    if (path !== '/healthz' && path !== '/readyz') return next()
    ctx.state.route = path
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx.method, ['GET', 'HEAD'])
    if (path === '/healthz') return send(ctx, { status: 200, body: '{"status":"ok"}' })
    const [status, text] = state.draining ? [503, 'draining'] : [200, 'ready']
    send(ctx, { status, body: JSON.stringify({ status: text }) })
  }
}
