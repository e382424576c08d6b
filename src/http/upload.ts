import { type Contents, type Received, withoutContents } from '../content/contents.ts'
import type { Route } from '../engine/api/call/route.ts'
import { ApiError, bodyTooLarge } from '../errors.ts'
import { Budget } from '../lib/budget.ts'
import { atEnd } from './at-end.ts'
import { hasBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'
import { closeUnread } from './linger.ts'
import { overloaded } from './overloaded.ts'
import { allowLong } from './request-time.ts'

/** How many files arrive at a time. Each takes a file descriptor and little memory. */
const uploadsMax = 256
const uploadsPerClientMax = 64
/** How much of a rejected file is read and discarded to keep its connection open. */
export const drainedBytesMax = 2 ** 20

/** `type/subtype` with any parameters (RFC 9110). */
const mediaTypeForm = /^\s*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})\s*(?:;.*)?$/
const unknownType = 'application/octet-stream'

/** The places for bodies that arrive at the same time without going into memory. */
export class Places {
  readonly #running = new Budget({ total: uploadsMax, share: uploadsPerClientMax })

  /** Takes a place until the request ends. Throws SERVICE_UNAVAILABLE, RATE_LIMIT_EXCEEDED. */
  take({ res, state: { clients } }: Ctx): void {
    const short = this.#running.take(clients, 1)
    if (short) throw overloaded(short, 'uploads in progress')
    atEnd(res, () => this.#running.release(clients, 1))
  }
}

/** Receives bodies that are files. They go to where content is, and not into memory. */
export class Uploads {
  readonly #contents: Contents | undefined
  readonly #bytesMax: number
  readonly #places: Places

  constructor(contents: Contents | undefined, bytesMax: number, places: Places) {
    this.#contents = contents
    this.#bytesMax = bytesMax
    this.#places = places
  }

  /** The layer that receives the file of a route. What is not stored when the request ends is removed. */
  receive(route: Route): Layer {
    return async (ctx, next) => {
      const received = await this.#receive(ctx, route)
      try {
        const { sha256 } = received
        ctx.state.upload = { ...ctx.state.upload!, received }
        ctx.state.body = { bytes: Buffer.from(sha256), object: {} } // identifies the body to `Idempotency-Key`
        await next()
      } finally {
        await received.discard()
      }
    }
  }

  async #receive(ctx: Ctx, route: Route): Promise<Received> {
    const { req, res, state } = ctx
    const { fileBytesMax = this.#bytesMax } = route
    try {
      route.takesFile!(state.call!)
      if (!this.#contents) throw new ApiError('FEATURE_NOT_ENABLED', withoutContents)
      if (!hasBody(ctx)) throw emptyBody()
      if ((state.upload!.declaredBytes ?? 0) > fileBytesMax) throw bodyTooLarge(fileBytesMax)
      this.#places.take(ctx)
      allowLong(req)
      const received = await this.#contents.receive(partsOf(ctx), fileBytesMax)
      if (received.bytes > 0) return received
      await received.discard()
      throw emptyBody()
    } catch (error) {
      if (!req.readableEnded && (state.upload!.declaredBytes ?? Infinity) > drainedBytesMax) closeUnread(req, res)
      req.resume() // unread bytes would block the connection's next request
      throw error
    }
  }
}

/** Notes what the head says of the file. Throws INVALID_REQUEST (415). */
export function announceFile({ req: { headers }, state }: Ctx, next: () => Promise<void>): Promise<void> {
  const { 'content-encoding': encoding, 'content-length': length, 'content-type': type } = headers
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupported('A file is stored as it is sent: send it without Content-Encoding')
  }
  const declaredBytes = length === undefined ? undefined : Number(length)
  state.upload = { mediaType: mediaTypeOf(type), declaredBytes }
  return next()
}

/** What clients send without being told to counts as unknown. */
function mediaTypeOf(type = unknownType): string {
  const media = mediaTypeForm.exec(type)?.[1]?.toLowerCase()
  if (media === undefined) throw unsupported('Content-Type must be the media type of the file, such as application/pdf')
  if (media === 'multipart/form-data') {
    throw unsupported('The body is the file itself, not a form: send its bytes, with its media type as Content-Type')
  }
  return media === 'application/x-www-form-urlencoded' ? unknownType : media
}

export async function* partsOf({ req }: Ctx): AsyncIterable<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false })
  } catch (cause) {
    throw new ApiError('INVALID_REQUEST', 'The body could not be read', { cause })
  }
}

export function emptyBody(): ApiError {
  return new ApiError('INVALID_REQUEST', 'The body is the file: it must not be empty')
}

function unsupported(message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { status: 415 })
}
