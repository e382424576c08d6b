import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long the rest of a request is read and discarded, in milliseconds. */
const lingerMs = 5_000

/**
 * Ends the connection after a response to a request that is not read. The rest of it is discarded for a while: a connection that is closed
 * with unread bytes is reset, and the client loses the response.
 */
export function closeUnread(req: IncomingMessage, res: ServerResponse): void {
  res.shouldKeepAlive = false
  const { socket } = req
  // Node calls it after the response.
  socket.destroySoon = () => {
    if (req.readableEnded) return destroy()
    socket.end()
    req.once('end', destroy).once('error', destroy).resume()
    const timer = setTimeout(destroy, lingerMs).unref()
    socket.once('close', () => clearTimeout(timer))
  }
  const destroy = () => socket.destroy()
}
