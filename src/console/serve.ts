import type { BodySize } from '../engine/route.ts'
import { ApiError } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import { send } from '../http/answer.ts'
import type { ReadBody } from '../http/body.ts'
import type { IsSecure } from '../http/client-address.ts'
import type { Ctx, Layer } from '../http/exchange.ts'
import { matcher } from '../http/match.ts'
import { type ConsoleRequest, isFromConsole, lookupConsoleRequest } from '../http/session.ts'
import type { Store } from '../store/store.ts'
import { checkImportRoutes } from './check-import.ts'
import { companyRoutes } from './company.ts'
import { descriptionRoutes } from './description.ts'
import { pipelineRoutes, type SumsApart } from './pipeline.ts'
import { type ConsoleRoute, forbidden, isAdmin } from './route.ts'
import type { Setup } from './setup.ts'
import { signInRoutes } from './sign-in.ts'
import { userRoutes } from './users.ts'

interface ConsoleOptions {
  store: Store
  admission: Admission
  readers: Readonly<Record<BodySize, ReadBody>>
  setup: Setup
  isSecure: IsSecure
  /** Undefined: they are made by the event loop. */
  sumsApart: SumsApart | undefined
}

/** `/console/…`: what the console needs beyond the API, for its own pages only. */
export function serveConsole({ store, admission, readers, setup, isSecure, sumsApart }: ConsoleOptions): Layer {
  const match = matcher(consoleRoutes({ store, setup, sumsApart }))
  return async (ctx, next) => {
    if (!ctx.state.path.startsWith('/console/')) return next()
    const known = lookupConsoleRequest(ctx.req, store)
    if (known) admission.admitKey(ctx, { keyId: known.session.hash, limits: known.session.limits })
    else admission.admitAddress(ctx)
    const { route, params } = match(ctx.method, ctx.state.path)
    const answer = await serve(route, params, known, ctx)
    ctx.state.headers.push('Cache-Control', 'no-store')
    send(ctx, answer)
  }

  async function serve(
    route: ConsoleRoute,
    params: Record<string, string>,
    known: ConsoleRequest | undefined,
    ctx: Ctx,
  ) {
    if (!isFromConsole(ctx.req)) throw forbidden('This is for the pages of the console only')
    if (route.for !== 'anyone' && !known) throw new ApiError('UNAUTHORIZED', 'Sign in first')
    if (route.for === 'admin' && !isAdmin(known!.session)) throw forbidden('Only owners and admins may do this')
    const body = route.takesBody ? (await readers[route.bodySize ?? 'small'](ctx)).object : {}
    const call = { store, address: ctx.state.address, isSecure: isSecure(ctx.req), params, body }
    return route.for === 'anyone' ? route.run(call) : route.run({ ...call, ...known! })
  }
}

/** Every endpoint that the console has of its own. */
export function consoleRoutes({
  store,
  setup,
  sumsApart,
}: Pick<ConsoleOptions, 'store' | 'setup' | 'sumsApart'>): ConsoleRoute[] {
  return [
    ...setup.routes,
    ...signInRoutes(store),
    ...userRoutes,
    ...companyRoutes,
    ...descriptionRoutes,
    ...pipelineRoutes(sumsApart),
    ...checkImportRoutes,
  ]
}
