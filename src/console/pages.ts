import type { Admission } from '../http/admission.ts'
import { methodNotAllowed } from '../http/answer.ts'
import type { Layer } from '../http/exchange.ts'
import { immutable, revalidated, sendPacked } from '../http/packed.ts'
import { consoleFiles } from '../packaging/console-files.ts'

/** Where the console's own pages begin; its router knows what is behind them. */
const pages =
  /^\/(?:$|(?:test|setup|invitation|pipeline|organizations|contacts|deals|tasks|activities|import|keys|settings)(?:\/|$))/

/** The console's page and what it loads. */
export function servePages(admission: Admission): Layer {
  return async (ctx, next) => {
    const { path } = ctx.state
    const isAsset = path.startsWith('/assets/')
    if (!isAsset && !pages.test(path)) return next()
    const file = (await consoleFiles()).get(isAsset ? path : '/')
    if (!file) return next()
    ctx.state.route = isAsset ? '/assets/:file' : '/'
    admission.admitAddress(ctx)
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed(ctx.method, ['GET', 'HEAD'])
    sendPacked(ctx, file, { pictures: "'self'", cacheControl: isAsset ? immutable : revalidated })
  }
}
