import type { Ctx } from './exchange.ts'

/** Whether the client prefers a media type to JSON (RFC 9110, 12.5.1). */
export function prefers(ctx: Ctx, type: string): boolean {
  return mayPrefer(ctx.req.headers.accept) && ctx.accepts('application/json', type) === type
}

/** Weights, ranges such as `text/*`, and the types that the API has besides JSON. */
const others = /;|\w\/\*|csv|ndjson|vcard|event-stream/i
const json = /\*\/\*|application\/json/i

/** Whether a client with this header may prefer anything to JSON. False for most headers, without reading them completely. */
export function mayPrefer(accept: string | undefined): boolean {
  return accept !== undefined && (others.test(accept) || !json.test(accept))
}
