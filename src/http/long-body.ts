import type { IncomingMessage, ServerResponse } from 'node:http'
import { Reading } from './reading.ts'

/** How much Node.js reads at once. A body up to this length comes in few packets. */
const packetBytes = 65_536
/** A body of more chunks than this is refused if they have fewer bytes on average. */
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
  let [chunks, bytes, isHeld, isRefused] = [0, 0, false, false]
  req.push = (chunk: Buffer | null, ...rest) => {
    if (chunk === null) return push(chunk)
    if (isRefused) return false
    chunks++
    bytes += chunk.length
    isRefused = chunks > chunksMax && bytes < chunks * chunkBytesMin
    if (isRefused) {
      refuse()
      return false
    }
    holdForTurn()
    reading.isWanted = push(chunk, ...rest)
    return reading.isWanted
  }
  // Node.js would discard what comes after the response without a push.
  res.prependOnceListener('finish', () => {
    req.read(0)
    req.resume()
  })

  function holdForTurn(): void {
    if (isHeld) return
    isHeld = true
    reading.hold()
    setImmediate(() => {
      isHeld = false
      reading.release()
    })
  }
}
