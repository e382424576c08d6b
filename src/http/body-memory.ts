import { bodyTooLarge } from '../errors.ts'
import type { Budget } from '../lib/budget.ts'
import { atEnd } from './at-end.ts'
import type { Ctx } from './exchange.ts'
import { closeUnread } from './linger.ts'
import { overloaded } from './overloaded.ts'

/** The size limit of a body with a few fields. The limit of requests in progress also limits the memory of such bodies. */
export const smallBytesMax = 16_384
/** How much of a rejected body is read and discarded to keep its connection open. */
const drainedBytesMax = 2 ** 20
/** Memory for a body of unknown length is reserved in steps of this size. */
const stepBytes = 262_144

/**
 * Reserves memory for a body until the request ends: in advance if its length is known, otherwise as it arrives. Throws 413,
 * RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE.
 */
export function reserveBody({ req, res, state: { clients } }: Ctx, bytesMax: number, inFlight: Budget): void {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers
  const declared = encoding === undefined ? Number(length ?? 0) : bytesMax // the decompressed length is unknown
  if (declared > 2 * bytesMax) closeUnread(req, res) // reading all of it would take too long
  if (declared > bytesMax) throw bodyTooLarge(bytesMax)
  let reserved = smallBytesMax
  const reserve = (bytes: number) => {
    const short = inFlight.take(clients, bytes - reserved)
    if (short) {
      if (declared > drainedBytesMax) closeUnread(req, res)
      throw overloaded(short, 'bytes of request bodies in progress')
    }
    reserved = bytes
  }
  if (declared > reserved) reserve(declared)
  let arrived = 0
  if (length === undefined && encoding === undefined) {
    req.on('error', () => {})
    req.on('data', function meter(chunk: Buffer) {
      arrived += chunk.length
      if (arrived <= reserved || arrived > bytesMax) return
      try {
        reserve(Math.min(Math.max(arrived, reserved + stepBytes), bytesMax))
      } catch (error) {
        req.off('data', meter).emit('error', error) // ends the reading of the body
      }
    })
  }
  atEnd(res, () => inFlight.release(clients, reserved - smallBytesMax))
}
