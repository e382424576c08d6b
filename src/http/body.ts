import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import bodyParser from 'koa-bodyparser'
import type { BodySize } from '../engine/api/call/route.ts'
import { isPlainObject } from '../engine/records/kinds/fields.ts'
import { withoutLargeMetadata } from '../engine/records/kinds/large-metadata.ts'
import type { JsonObject } from '../engine/records/rows/validate.ts'
import { ApiError, bodyTooLarge } from '../errors.ts'
import { recordsMax } from '../features/imports/records.ts'
import type { Budget } from '../lib/budget.ts'
import { shapeFault } from '../lib/json-shape.ts'
import { reserveBody, smallBytesMax } from './body-memory.ts'
import { readRecords } from './bulk-body.ts'
import type { Body, Ctx } from './exchange.ts'
import type { FairTurns } from './fair-turns.ts'
import { parseJson } from './json.ts'

/** More than metadata of the maximum size and all other fields of a record have. */
const valuesMax = 50_000

export const noBody: Body = { bytes: Buffer.alloc(0), object: {} }

/** Reads a request's JSON object (decisions B2, B3), which may be absent, and waits for its turn. Throws INVALID_REQUEST with the HTTP status of the error. */
export type ReadBody = (ctx: Ctx, optional?: boolean) => Promise<Body>

interface Bounds {
  bodyBytesMax: number
  bulkBodyBytesMax: number
  jsonDepthMax: number
  /** Bytes of bodies that are being read or processed. */
  inFlight: Budget
  turns: FairTurns
}

/** The body readers by the size that a route accepts. */
export function bodyReaders({
  bodyBytesMax,
  bulkBodyBytesMax,
  jsonDepthMax,
  ...shared
}: Bounds): Record<BodySize, ReadBody> {
  const depthMax = jsonDepthMax
  const parse = async (bytes: Buffer) => parseObject(bytes, depthMax)
  const parseBulk = (bytes: Buffer) => readRecords(bytes, { depthMax, recordBytesMax: bodyBytesMax, recordsMax })
  return {
    small: bodyReader(Math.min(smallBytesMax, bodyBytesMax), shared, parse),
    record: bodyReader(bodyBytesMax, shared, parse),
    list: bodyReader(bodyBytesMax, shared, async (bytes) => parseList(bytes, depthMax), 'a JSON array'),
    message: bodyReader(bodyBytesMax, shared, async (bytes) => ({ message: parseValue(bytes, depthMax) })),
    bulk: bodyReader(bulkBodyBytesMax, shared, parseBulk),
  }
}

function bodyReader(
  bytesMax: number,
  { inFlight, turns }: Pick<Bounds, 'inFlight' | 'turns'>,
  parse: (bytes: Buffer) => Promise<JsonObject>,
  form = 'a JSON object',
): ReadBody {
  // The parser reads and decompresses the bytes within the limit. They are decoded here, because the parser accepts invalid UTF-8.
  const options = {
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    textLimit: String(bytesMax),
    encoding: null,
    onerror(error: Error) {
      throw error instanceof ApiError ? error : transportFault(error, bytesMax)
    },
  }
  const readBytes = bodyParser(options)
  return async (ctx, optional) => {
    requireJsonType(ctx, form)
    requireKnownEncoding(ctx)
    try {
      reserveBody(ctx, bytesMax, inFlight)
      await readBytes(ctx as never, async () => {})
    } catch (error) {
      ctx.req.unpipe().resume() // unread bytes would block the connection's next request
      throw error
    }
    const body = ctx.request.body as Buffer | string | object
    const bytes = Buffer.isBuffer(body) ? withoutMark(body) : undefined
    await turns.wait(ctx)
    if (optional && bytes?.length === 0) return noBody
    if (!bytes?.length) throw invalid(`The request needs a body: ${form}`)
    if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8')
    return { bytes, object: await parse(bytes) }
  }
}

const byteOrderMark = Buffer.from('\ufeff')

/** A byte order mark before JSON is skipped (decision B2). */
function withoutMark(bytes: Buffer): Buffer {
  const { length } = byteOrderMark
  return bytes.subarray(0, length).equals(byteOrderMark) ? bytes.subarray(length) : bytes
}

function requireKnownEncoding({ req }: Ctx): void {
  const encoding = req.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    throw invalid('The Content-Encoding is not supported: use gzip, deflate or none', 415)
  }
  ignoreInflationErrors(req)
}

/**
 * The parser removes its listeners from the decompression stream when it rejects a body. An `error` event of that stream without a
 * listener would end the process.
 */
function ignoreInflationErrors(req: IncomingMessage): void {
  const pipe = req.pipe.bind(req)
  req.pipe = (target, options) => {
    target.on('error', () => {})
    return pipe(target, options)
  }
}

function requireJsonType(ctx: Ctx, form: string): void {
  const type = ctx.req.headers['content-type']
  if (type === undefined && !hasBody(ctx)) throw invalid(`The request needs a body: ${form}`)
  const [, media, charset = 'utf-8'] = /^\s*([^;\s]+)\s*(?:;\s*charset="?([\w-]+)"?)?/i.exec(type ?? '') ?? []
  if (media?.toLowerCase() !== 'application/json' || !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw invalid('The body must be sent as Content-Type: application/json, in UTF-8', 415)
  }
}

export function hasBody({ req: { headers } }: Ctx): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

function parseObject(bytes: Buffer, depthMax: number): JsonObject {
  const value = parseValue(bytes, depthMax)
  if (!isPlainObject(value)) throw invalid('The body must be a JSON object')
  return value
}

function parseList(bytes: Buffer, depthMax: number): JsonObject {
  const items = parseValue(bytes, depthMax)
  if (!Array.isArray(items)) throw invalid('The body must be a JSON array')
  return { items }
}

function parseValue(bytes: Buffer, depthMax: number): unknown {
  const text = withoutLargeMetadata(bytes.toString())
  const fault = text.length > Math.min(depthMax, valuesMax) ? shapeFault(text, { depthMax, valuesMax }) : undefined
  if (fault === 'depth') throw invalid(`The body is nested deeper than ${depthMax} levels`)
  if (fault === 'values') throw invalid(`The body has more than ${valuesMax} values`)
  return parseJson(text)
}

function transportFault(error: Error & { status?: number }, bytesMax: number): ApiError {
  if (error.status === 413) return bodyTooLarge(bytesMax, error)
  return invalid('The body could not be read', 400, error)
}

function invalid(message: string, status = 400, cause?: unknown): ApiError {
  return new ApiError('INVALID_REQUEST', message, { status, cause })
}
