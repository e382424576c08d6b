import type { Ctx, Layer } from './exchange.ts'
import { send } from './response.ts'
import { dispatch } from './router.ts'

export interface Health {
  /** Whether the server is stopping. */
  draining: boolean
}

/** Serves `GET /healthz` and `GET /readyz`, without a key or a rate limit (decision F4). */
export function health(state: Health): Layer {
  const respond = (ctx: Ctx, status: number, text: string) =>
    send(ctx, { status, body: JSON.stringify({ status: text }) })
  const routes = [
    { method: 'GET', path: '/healthz', run: async (ctx: Ctx) => respond(ctx, 200, 'ok') },
    {
      method: 'GET',
      path: '/readyz',
      run: async (ctx: Ctx) => (state.draining ? respond(ctx, 503, 'draining') : respond(ctx, 200, 'ready')),
    },
  ]
  return dispatch(routes, ({ run }) => [run])
}
