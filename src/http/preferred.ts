import type { Ctx } from './exchange.ts'

const jsonType = 'application/json'

/** Whether the client accepts a media type (RFC 9110, 12.5.1). Parameters, such as a charset, make no difference. */
export function accepts(ctx: Ctx, type: string): boolean {
  if (ctx.state.isInner || ctx.req.headers.accept === undefined) return type === jsonType
  return bestOf(ctx, type) === type
}

/** Whether the client prefers a media type to JSON. */
export function prefers(ctx: Ctx, type: string): boolean {
  if (ctx.state.isInner || !mayPrefer(ctx.req.headers.accept)) return false
  return bestOf(ctx, jsonType, type) === type
}

/** The media type that the client prefers, or the first of those that it likes equally; false: it accepts none. */
function bestOf(ctx: Ctx, ...types: string[]): string | false {
  const { headers } = ctx.req
  headers.accept = headers.accept!.replace(/;(?!\s*q\s*=)[^;,]*/gi, '')
  return ctx.accept.types(types) as string | false
}

/** Weights, ranges such as `text/*`, and the types that the API has besides JSON. */
const others = /;|\w\/\*|csv|ndjson|vcard|event-stream/i
const json = /\*\/\*|application\/json/i

/** Whether a client with this header may prefer anything to JSON. False for most headers, without reading them completely. */
export function mayPrefer(accept: string | undefined): boolean {
  return accept !== undefined && (others.test(accept) || !json.test(accept))
}
