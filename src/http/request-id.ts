import { randomUUID } from 'node:crypto'
import type { Layer } from './exchange.ts'

const sane = /^[\w.:/+=@-]{1,128}$/

/** `GET http://host/path`, which every server has to understand. */
const absoluteForm = /^https?:\/\/[^/?]*/i

/** Begins the exchange: `X-Request-Id` is the caller's, if it sent a sane one (decision B11). */
export function requestId(): Layer {
  return (ctx, next) => {
    const url = ctx.req.url!.replace(absoluteForm, '')
    const mark = url.indexOf('?')
    const given = ctx.req.headers['x-request-id']
    const id = typeof given === 'string' && sane.test(given) ? given : randomUUID()
    ctx.state.requestId = id
    ctx.state.headers = ['X-Request-Id', id]
    ctx.state.path = mark === -1 ? url : url.slice(0, mark)
    ctx.state.query = mark === -1 ? '' : url.slice(mark + 1)
    return next()
  }
}
