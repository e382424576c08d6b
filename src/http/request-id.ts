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
}

/** Initializes `ctx.state`. A valid `X-Request-Id` of the caller is used, otherwise one is generated (decision B11). */
export function requestId({ newId, observe, outflow, compression, addressOf, headers }: Start): Layer {
  return (ctx, next) => {
    const url = ctx.req.url!.replace(absoluteForm, '')
    const mark = url.indexOf('?')
    const given = ctx.req.headers['x-request-id']
    const id = typeof given === 'string' && sane.test(given) ? given : newId()
    ctx.state.requestId = id
    ctx.state.observe = observe
    ctx.state.outflow = outflow
    ctx.state.compression = compression
    ctx.state.clients = []
    ctx.state.beginMs = observe ? performance.now() : 0
    ctx.state.headers = ['X-Request-Id', id, ...headers]
    ctx.state.address = addressOf(ctx.req)
    ctx.state.path = mark === -1 ? url : url.slice(0, mark)
    ctx.state.query = mark === -1 ? '' : url.slice(mark + 1)
    return next()
  }
}
