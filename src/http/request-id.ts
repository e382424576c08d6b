import type { ClientAddress } from './client-address.ts'
import type { Compression } from './compression.ts'
import type { Layer } from './exchange.ts'
import type { Observe } from './observe.ts'
import type { Outflow } from './outflow.ts'

/** The form of a valid request id. It excludes API keys, which must not get into the log. */
const sane = /^(?!.*svc_(?:live|test)_)[\w.:/+=@-]{1,128}$/

/** The start of `GET http://host/path`, a form that every server must accept (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/[^/?]*/i

interface Start {
  newId: () => string
  observe: Observe | undefined
  outflow: Outflow
  compression: Compression | undefined
  addressOf: ClientAddress
  /** The headers of every response. */
  headers: readonly string[]
  /** The path of the public URL: `/crm`, or empty. */
  basePath: string
}

/** Initializes `ctx.state`. A valid `X-Request-Id` of the caller is used, otherwise one is generated (decision B11). */
export function requestId({ newId, observe, outflow, compression, addressOf, headers, basePath }: Start): Layer {
  return (ctx, next) => {
    const url = ctx.req.url!.replace(absoluteForm, '')
    const mark = url.indexOf('?')
    const given = ctx.req.headers['x-request-id']
    const id = typeof given === 'string' && sane.test(given) ? given : newId()
    ctx.state = {
      requestId: id,
      address: addressOf(ctx.req),
      path: withoutBase(mark === -1 ? url : url.slice(0, mark), basePath),
      basePath,
      query: mark === -1 ? '' : url.slice(mark + 1),
      headers: ['X-Request-Id', id, ...headers],
      credential: undefined,
      clients: [],
      outflow,
      compression,
      observe,
      beginMs: observe ? performance.now() : 0,
    }
    return next()
  }
}

/** A proxy may remove the path of the public URL or pass it on (decision N4). */
function withoutBase(path: string, basePath: string): string {
  if (basePath === '' || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : path
}
