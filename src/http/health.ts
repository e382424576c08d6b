import type { Ctx, Layer } from './exchange.ts'
import { send } from './response.ts'
import { dispatch } from './router.ts'

export interface Health {
  /** Whether the server is stopping. */
  draining: boolean
}

/** Serves `GET /healthz`, `GET /readyz` and `GET /readyz/leader`, without a key or a rate limit (decision F4). */
export function health(state: Health, acceptsWrites: () => boolean): Layer {
  const respond = (ctx: Ctx, status: number, text: string) =>
    send(ctx, { status, body: JSON.stringify({ status: text }) })
  const routes = [
    { method: 'GET', path: '/healthz', run: async (ctx: Ctx) => respond(ctx, 200, 'ok') },
    {
      method: 'GET',
      path: '/readyz',
      run: async (ctx: Ctx) => (state.draining ? respond(ctx, 503, 'draining') : respond(ctx, 200, 'ready')),
    },
    {
      method: 'GET',
      path: '/readyz/leader',
      run: async (ctx: Ctx) =>
        state.draining || !acceptsWrites() ? respond(ctx, 503, 'not ready') : respond(ctx, 200, 'ready'),
    },
  ]
  return dispatch(routes, ({ run }) => [run])
}
