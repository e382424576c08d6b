import { send } from './answer.ts'
import type { Layer } from './exchange.ts'

/** What the process says of itself. */
export interface Health {
  draining: boolean
}

/** `GET /healthz` and `GET /readyz`: no key, no rate limit (decision F4). */
export function health(state: Health): Layer {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.state.path === '/healthz') return send(ctx, { status: 200, body: '{"status":"ok"}' })
    if (ctx.state.path !== '/readyz') return next()
    const [status, text] = state.draining ? [503, 'draining'] : [200, 'ready']
    send(ctx, { status, body: JSON.stringify({ status: text }) })
  }
}
