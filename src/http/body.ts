import { isUtf8 } from 'node:buffer'
import bodyParser from 'koa-bodyparser'
import { isPlainObject } from '../engine/fields.ts'
import type { JsonObject } from '../engine/validate.ts'
import { ApiError } from '../errors.ts'
import type { Ctx } from './exchange.ts'

export interface Body {
  bytes: Buffer
  object: JsonObject
}

export const noBody: Body = { bytes: Buffer.alloc(0), object: {} }

/** Reads a request's JSON object (decisions B2, B3). Throws INVALID_REQUEST with the status that the fault has in HTTP. */
export type ReadBody = (ctx: Ctx) => Promise<Body>

export function jsonBody({ bytesMax, depthMax }: { bytesMax: number; depthMax: number }): ReadBody {
  // The parser brings the bytes, within the limit and decompressed; what they say is read here, because it would let broken UTF-8 pass.
  const options = {
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    textLimit: String(bytesMax),
    encoding: null,
    onerror(error: Error) {
      throw transportFault(error, bytesMax)
    },
  }
  const readBytes = bodyParser(options)
  return async (ctx) => {
    requireJsonType(ctx)
    try {
      await readBytes(ctx as never, async () => {})
    } catch (error) {
      ctx.req.unpipe().resume() // what is left of it would hold up the connection's next request
      throw error
    }
    return parseObject(ctx.request.body as Buffer, depthMax)
  }
}

function requireJsonType(ctx: Ctx): void {
  const type = ctx.req.headers['content-type']
  if (type === undefined && !hasBody(ctx)) throw invalid('The request needs a body: a JSON object')
  const [, media, charset = 'utf-8'] = /^\s*([^;\s]+)\s*(?:;\s*charset="?([\w-]+)"?)?/i.exec(type ?? '') ?? []
  if (media?.toLowerCase() !== 'application/json' || !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw invalid('The body must be sent as Content-Type: application/json, in UTF-8', 415)
  }
}

export function hasBody({ req: { headers } }: Ctx): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

function parseObject(bytes: Buffer | string | object, depthMax: number): Body {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalid('The request needs a body: a JSON object')
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8')
  if (isDeeper(bytes, depthMax)) throw invalid(`The body is nested deeper than ${depthMax} levels`)
  const value = parseJson(bytes.toString())
  if (!isPlainObject(value)) throw invalid('The body must be a JSON object')
  return { bytes, object: value }
}

const [quote, backslash] = [0x22, 0x5c]
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/** Before it is parsed: depth costs stack and time. */
function isDeeper(json: Buffer, depthMax: number): boolean {
  if (json.length <= depthMax) return false
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!
    if (byte === backslash) at++
    else if (byte === quote) inText = !inText
    else if (inText) continue
    else if (opening.has(byte) && ++depth > depthMax) return true
    else if (closing.has(byte)) depth--
  }
  return false
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${(error as Error).message}`)
  }
}

function transportFault(error: Error & { status?: number }, bytesMax: number): ApiError {
  if (error.status === 413) return invalid(`The body is larger than ${bytesMax} bytes`, 413, error)
  if (error.status === 415)
    return invalid('The Content-Encoding is not supported: use gzip, deflate or none', 415, error)
  return invalid('The body could not be read', 400, error)
}

function invalid(message: string, status = 400, cause?: unknown): ApiError {
  return new ApiError('INVALID_REQUEST', message, { status, cause })
}
