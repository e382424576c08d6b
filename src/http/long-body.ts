import type { IncomingMessage, ServerResponse } from 'node:http'
import { Reading } from './reading.ts'

/** How much Node.js reads at once. A body up to this length comes in few packets. */
const packetBytes = 65_536
/** A body of more chunks is refused if they have fewer bytes on average, as are bodies that have so many in one packet. */
const [chunksMax, chunkBytesMin] = [4_096, 16]

/**
 * Reads a long body one packet per turn of the event loop: Node.js would read packet after packet, and handle each chunk on its own, thousands of
 * a packet. Calls `refuse` if a body comes in tiny chunks.
 */
export function paceBody(req: IncomingMessage, res: ServerResponse, refuse: () => void): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (coding === undefined && Number(length) <= packetBytes) return
  const reading = Reading.of(req.socket)
  const push = req.push.bind(req)
  const own = { chunks: 0, bytes: 0 }
  let isRefused = false
  req.push = (chunk: Buffer | null, ...rest) => {
    if (isRefused) return false
    if (chunk === null) return push(chunk)
    for (const each of [own, reading.turn]) {
      each.chunks++
      each.bytes += chunk.length
      isRefused ||= each.chunks > chunksMax && each.bytes < (each.chunks - 1) * chunkBytesMin
    }
    if (isRefused) {
      refuse()
      return false
    }
    reading.holdForTurn()
    reading.isWanted = push(chunk, ...rest)
    return reading.isWanted
  }
  // Otherwise, Node.js discards the rest of the body without a push, so at full speed.
  res.prependOnceListener('finish', () => {
    req.read(0)
    req.resume()
  })
}
