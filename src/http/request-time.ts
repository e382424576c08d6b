import type { IncomingMessage, Server } from 'node:http'

/** A file may take this long to arrive, in milliseconds. */
export const fileMs = 3_600_000

const checkMsMax = 1_000

/** Requests whose bodies may take as long as a file. */
const long = new WeakSet<IncomingMessage>()

export function allowLong(req: IncomingMessage): void {
  long.add(req)
}

/**
 * Ends requests whose bodies take longer than `requestMs`, except files. Node itself has one time limit for all requests of a server, which
 * is that of files.
 */
export function limitRequestTime(server: Server, requestMs: number): (req: IncomingMessage) => void {
  const arriving = new Map<IncomingMessage, number>() // oldest first
  const timer = setInterval(endLate, Math.min(checkMsMax, requestMs)).unref()
  server.on('close', () => clearInterval(timer))
  return (req) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
    if (length === '0' && coding === undefined) return
    arriving.set(req, performance.now())
    req.once('close', () => arriving.delete(req))
  }

  function endLate(): void {
    const latest = performance.now() - requestMs
    for (const [req, begunMs] of arriving) {
      if (begunMs > latest) return
      arriving.delete(req)
      if (req.complete || long.has(req)) continue
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', error, req.socket)
    }
  }
}
