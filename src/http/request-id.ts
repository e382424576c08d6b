import { randomUUID } from 'node:crypto'
import type { ClientAddress } from './client-address.ts'
import type { Compression } from './compression.ts'
import type { Layer } from './exchange.ts'
import type { Observe } from './observe.ts'
import type { Outflow } from './outflow.ts'

/** Not a key sent by mistake, which must not come into the log. */
const sane = /^(?!.*svc_(?:live|test)_)[\w.:/+=@-]{1,128}$/

/** `GET http://host/path`, which every server has to understand. */
const absoluteForm = /^https?:\/\/[^/?]*/i

interface Beginning {
  observe: Observe | undefined
  outflow: Outflow
  compression: Compression | undefined
  addressOf: ClientAddress
  /** Of every answer. */
  headers: readonly string[]
}

/** Begins the exchange: `X-Request-Id` is the caller's, if it sent a sane one (decision B11). */
export function requestId({ observe, outflow, compression, addressOf, headers }: Beginning): Layer {
  return (ctx, next) => {
    const url = ctx.req.url!.replace(absoluteForm, '')
    const mark = url.indexOf('?')
    const given = ctx.req.headers['x-request-id']
    const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
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
